import type { Redis } from "ioredis";
import type { CallNotice } from "../../schemas/call-notice.ts";
import { prefixOf, sendTogether } from "../redis.ts";

/** The known facts about the calls to a label server; absent fields are unknown. */
export interface LabelServerHealth {
  /** When a transmitter began to get no response; absent if no transmitter currently reports this. */
  awaySince?: Date;
  /** When a transmitter's calls began to be denied with 401 or 403; absent if no transmitter currently reports this. */
  deniedSince?: Date;
  /** The time of the last response, with any status. */
  answeredAt?: Date;
  /**
   * The last call that was not accepted. `detail` is for the operator. Records from earlier releases have neither `detail` nor
   * `notice`.
   */
  failure?: { at: Date; reason: string; notice?: CallNotice; detail?: string };
}

/**
 * How label servers respond to the transmitters, recorded for other processes. A label server is identified by its key; the key
 * of the installation's label server is empty. The records are kept only in Redis: if one is lost, the next call creates it
 * again.
 */
export interface LabelServerHealthNotes {
  /** Must be called repeatedly, since the record expires after several seconds. Undefined removes the record. */
  noteTrouble(trouble: Trouble, key: string, since: Date | undefined): Promise<void>;
  /** Writes the given fields, and leaves the other fields as this or another transmitter recorded them. */
  noteCalls(key: string, calls: Pick<LabelServerHealth, "answeredAt" | "failure">): Promise<void>;
  /** Reads the records of these label servers, in the order of the keys. */
  read(keys: readonly string[]): Promise<LabelServerHealth[]>;
  /**
   * Reads when a store's gateway behind the broker with this key went offline; undefined if no transmitter currently reports
   * this.
   */
  readOffline(store: string, labelServer: string): Promise<Date | undefined>;
}

/** Why no picture gets through. For `offline`, the key is a gateway's key. */
export type Trouble = "away" | "denies" | "offline";

/** Returns the key of a store's gateway behind a broker: a store may have gateways behind several brokers. */
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
