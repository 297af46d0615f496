import { reprDigest } from "../../../runtime/repr-digest.ts";

/** A call to a label server. */
export interface Call {
  store: string;
  barcode: string;
  number: number;
  /** The page of a picture; a text has page 0. */
  content: { page: number; png: Uint8Array } | { text: string } | { order: OrderName; body: object };
  /** Headers that differ from those of Shelfwire; undefined for one that is left out. */
  headers?: Readonly<Record<string, string | undefined>>;
}

export type OrderName = "flash" | "display-page" | "fingerprint";

/** The answer to a call; status 0 if there was none. */
export interface Answer {
  sent: string;
  status: number;
  /** There was none in time, while the connection stood. */
  isLate: boolean;
  came: string;
  retryAfterMs: number | undefined;
}

export interface CallLimits {
  pageMs: number;
  orderMs: number;
}

const MAX_SHOWN = 200;

/** Calls a label server as the transmitter does. */
export function createCaller(url: string, secret: string, { pageMs, orderMs }: CallLimits) {
  const base = url.replace(/\/$/, "");

  return async function call({ store, barcode, number, content, headers = {} }: Call): Promise<Answer> {
    const { method, path, target, type, body, isOrder } = partsOf(content);
    const address = `/labels/${encodeURIComponent(barcode)}/${path}`;
    const all: Record<string, string | undefined> = {
      authorization: `Bearer ${secret}`,
      store,
      priority: "normal",
      "idempotency-key": `${encodeURIComponent(barcode)}-${target}-${number}`,
      "content-type": type,
      ...(!isOrder && { "repr-digest": reprDigest(body) }),
      ...headers,
    };
    const sent = `${method} ${address} with the number ${number}`;
    const limit = isOrder ? orderMs : pageMs;
    try {
      const answer = await fetch(`${base}${address}`, {
        method,
        headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
        body: Buffer.from(body),
        redirect: "manual",
        signal: AbortSignal.timeout(limit),
      });
      const text = (await answer.text()).slice(0, MAX_SHOWN);
      const retryAfter = Number(answer.headers.get("retry-after"));
      const came = text === "" ? `${answer.status}` : `${answer.status}: ${text}`;
      return {
        sent,
        status: answer.status,
        isLate: false,
        came,
        retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : undefined,
      };
    } catch (error) {
      const { message, name, cause } = error as Error & { cause?: Error };
      const isLate = name === "TimeoutError";
      const came = isLate ? `no answer within ${limit / 1000} s` : (cause?.message ?? message);
      return { sent, status: 0, isLate, came, retryAfterMs: undefined };
    }
  };
}

function partsOf(content: Call["content"]) {
  if ("png" in content) {
    const { page, png } = content;
    return { method: "PUT", path: `pages/${page}`, target: page, type: "image/png", body: png, isOrder: false };
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
