import type { Redis } from "ioredis";
import type { CallNotice } from "../../schemas/call-notice.ts";
import { prefixOf, sendTogether } from "../redis.ts";

/** The known facts about the calls to a label server; absent fields are unknown. */
export interface LabelServerHealth {
  /** Since when a transmitter has had no answer; absent if none reports this now. */
  awaySince?: Date;
  /** Since when a transmitter's calls have been denied with 401 or 403; absent if none reports this now. */
  deniedSince?: Date;
  /** The last answer, whatever it said. */
  answeredAt?: Date;
  /** The last call that was not accepted. The detail is for the operator. Notes of earlier releases lack it and the notice. */
  failure?: { at: Date; reason: string; notice?: CallNotice; detail?: string };
}

/**
 * How label servers respond to the transmitters, as a record for other processes. A label server is identified by its
 * key; that of the installation's is empty. The record is only in Redis: if it is lost, the next call creates it again.
 */
export interface LabelServerHealthNotes {
  /** Must be called repeatedly: this record expires after some seconds. Undefined takes it away. */
  noteTrouble(trouble: Trouble, key: string, since: Date | undefined): Promise<void>;
  /** Writes the given fields, and leaves the others as this or another transmitter recorded them. */
  noteCalls(key: string, calls: Pick<LabelServerHealth, "answeredAt" | "failure">): Promise<void>;
  /** In the order of the keys. */
  read(keys: readonly string[]): Promise<LabelServerHealth[]>;
  /**
   * Since when the gateway of a store behind the broker with this key has been offline; undefined if no transmitter reports this
   * now.
   */
  readOffline(store: string, labelServer: string): Promise<Date | undefined>;
}

/** Why no picture gets through. The key of `offline` is that of a gateway. */
export type Trouble = "away" | "denies" | "offline";

/** The key of the gateway of a store behind a broker: a store may have gateways behind several. */
export const gatewayKey = (store: string, labelServer: string): string => `${store} ${labelServer}`;

const TROUBLE_TTL_SECONDS = 15;
const CALLS_TTL_SECONDS = 7 * 86_400;

export function openLabelServerHealth(redis: Redis): LabelServerHealthNotes {
  const troubleOf = (trouble: Trouble, key: string): string =>
    `${prefixOf("transmitter")}:label-server-${trouble}:${key}`;
  const callsOf = (key: string): string => `${prefixOf("transmitter")}:label-server-calls:${key}`;
  const noted = new Set<string>();
  return {
    async noteTrouble(trouble, key, since) {
      const place = troubleOf(trouble, key);
      if (since !== undefined) {
        await redis.set(place, since.getTime(), "EX", TROUBLE_TTL_SECONDS);
        noted.add(place);
      } else if (noted.delete(place)) await redis.del(place);
    },
    async noteCalls(key, { answeredAt, failure }) {
      await redis.hset(callsOf(key), {
        ...(answeredAt && { answeredAt: answeredAt.getTime() }),
        ...(failure && {
          failedAt: failure.at.getTime(),
          reason: failure.reason,
          notice: failure.notice ? JSON.stringify(failure.notice) : "",
          detail: failure.detail ?? "",
        }),
      });
      await redis.expire(callsOf(key), CALLS_TTL_SECONDS);
    },
    async readOffline(store, labelServer) {
      const since = await redis.get(troubleOf("offline", gatewayKey(store, labelServer)));
      return since === null ? undefined : new Date(Number(since));
    },
    async read(keys) {
      const answers = await sendTogether(
        redis,
        keys.flatMap((key) => [
          ["get", troubleOf("away", key)] as const,
          ["get", troubleOf("denies", key)] as const,
          ["hmget", callsOf(key), "answeredAt", "failedAt", "reason", "notice", "detail"] as const,
        ]),
      );
      return keys.map((_, index) => {
        const [away, denies] = answers.slice(3 * index) as (string | null)[];
        const [answeredAt, failedAt, reason, notice, detail] = answers[3 * index + 2] as (string | null)[];
        return {
          ...(away && { awaySince: new Date(Number(away)) }),
          ...(denies && { deniedSince: new Date(Number(denies)) }),
          ...(answeredAt && { answeredAt: new Date(Number(answeredAt)) }),
          ...(failedAt && {
            failure: {
              at: new Date(Number(failedAt)),
              reason: reason ?? "",
              ...(notice && { notice: JSON.parse(notice) as CallNotice }),
              ...(detail && { detail }),
            },
          }),
        };
      });
    },
  };
}
