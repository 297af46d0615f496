import { type Static, Type } from "typebox";
import { Cause } from "./cause.ts";
import type { HistoryNotice } from "./history-notice.ts";
import { Notice } from "./notice.ts";
import { known } from "./text.ts";

const HistoryEvent = Type.Enum(["picture", "flash", "display-page", "refresh", "fingerprint", "battery", "device"]);
const HistoryResult = Type.Enum(
  [
    "begun",
    "acknowledged",
    "kept",
    "failed",
    "given up",
    "sent",
    "refused",
    "dropped",
    "asked",
    "removed",
    "OK",
    "LOW",
    "replace",
    "replaced",
  ],
  {
    description:
      "A picture is started, acknowledged, kept for a switch, failed or given up; an action is requested, sent, rejected by the label server, discarded or removed before it was sent; a battery becomes OK or LOW, or is to be replaced within 30 days; the device (the tag) of a label is replaced",
  },
);

/** An event of a label as it is stored, with as few fields as possible. */
const HistoryEntry = Type.Object({
  /** Milliseconds since 1970. */
  at: Type.Integer(),
  event: HistoryEvent,
  result: HistoryResult,
  /** Transmission number of a picture. Only the entry "begun" has the page, the image and the cause. */
  transmission: Type.Optional(Type.Integer()),
  page: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  /** The cause of the picture. */
  cause: Type.Optional(Cause),
  reason: Type.Optional(Type.String()),
  /** The reason by its code; absent if it is the label server's own text, and in entries of earlier releases. */
  notice: Type.Optional(Type.Unsafe<HistoryNotice>(Notice)),
  transceiver: Type.Optional(Type.String()),
  /** Number of an action's order. It distinguishes equal entries within one millisecond, and is not part of responses. */
  order: Type.Optional(Type.Integer()),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

const text = Type.Unsafe<string | null>({ type: ["string", "null"] });

/** An entry in a response: every field is present, and null if unknown or not applicable. */
export const HistoryAnswer = Type.Object(
  {
    time: Type.String(),
    event: HistoryEvent,
    result: HistoryResult,
    page: text,
    image: Type.Unsafe<string | null>({ type: ["string", "null"], description: "SHA-256 of the picture's pixels" }),
    transmission: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
    reason: text,
    notice: known(Notice),
    transceiver: text,
    requestId: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The latest request that the picture reflects, from its receipt",
    }),
    xRequestId: Type.Unsafe<string | null>({ type: ["string", "null"], description: "X-Request-Id of the request" }),
    traceId: Type.Unsafe<string | null>({ type: ["string", "null"], description: "X-Trace-Id of the request" }),
  },
  { title: "HistoryEntry" },
);
export type HistoryAnswer = Static<typeof HistoryAnswer>;

/** Maximum number of entries in a label's history; older entries are dropped. */
export const HISTORY_ENTRIES = 50;
const MAX_REASON_LENGTH = 200;

/**
 * Returns a label's state with one more entry in its history. Entries are stored as JSON text because only the history call
 * parses them. States are read without their history, so this field contains only the entries that the write adds; an entry
 * that is already among them is not added again.
 */
export function noted<State extends { history?: string[] }>(state: State, { reason, ...entry }: HistoryEntry): State {
  const text = JSON.stringify({ ...entry, ...(reason && { reason: reason.slice(0, MAX_REASON_LENGTH) }) });
  const history = state.history ?? [];
  return history.includes(text) ? state : { ...state, history: [...history, text] };
}

/** Returns the entries of a history, newest first, without the duplicates that a repeated report can cause. */
export function entriesOf(history: readonly string[]): HistoryEntry[] {
  const entries = [...new Set(history)].map((text): HistoryEntry => JSON.parse(text));
  const pictures = new Map(
    entries.flatMap(({ transmission, page, image, cause }) =>
      transmission !== undefined && image !== undefined
        ? [[transmission, { page, image, ...(cause && { cause }) }] as const]
        : [],
    ),
  );
  return entries
    .map((entry) => ({ ...pictures.get(entry.transmission ?? 0), ...entry }) as HistoryEntry)
    .toReversed()
    .sort((a, b) => b.at - a.at);
}
