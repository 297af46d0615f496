import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Webhook } from "standardwebhooks";
import { Agent, request } from "undici";
import { isPublicAddress, privateHost } from "./rules/public-address.ts";

/** One call to a receiver. */
export interface Call {
  url: string;
  secret: string;
  /** The same for every try: what the receiver knows it by. */
  id: string;
  body: string;
  type: string;
}

/** What a receiver said. `gone`: it wants no more. */
export type Answer = { kind: "delivered" } | { kind: "gone" } | { kind: "failed"; reason: string };

/** For a whole call: a receiver that answers byte by byte holds up no others. */
const TIMEOUT_MS = 15_000;
const ANSWER_BYTES = 64 * 2 ** 10;

/** Calls receivers of events, signed as Standard Webhooks ask. It never throws: what failed is tried again. */
export function openReceivers(options: {
  mayBePrivate: boolean;
  now(): Date;
  /** Asks for a name's addresses; the system's own way where absent. */
  resolve?: typeof lookup;
}) {
  const agent = new Agent({
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: ANSWER_BYTES,
    // The address is judged where it is connected to: a name may lead elsewhere the second time it is asked for.
    connect: { timeout: TIMEOUT_MS, ...(!options.mayBePrivate && { lookup: publicOnly(options.resolve ?? lookup) }) },
  });

  return {
    async call({ url, secret, id, body, type }: Call): Promise<Answer> {
      const fault = options.mayBePrivate ? undefined : privateHost(url);
      if (fault !== undefined) return { kind: "failed", reason: fault };
      const timestamp = options.now();
      try {
        const answer = await request(url, {
          dispatcher: agent,
          method: "POST",
          headers: {
            "content-type": type,
            "webhook-id": id,
            "webhook-timestamp": String(Math.floor(timestamp.getTime() / 1000)),
            "webhook-signature": new Webhook(secret).sign(id, timestamp, body),
          },
          body,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await answer.body.dump();
        if (answer.statusCode >= 200 && answer.statusCode < 300) return { kind: "delivered" };
        if (answer.statusCode === 410) return { kind: "gone" };
        return { kind: "failed", reason: `the receiver answered ${answer.statusCode}` };
      } catch (error) {
        return { kind: "failed", reason: (error as Error).message || String(error) };
      }
    },
    close: () => agent.close(),
  };
}

/** Looks a name up and refuses it if any of its addresses is not public. What it gives back is connected to. */
const publicOnly =
  (resolve: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refused = addresses?.find(({ address }) => !isPublicAddress(address));
      const [first] = addresses ?? [];
      if (error) callback(error, "");
      else if (refused) callback(new Error(`${hostname} leads to ${refused.address}, which is not public`), "");
      else if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
