import { createHash } from "node:crypto";
import { type Dispatcher, Pool } from "undici";
import type { LabelOrder } from "../../schemas/jobs.ts";

/** What every call tells of the label that it is for. */
type Addressed = Omit<LabelOrder, "body">;

/**
 * What a page shall show, on its way to a label: its picture or, for a segment label, its text. The number is that of the
 * transmission: the same for its retries.
 */
export interface PageToSend extends Addressed {
  page: number;
  content: { png: Uint8Array } | { text: string };
}

/** Something else that a label shall do. The number is that of the order: the same for its retries. */
export interface OrderToSend extends Addressed {
  order: "flash" | "display-page" | "fingerprint";
  body: object;
}

/** What a label server says to a call. `later`: it is busy or away, and nothing is wrong with what it was sent. */
export type Answer = { kind: "accepted" } | { kind: "later"; afterMs: number } | { kind: "refused"; reason: string };

/** What the transmitter needs of a driver. */
export interface LabelServer {
  sendPage(page: PageToSend): Promise<Answer>;
  sendOrder(order: OrderToSend): Promise<Answer>;
  /** Whether it has not answered for some calls: then nothing is begun for a while. */
  isAway(): boolean;
  close(): Promise<void>;
}

const COME_BACK_LATER = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** So many calls without an answer open the circuit for a while. */
const MAX_FAILURES = 5;
const CIRCUIT_OPEN_MS = 5_000;

/** How patient a kind of call is. */
const pages = { timeoutMs: 10_000, laterMs: 3_000 };
const orders = { timeoutMs: 3_000, laterMs: 1_000 };
/** Orders have connections of their own: they wait behind no picture. */
const ORDER_CONNECTIONS = 16;

/** The HTTP driver (design, section 10). It never throws: a label server that is away answers `later`. */
export function httpLabelServer(url: string, secret: string, connections: number, clock: () => number): LabelServer {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, "");
  const pagePool = openPool(origin, connections, pages.timeoutMs);
  const orderPool = openPool(origin, ORDER_CONNECTIONS, orders.timeoutMs);
  let failures = 0;
  let awayUntil = Number.NEGATIVE_INFINITY;

  async function call(pool: Pool, laterMs: number, request: Dispatcher.RequestOptions): Promise<Answer> {
    try {
      const { statusCode, headers, body } = await pool.request(request);
      const text = await body.text();
      failures = 0;
      if (statusCode === 202) return { kind: "accepted" };
      if (COME_BACK_LATER.has(statusCode))
        return { kind: "later", afterMs: retryAfter(headers["retry-after"], laterMs) };
      return { kind: "refused", reason: `the label server answered ${statusCode}: ${text.slice(0, 200)}` };
    } catch {
      // Whatever it was (refused, reset, too slow), the same is sent again under its own number.
      failures += 1;
      if (failures >= MAX_FAILURES) awayUntil = clock() + CIRCUIT_OPEN_MS;
      return { kind: "later", afterMs: laterMs };
    }
  }

  const pathOf = (barcode: string, rest: string) => `${base}/labels/${encodeURIComponent(barcode)}/${rest}`;
  const headersOf = ({ store, barcode, number, priority, transceivers }: Addressed, what: string) => ({
    authorization: `Bearer ${secret}`,
    "idempotency-key": `${encodeURIComponent(barcode)}-${what}-${number}`,
    priority,
    store,
    // A header holds ASCII only; an id may hold anything.
    ...(transceivers.length > 0 && { transceiver: transceivers.map(encodeURIComponent).join(", ") }),
  });

  return {
    isAway: () => clock() < awayUntil,

    sendPage(page) {
      const isText = "text" in page.content;
      const body = "text" in page.content ? JSON.stringify({ text: page.content.text }) : page.content.png;
      return call(pagePool, pages.laterMs, {
        method: "PUT",
        path: pathOf(page.barcode, isText ? "segments" : `pages/${page.page}`),
        headers: {
          ...headersOf(page, String(page.page)),
          "content-type": isText ? "application/json" : "image/png",
          "repr-digest": `sha-256=:${createHash("sha256").update(body).digest("base64")}:`,
        },
        body,
      });
    },

    sendOrder: (order) =>
      call(orderPool, orders.laterMs, {
        method: "POST",
        path: pathOf(order.barcode, order.order),
        headers: { ...headersOf(order, order.order), "content-type": "application/json" },
        body: JSON.stringify(order.body),
      }),

    async close() {
      await Promise.all([pagePool.close(), orderPool.close()]);
    },
  };
}

const openPool = (origin: string, connections: number, timeoutMs: number): Pool =>
  new Pool(origin, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connectTimeout: timeoutMs });

const retryAfter = (value: string | string[] | undefined, otherwise: number): number =>
  Number(value) > 0 ? Number(value) * 1000 : otherwise;
