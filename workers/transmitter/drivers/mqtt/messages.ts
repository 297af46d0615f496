import type { IClientPublishOptions } from "mqtt";
import { reprDigest } from "../../../../runtime/repr-digest.ts";
import type { LabelOrder } from "../../../../schemas/jobs.ts";
import { type LabelReport, LabelReports } from "../../../../schemas/label-report.ts";
import { compileCheck } from "../../../../schemas/validate.ts";
import { goodFor } from "../../action-deadline.ts";
import type { Addressed, OrderToSend, PageToSend } from "../label-server.ts";
import type { Topics } from "./topics.ts";

/** A message to the broker. */
export interface Message {
  topic: string;
  payload: Buffer;
  options: IClientPublishOptions & { qos: 1; retain: boolean };
}

/**
 * How long the broker keeps a picture for a gateway that is offline. If the gateway returns later, Shelfwire sends the picture
 * again, since no report arrived. So the broker never has old pictures.
 */
const PICTURE_EXPIRY_S = 600;

/** Returns the message for a page. It is retained, so that a gateway that returns receives only each page's newest picture. */
export function pageMessage(
  topics: Topics,
  { store, barcode, page, number, cause, content, ...to }: PageToSend,
): Message {
  const isText = "text" in content;
  const payload = isText ? Buffer.from(JSON.stringify({ text: content.text })) : Buffer.from(content.png);
  return {
    topic: isText ? topics.segments(store, barcode) : topics.page(store, barcode, page),
    payload,
    options: {
      ...{ qos: 1, retain: true },
      properties: {
        contentType: isText ? "application/json" : "image/png",
        messageExpiryInterval: PICTURE_EXPIRY_S,
        userProperties: {
          ...addressOf({ store, number, ...to }),
          "repr-digest": reprDigest(payload),
          ...(cause?.trace && { traceparent: cause.trace }),
        },
      },
    },
  };
}

/** Returns the message for an order. It is not retained, since an order must be carried out soon or not at all. */
export function orderMessage(topics: Topics, { store, barcode, order, body, ...to }: OrderToSend): Message {
  return {
    topic: topics.order(store, barcode, order),
    payload: Buffer.from(JSON.stringify(body)),
    options: {
      ...{ qos: 1, retain: false },
      properties: {
        contentType: "application/json",
        messageExpiryInterval: goodFor({ body: body as LabelOrder["body"] }),
        userProperties: addressOf({ store, ...to }),
      },
    },
  };
}

/** Returns the user properties of every message. They are ASCII, since brokers reject control characters. */
const addressOf = ({ store, number, priority, transceivers }: Omit<Addressed, "barcode">) => ({
  store,
  number: String(number),
  priority,
  ...(transceivers.length > 0 && { transceiver: transceivers.map(encodeURIComponent).join(", ") }),
});

/** Maximum size of a message with reports: the broker does not pass on a larger message, and the driver does not read one. */
export const MAX_REPORTS_BYTES = 4 * 2 ** 20;
const checkReports = compileCheck(LabelReports);

/** Reads a message with reports from a store's gateway. `fault`: why the whole message is ignored. */
export function readReports(
  payload: Buffer,
  store: string,
): { reports: LabelReport[]; foreign: string[]; fault?: string } {
  const refused = (fault: string) => ({ reports: [], foreign: [], fault });
  if (payload.length > MAX_REPORTS_BYTES) return refused(`more than ${MAX_REPORTS_BYTES} bytes: ${payload.length}`);
  const body = parseJson(payload);
  if (body === undefined) return refused("not JSON");
  const [fault] = checkReports(body);
  if (fault) return refused(`${fault.pointer} ${fault.detail}`);
  const { reports } = body as LabelReports;
  return {
    reports: reports.filter((report) => report.store === store),
    foreign: [...new Set(reports.flatMap((report) => (report.store === store ? [] : [report.store])))],
  };
}

/** A gateway's retained state. When the connection is lost, the broker publishes `offline`, which is the gateway's will. */
export interface GatewayState {
  isOnline: boolean;
  /** A new id after each start of the gateway; absent if the gateway does not send one. */
  boot?: string;
}

/** Reads a gateway's state. A message without a state, such as an empty one, counts as online. */
export function readState(payload: Buffer): GatewayState {
  const { state, boot } = (parseJson(payload) ?? {}) as { state?: unknown; boot?: unknown };
  return { isOnline: state !== "offline", ...(typeof boot === "string" && { boot }) };
}

function parseJson(payload: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(payload.toString());
    return value ?? undefined;
  } catch {
    return undefined;
  }
}
