import type { Redis } from "ioredis";
import type { LabelOrder } from "../../schemas/jobs.ts";
import { labelKey } from "../../schemas/keys.ts";
import { prefixOf, sendTogether } from "../redis.ts";

type Addressed = Pick<LabelOrder, "store" | "barcode" | "number">;

/** The newest order of each kind for a label: an older order that still waits in the queue is not carried out. */
export interface NewestOrders {
  /** A number for new orders, larger than any drawn before. Throws while Redis is unreachable. */
  draw(): Promise<number>;
  /** Notes the numbers of orders after they were enqueued. */
  note(kind: string, orders: readonly Addressed[]): Promise<void>;
  /** False if a newer order of the label is recorded. */
  isNewest(kind: string, order: Addressed): Promise<boolean>;
}

/** Longer than any order waits in the queue. */
const NOTE_TTL_SECONDS = 3600;

/** A script runs where the key is: all processes use the same node of a cluster. */
const TIME = "return redis.call('TIME')";

/**
 * A number is the time of Redis's clock in microseconds: one clock for all processes, which still increases after a
 * flush, whereas a counter would restart at 0.
 */
export function openNewestOrders(redis: Redis, onError: (error: Error) => void): NewestOrders {
  const keyOf = (kind: string, { store, barcode }: Addressed) =>
    `${prefixOf("flash")}:newest:${kind}:${labelKey(store, barcode)}`;
  return {
    async draw() {
      const [seconds, microseconds] = (await redis.eval(TIME, 1, `${prefixOf("flash")}:newest`)) as [string, string];
      return Number(seconds) * 1_000_000 + Number(microseconds);
    },

    async note(kind, orders) {
      const notes = orders.map((order) => ["set", keyOf(kind, order), order.number, "EX", NOTE_TTL_SECONDS] as const);
      await sendTogether(redis, notes).catch(onError);
    },

    async isNewest(kind, order) {
      try {
        return Number(await redis.get(keyOf(kind, order))) <= order.number;
      } catch (error) {
        // While Redis is unreachable the order counts as the newest: it is carried out rather than dropped.
        onError(error as Error);
        return true;
      }
    },
  };
}
