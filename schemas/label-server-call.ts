import { type TSchema, Type } from "typebox";
import { TransmissionPriority } from "./action.ts";
import { DisplayedPage } from "./display-page.ts";
import { Flash } from "./flash.ts";
import { Position } from "./label.ts";

/** Headers of every call to a label server, with names in lowercase, as in Node. */
const headers = {
  authorization: Type.String({
    pattern: "^Bearer .+$",
    errorMessage: 'must be "Bearer" and the secret',
    description: "The secret shared with the label server",
  }),
  store: Type.String({
    pattern: "^t/[A-Za-z0-9_-]{1,64}/s/[A-Za-z0-9_-]{1,64}$",
    errorMessage: 'must be the key of a store such as "t/demo/s/main"',
    description: "The label's store, which reports must name",
    examples: ["t/demo/s/main"],
  }),
  priority: Type.Enum(TransmissionPriority.enum, { description: "How urgent the call is", examples: ["normal"] }),
  transceiver: Type.Optional(
    Type.String({
      description:
        "Short ids of the transceivers through which to send, separated by commas and percent-encoded; absent if none is known",
      examples: ["T1, T2"],
    }),
  ),
  "idempotency-key": Type.String({
    pattern: "^.+-[1-9][0-9]*$",
    errorMessage: "must end with a hyphen and the number of the call",
    description:
      "Barcode, page or action, and the number of the call, joined by hyphens. Every repetition of a call has the same " +
      "number. Each store has its own numbers, which exceed 32 bits",
    examples: ["D42FLOFYMKP013280-0-1772439330000"],
  }),
};

const traceparent = Type.Optional(
  Type.String({
    description: "The trace of the change (W3C Trace Context)",
    examples: ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  }),
);

/** Headers of a call that is an order. */
const OrderHeaders = Type.Object(headers);
/** Headers of a call that carries the content of a page. */
const PageHeaders = Type.Object({
  ...headers,
  traceparent,
  refresh: Type.Optional(
    Type.Literal("full", {
      description:
        "The label should redraw every pixel, which removes the ghosts of earlier pictures; if absent, it draws as usual",
    }),
  ),
  "repr-digest": Type.String({
    pattern: "^sha-256=:[A-Za-z0-9+/]{43}=:$",
    errorMessage: "must be the SHA-256 of the body in Base64, between sha-256=: and :",
    description: "SHA-256 of the body (RFC 9530)",
    examples: ["sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"],
  }),
});

/** What the eight cells of a segment label show. */
const SegmentText = Type.Object(
  { text: Type.String({ description: "The text, with its blanks", examples: ["    1,99"] }) },
  { title: "SegmentText" },
);
const Fingerprint = Type.Object({ position: Position }, { title: "Fingerprint" });

/** One kind of call to a label server. */
interface LabelServerCall {
  method: "PUT" | "POST";
  /** The part of the path after the barcode. */
  path: string;
  operationId: string;
  summary: string;
  headers: typeof OrderHeaders | typeof PageHeaders;
  /** The schema of a JSON body; undefined for a picture. */
  body: TSchema | undefined;
}

/** Body of a call that makes a switch's labels show the pictures that they keep for it. */
const SwitchShow = Type.Object(
  {
    showAt: Type.String({
      format: "instant",
      description: "When the labels show the pictures that they keep for the switch: ISO 8601, UTC",
      examples: ["2026-03-09T05:00:00.000Z"],
    }),
  },
  { title: "SwitchShow" },
);

/** Every kind of call for a label (docs/label-servers/README.md). */
export const labelServerCalls = {
  page: {
    method: "PUT",
    path: "pages/{page}",
    operationId: "sendPicture",
    summary: "Show a picture on a page of a label",
    headers: PageHeaders,
    body: undefined,
  },
  /** Its path differs from the path for other pictures, so that a label server without switches refuses this call. */
  "page-to-keep": {
    method: "PUT",
    path: "switches/{switch}/pages/{page}",
    operationId: "keepPicture",
    summary: "Keep a picture on a label, without showing it, for a switch",
    headers: PageHeaders,
    body: undefined,
  },
  segments: {
    method: "PUT",
    path: "segments",
    operationId: "sendSegments",
    summary: "Show a text on a segment label",
    headers: PageHeaders,
    body: SegmentText,
  },
  flash: {
    method: "POST",
    path: "flash",
    operationId: "flash",
    summary: "Flash a label; a duration of 0 seconds stops",
    headers: OrderHeaders,
    body: Flash,
  },
  "display-page": {
    method: "POST",
    path: "display-page",
    operationId: "displayPage",
    summary: "Show another page for a while, or the usual one again",
    headers: OrderHeaders,
    body: DisplayedPage,
  },
  fingerprint: {
    method: "POST",
    path: "fingerprint",
    operationId: "measureSignal",
    summary: "Measure the label's signal at this position",
    headers: OrderHeaders,
    body: Fingerprint,
  },
} as const satisfies Record<string, LabelServerCall>;

/** Headers of a call for a switch. */
const SwitchHeaders = Type.Object({
  authorization: headers.authorization,
  store: Type.String({ ...headers.store, description: "The store of the switch" }),
});

/** Every kind of call for a switch of a store, at `/switches/{switch}` (docs/label-servers/README.md#switches). */
export const switchCalls = {
  show: {
    method: "POST",
    operationId: "showSwitch",
    summary: "Show the pictures that labels keep for a switch, all at the same time",
    headers: SwitchHeaders,
    body: SwitchShow,
  },
  "call-off": {
    method: "DELETE",
    operationId: "callOffSwitch",
    summary: "Call off a switch: labels discard what they keep for it",
    headers: SwitchHeaders,
    body: undefined,
  },
} as const;
