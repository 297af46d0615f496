import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Webhook } from "standardwebhooks";
import { Agent, buildConnector, request } from "undici";
import { isPublicAddress, type PrivateReceivers, portOf, privateHost } from "../../domain/webhooks/public-address.ts";
import { type CallNotice, callNotice } from "../../schemas/call-notice.ts";
import { faultOfCall } from "../../schemas/fault-of-call.ts";
import { retryAfter } from "../../schemas/retry-after.ts";

/** One call to a receiver. */
export interface Call {
  url: string;
  secret: string;
  /** The receiver's idempotency key: the same for every attempt. */
  id: string;
  body: string;
  type: string;
}

/**
 * The result of a call. `gone`: the receiver no longer accepts events. Tenants read the notice, so it does not contain the
 * address to which a name resolved; `detail` is for the log. `retryAfterMs`: the wait that the receiver requested.
 */
export type Answer =
  | { kind: "delivered" }
  | { kind: "gone" }
  | { kind: "failed"; notice: CallNotice; detail?: string; retryAfterMs?: number };

/** Time limit for a whole call, in case a receiver responds byte by byte. */
const TIMEOUT_MS = 15_000;
export const MAX_ANSWER_BYTES = 64 * 2 ** 10;

const NOT_PUBLIC = "NOT_PUBLIC";

/** Calls receivers of events, with signatures according to Standard Webhooks. Never throws: a failed call is retried. */
export function openReceivers(options: {
  /** Private addresses that may nevertheless be called. */
  allowed: PrivateReceivers;
  now(): Date;
  /** Resolves a host name; by default, Node's own look-up. */
  resolve?: typeof lookup;
  /** Time limit for a whole call. */
  timeoutMs?: number;
}) {
  const { allowed, now, resolve = lookup, timeoutMs = TIMEOUT_MS } = options;
  const agent = new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: MAX_ANSWER_BYTES,
    // The address is checked when the connection is established, since a later look-up of the name may return a different
    // address.
    connect: (target, callback) => {
      const checked = checkedLookup(resolve, portOf(target), allowed);
      buildConnector({ timeout: timeoutMs, lookup: checked })(target, callback);
    },
  });

  return {
    async call(call: Call): Promise<Answer> {
      const fault = privateHost(call.url, allowed);
      if (fault !== undefined) return { kind: "failed", notice: fault };
      try {
        const { statusCode, headers, body } = await request(call.url, {
          dispatcher: agent,
          method: "POST",
          headers: signedHeaders(call, now()),
          body: call.body,
          signal: AbortSignal.timeout(timeoutMs),
        });
        await body.dump();
        return answerOf(statusCode, retryAfter(headers["retry-after"], now()));
      } catch (error) {
        return failureOf(error as Error);
      }
    },
    close: () => agent.close(),
  };
}

const signedHeaders = ({ type, id, secret, body }: Call, timestamp: Date) => ({
  "content-type": type,
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(timestamp.getTime() / 1000)),
  "webhook-signature": new Webhook(secret).sign(id, timestamp, body),
});

function answerOf(status: number, retryAfterMs: number | undefined): Answer {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 410) return { kind: "gone" };
  const notice = callNotice("RECEIVER_ANSWERED", { status });
  return { kind: "failed", notice, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function failureOf(error: Error): Answer {
  const fault = faultOfCall(error);
  const notice = fault === NOT_PUBLIC ? callNotice("RECEIVER_PRIVATE", {}) : callNotice("RECEIVER_SILENT", { fault });
  return { kind: "failed", notice, detail: error.message };
}

/**
 * Resolves a host name and rejects it if any of its addresses is neither public nor allowed. The connection then uses the
 * checked address.
 */
const checkedLookup =
  (resolve: typeof lookup, port: number, allowed: PrivateReceivers): LookupFunction =>
  (hostname, options, callback) => {
    const mayCall = (address: string) =>
      isPublicAddress(address) || allowed.hasName(hostname, port) || allowed.hasAddress(address, port);
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !mayCall(address));
      const [first] = addresses ?? [];
      if (error) callback(error, "");
      else if (refused) callback(notPublic(`${hostname} resolves to ${refused.address}, which is not public`), "");
      else if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };

const notPublic = (message: string): Error => Object.assign(new Error(message), { code: NOT_PUBLIC });
