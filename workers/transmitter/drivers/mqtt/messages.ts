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
 * How long the broker keeps a picture for a gateway that comes back. A later one gets it from Shelfwire, which sends a
 * transmission without a report again: what is on the broker is never old.
 */
const PICTURE_EXPIRY_S = 600;

/** The message of a page. It is retained, so that a gateway that comes back gets the newest picture of each page only. */
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

/** The message of an order. It is carried out soon or never, so no broker keeps it. */
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

/** The user properties of every message. They are ASCII: brokers reject control characters. */
const addressOf = ({ store, number, priority, transceivers }: Omit<Addressed, "barcode">) => ({
  store,
  number: String(number),
  priority,
  ...(transceivers.length > 0 && { transceiver: transceivers.map(encodeURIComponent).join(", ") }),
});

/** More is no message of reports: the broker does not pass it on, and the driver does not read it. */
export const MAX_REPORTS_BYTES = 4 * 2 ** 20;
const checkReports = compileCheck(LabelReports);

/** Reads a message of reports of a store's gateway: `fault` says why none of it counts. */
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

/** A gateway's own state, retained. The broker publishes `offline`, its will, when the connection is lost. */
export interface GatewayState {
  isOnline: boolean;
  /** Another one after each start of the gateway; absent if it does not say. */
  boot?: string;
}

/** Reads a gateway's state. One that says nothing, such as an empty message, counts as online. */
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
