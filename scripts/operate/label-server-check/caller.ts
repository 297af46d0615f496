import { reprDigest } from "../../../runtime/repr-digest.ts";
import { retryAfter } from "../../../schemas/retry-after.ts";

/** A call to a label server. */
export interface Call {
  store: string;
  barcode: string;
  number: number;
  /** A picture's page, and the switch for which the picture is kept, if any. Text has page 0. */
  content:
    | { page: number; png: Uint8Array; switch?: string | undefined }
    | { text: string }
    | { order: OrderName; body: object };
  /** Headers that differ from Shelfwire's. Undefined for a header that is left out. */
  headers?: Readonly<Record<string, string | undefined>>;
}

export type OrderName = "flash" | "display-page" | "fingerprint";

/** The response to a call. The status is 0 if there was none. */
export interface Answer {
  sent: string;
  status: number;
  /** Whether there was no response in time, although the connection was open. */
  isLate: boolean;
  came: string;
  retryAfterMs: number | undefined;
  /** The `Boot-Id` of the response. */
  bootId: string | undefined;
}

/** The order for a switch, or its end if `showAt` is absent. */
export interface SwitchOrder {
  store: string;
  switch: string;
  showAt?: Date;
}

export interface CallLimits {
  pageMs: number;
  orderMs: number;
}

const MAX_SHOWN = 200;

/** Calls a label server as the transmitter does. */
export function createCaller(url: string, secret: string, { pageMs, orderMs }: CallLimits) {
  const base = url.replace(/\/$/, "");

  async function send(method: string, path: string, what: string, headers: Headers, body: Uint8Array, limit: number) {
    const sent = `${method} ${path}${what}`;
    const all = { authorization: `Bearer ${secret}`, ...headers };
    try {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
        ...(body.length > 0 && { body: Buffer.from(body) }),
        redirect: "manual",
        signal: AbortSignal.timeout(limit),
      });
      return readAnswer(sent, answer, (await answer.text()).slice(0, MAX_SHOWN));
    } catch (error) {
      const { message, name, cause } = error as Error & { cause?: Error };
      const isLate = name === "TimeoutError";
      const came = isLate ? `no response within ${limit / 1000} s` : (cause?.message ?? message);
      return { sent, status: 0, isLate, came, retryAfterMs: undefined, bootId: undefined };
    }
  }

  return {
    call({ store, barcode, number, content, headers = {} }: Call): Promise<Answer> {
      const { method, path, target, type, body, isOrder } = partsOf(content);
      const all: Headers = {
        store,
        priority: "normal",
        "idempotency-key": `${encodeURIComponent(barcode)}-${target}-${number}`,
        "content-type": type,
        ...(!isOrder && { "repr-digest": reprDigest(body) }),
        ...headers,
      };
      const address = `/labels/${encodeURIComponent(barcode)}/${path}`;
      return send(method, address, ` with the number ${number}`, all, body, isOrder ? orderMs : pageMs);
    },

    orderSwitch({ store, switch: id, showAt }: SwitchOrder): Promise<Answer> {
      const path = `/switches/${encodeURIComponent(id)}`;
      if (showAt === undefined) return send("DELETE", path, "", { store }, new Uint8Array(), orderMs);
      const body = Buffer.from(JSON.stringify({ showAt: showAt.toISOString() }));
      const headers = { store, "content-type": "application/json" };
      return send("POST", path, ` with ${body}`, headers, body, orderMs);
    },
  };
}

type Headers = Readonly<Record<string, string | undefined>>;

function readAnswer(sent: string, { status, headers }: Response, text: string): Answer {
  return {
    sent,
    status,
    isLate: false,
    came: text === "" ? `${status}` : `${status}: ${text}`,
    retryAfterMs: retryAfter(headers.get("retry-after") ?? undefined, new Date()),
    bootId: headers.get("boot-id") ?? undefined,
  };
}

function partsOf(content: Call["content"]) {
  if ("png" in content) {
    const { page, png, switch: id } = content;
    const path = id === undefined ? `pages/${page}` : `switches/${encodeURIComponent(id)}/pages/${page}`;
    return { method: "PUT", path, target: page, type: "image/png", body: png, isOrder: false };
  }
  const type = "application/json";
  if ("text" in content) {
    const body = Buffer.from(JSON.stringify({ text: content.text }));
    return { method: "PUT", path: "segments", target: 0, type, body, isOrder: false };
  }
  const { order, body } = content;
  const bytes = Buffer.from(JSON.stringify(body));
  return { method: "POST", path: order, target: order, type, body: bytes, isOrder: true };
}
