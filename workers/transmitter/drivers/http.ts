import { type Dispatcher, Pool } from "undici";
import { reprDigest } from "../../../runtime/repr-digest.ts";
import { type CallNotice, callNotice, callText } from "../../../schemas/call-notice.ts";
import { faultOfCall } from "../../../schemas/fault-of-call.ts";
import { retryAfter } from "../../../schemas/retry-after.ts";
import { createBoots } from "../air/boots.ts";
import { createLookUp } from "../air/look-up.ts";
import { MAX_REST_MS } from "../air/pace.ts";
import { createCircuitBreaker } from "../servers/circuit-breaker.ts";
import { createDenials } from "../servers/denials.ts";
import { followCalls } from "./follow-calls.ts";
import type { Addressed, Answer, LabelServer, OnCall, PageToSend, SwitchToOrder } from "./label-server.ts";
import { latest } from "./latest.ts";

/**
 * The secret is not the label server's, or not valid for this label. This is for the operator to fix, not the label's fault, so
 * the call waits.
 */
const DENIED_STATUSES = new Set([401, 403]);
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** The label server, or a proxy in front of it, has too many calls. */
const BUSY_STATUSES = new Set([408, 429, 502, 503, 504]);
/** With these statuses, `Retry-After` applies to all calls, not only to this one. */
const RESTING_STATUSES = new Set([429, 503]);

/**
 * For each kind of call, the time limits until the response begins and for the whole call, including the wait for a connection,
 * and the default wait before a retry.
 */
const times = {
  pages: { timeoutMs: 10_000, totalMs: 15_000, retryAfterMs: 3_000 },
  orders: { timeoutMs: 3_000, totalMs: 6_000, retryAfterMs: 1_000 },
};

interface HttpOptions extends Partial<typeof times> {
  /** Returns the random part of waits, at least 0 and less than 1. */
  random?: () => number;
  /** Compared with the date of a `Retry-After` header. */
  now?: () => Date;
}

/** How much of a response is read. Its status says everything except why a call was rejected. */
export const MAX_ANSWER_BYTES = 4_096;
const MAX_BOOT_ID_LENGTH = 128;
/** Orders have their own connections, so that they never queue behind pictures. */
const ORDER_CONNECTIONS = 16;

/**
 * The HTTP driver. Never throws: if a label server is unavailable or rejects all secrets, the result is `later`. While a secret
 * is being replaced, there are two, and the secret that was last accepted is tried first.
 */
export function httpLabelServer(
  url: string,
  secrets: readonly [string, ...string[]],
  connections: number,
  clock: () => number,
  onCall: OnCall = () => {},
  { pages = times.pages, orders = times.orders, random = Math.random, now = () => new Date() }: HttpOptions = {},
): LabelServer {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, "");
  const lookup = createLookUp(clock);
  const pagePool = openPool(origin, connections, pages.timeoutMs, lookup);
  const orderPool = openPool(origin, ORDER_CONNECTIONS, orders.timeoutMs, lookup);
  const circuit = createCircuitBreaker(clock, random);
  const denials = createDenials(clock, random);
  const boots = createBoots(clock);
  let [taken] = secrets;
  const calls = followCalls(clock);

  async function call(
    what: Parameters<OnCall>[0],
    { store, barcode }: Pick<Addressed, "store" | "barcode">,
    pool: Pool,
    { totalMs, retryAfterMs }: typeof times.pages,
    request: Dispatcher.RequestOptions,
  ): Promise<Answer> {
    const began = clock();
    const label = `${store}/${barcode}`;
    const note = (answer: Parameters<OnCall>[1], failure?: { notice: CallNotice; detail: string }) => {
      if (answer !== "none") calls.answered();
      if (failure) calls.failed(failure.notice, failure.detail);
      onCall(what, answer, clock() - began);
    };
    try {
      const signal = AbortSignal.timeout(totalMs);
      const { statusCode, headers, body } = await requestWithSecret(pool, { ...request, signal });
      const detail = await readBeginning(body);
      circuit.answered();
      const bootId = headers["boot-id"];
      if (typeof bootId === "string") boots.note(bootId.slice(0, MAX_BOOT_ID_LENGTH));
      const notice = callNotice("SERVER_ANSWERED", { status: statusCode });
      const reason = callText(notice);
      if (DENIED_STATUSES.has(statusCode)) {
        note("denied", { notice, detail });
        const { afterMs, isAlone } = denials.denied(label, retryAfterMs);
        const denied = callNotice(isAlone ? "SERVER_DENIES_LABEL" : "SERVER_DENIES", { status: statusCode });
        return { kind: "later", afterMs, reason: callText(denied) };
      }
      denials.taken(label);
      if (statusCode === 202) {
        note("accepted");
        return { kind: "accepted" };
      }
      if (RETRYABLE_STATUSES.has(statusCode)) {
        note("busy", { notice, detail });
        const restMs = retryAfter(headers["retry-after"], now());
        return {
          ...{ kind: "later", afterMs: Math.min(restMs ?? retryAfterMs, MAX_REST_MS), reason },
          ...(BUSY_STATUSES.has(statusCode) && { server: "busy" }),
          ...(RESTING_STATUSES.has(statusCode) && restMs !== undefined && { restMs }),
        };
      }
      note("refused", { notice, detail });
      return { kind: "refused", reason, notice };
    } catch (error) {
      // The connection was refused, was reset or timed out: the call is retried under the same idempotency key.
      circuit.failed();
      const notice = callNotice("SERVER_SILENT", { fault: faultOfCall(error) });
      note("none", { notice, detail: (error as Error).message });
      return { kind: "later", afterMs: retryAfterMs, reason: callText(notice), server: "silent" };
    }
  }

  /** Tries the other secret if one is denied. */
  async function requestWithSecret(pool: Pool, request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
    const send = (secret: string) =>
      pool.request({ ...request, headers: { ...request.headers, authorization: `Bearer ${secret}` } });
    const tried = taken;
    const answer = await send(tried);
    const other = secrets.find((secret) => secret !== tried);
    if (!DENIED_STATUSES.has(answer.statusCode) || other === undefined) return answer;
    await answer.body.dump();
    const second = await send(other);
    if (!DENIED_STATUSES.has(second.statusCode)) taken = other;
    return second;
  }

  const pathOf = (barcode: string, rest: string) => `${base}/labels/${encodeURIComponent(barcode)}/${rest}`;
  const headersOf = ({ store, barcode, number, priority, transceivers }: Addressed, target: string) => ({
    "idempotency-key": `${encodeURIComponent(barcode)}-${target}-${number}`,
    priority,
    store,
    // Headers contain only ASCII; an id may contain any characters.
    ...(transceivers.length > 0 && { transceiver: transceivers.map(encodeURIComponent).join(", ") }),
  });

  return {
    address: origin,
    isAway: () => circuit.isOpen() || denials.isOpen(),
    failingSince: circuit.failingSince,
    deniedSince: denials.failingSince,
    backSince: () => latest(circuit.backSince(), denials.backSince()),
    restartedAt: boots.restartedAt,
    noteBoot: boots.note,
    lastCalls: calls.lastCalls,

    sendPage(page) {
      const isText = "text" in page.content;
      const body = "text" in page.content ? JSON.stringify({ text: page.content.text }) : page.content.png;
      return call("page", page, pagePool, pages, {
        method: "PUT",
        path: pathOf(page.barcode, isText ? "segments" : placeOf(page)),
        headers: {
          ...headersOf(page, String(page.page)),
          ...(page.isFull && { refresh: "full" }),
          ...(page.cause?.trace && { traceparent: page.cause.trace }),
          "content-type": isText ? "application/json" : "image/png",
          "repr-digest": reprDigest(body),
        },
        body,
      });
    },

    sendOrder: (order) =>
      call(order.order, order, orderPool, orders, {
        method: "POST",
        path: pathOf(order.barcode, order.order),
        headers: { ...headersOf(order, order.order), "content-type": "application/json" },
        body: JSON.stringify(order.body),
      }),

    orderSwitch: (order) =>
      call("switch", { store: order.store, barcode: "" }, orderPool, orders, switchRequest(base, order)),

    async close() {
      await Promise.all([pagePool.close(), orderPool.close()]);
    },
  };
}

/** Returns the part of a picture's path after the label's barcode. */
const placeOf = ({ page, switch: id }: PageToSend): string =>
  id === undefined ? `pages/${page}` : `switches/${id}/pages/${page}`;

function switchRequest(base: string, { store, switch: id, showAt }: SwitchToOrder): Dispatcher.RequestOptions {
  const path = `${base}/switches/${id}`;
  if (showAt === undefined) return { method: "DELETE", path, headers: { store } };
  const body = JSON.stringify({ showAt: showAt.toISOString() });
  return { method: "POST", path, headers: { store, "content-type": "application/json" }, body };
}

const openPool = (
  origin: string,
  connections: number,
  timeoutMs: number,
  lookup: ReturnType<typeof createLookUp>,
): Pool =>
  new Pool(origin, {
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, lookup },
  });

/** Reads the beginning of a response. If the response is longer, closes its connection. */
async function readBeginning(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(parts).toString();
}
