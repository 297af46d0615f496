import type { Redis } from "ioredis";
import type { LabelOrder } from "../../schemas/jobs.ts";
import { labelKey } from "../../schemas/keys.ts";
import { prefixOf, sendTogether } from "../redis.ts";

type Addressed = Pick<LabelOrder, "store" | "barcode" | "number">;
type Noted = Addressed & { body: { duration?: number } };

/** The newest order of each kind for each label: an older order that is still in the queue is not carried out. */
export interface NewestOrders {
  /** Reserves a number for new orders, larger than any before. Throws while Redis is unreachable. */
  draw(): Promise<number>;
  /** Records the numbers of enqueued orders, in any sequence; a label keeps its largest number. */
  note(kind: string, orders: readonly Noted[]): Promise<void>;
  /** False if a newer order of the label is recorded. */
  isNewest(kind: string, order: Addressed): Promise<boolean>;
  /** Barcodes of a store's labels that may be flashing. Throws while Redis is unreachable. */
  flashing(store: string): Promise<string[]>;
}

/** Longer than any order can wait in the queue. */
const NOTE_TTL_SECONDS = 3600;
/** An order may wait this long, or as long as its flash would last if that is longer. */
const MIN_WAIT_SECONDS = 30;
const MICROSECONDS = 1_000_000;

/**
 * Reads Redis's clock with a script, which runs on the node that has the key, so that all processes use the same node of a
 * cluster.
 */
const TIME = "return redis.call('TIME')";

/** Records a label's number unless a larger one is recorded. Both are below 2^53, which a script represents exactly. */
const NOTE_LARGER = `
if tonumber(redis.call('GET', KEYS[1]) or 0) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
end`;

/**
 * An order's number is the time on Redis's clock, in microseconds. All processes share this clock, and it keeps
 * increasing after a flush; a counter would restart at 0.
 */
export function openNewestOrders(redis: Redis, onError: (error: Error) => void): NewestOrders {
  const keyOf = (kind: string, { store, barcode }: Addressed) =>
    `${prefixOf("flash")}:newest:${kind}:${labelKey(store, barcode)}`;
  const flashingKey = (store: string) => `${prefixOf("flash")}:flashing:${store}`;

  async function draw(): Promise<number> {
    const [seconds, microseconds] = (await redis.eval(TIME, 1, `${prefixOf("flash")}:newest`)) as [string, string];
    return Number(seconds) * MICROSECONDS + Number(microseconds);
  }

  /** Returns the time by which the flash of an order has ended, no matter how long the order waits. */
  const endOf = ({ number, body: { duration = 0 } }: Noted) =>
    number + (duration + Math.max(duration, MIN_WAIT_SECONDS)) * MICROSECONDS;

  /** Returns the commands that record which labels flash, and remove those whose flash has ended. */
  function flashes(orders: readonly Noted[]) {
    return [...Map.groupBy(orders, ({ store }) => store)].flatMap(([store, ofStore]) => {
      const key = flashingKey(store);
      const now = Math.max(...ofStore.map(({ number }) => number));
      const notes = ofStore.map((order) =>
        order.body.duration === 0
          ? (["zrem", key, order.barcode] as const)
          : (["zadd", key, endOf(order), order.barcode] as const),
      );
      return [...notes, ["zremrangebyscore", key, "-inf", now] as const, ["expire", key, NOTE_TTL_SECONDS] as const];
    });
  }

  return {
    draw,

    async note(kind, orders) {
      const notes = orders.map(
        (order) => ["eval", NOTE_LARGER, 1, keyOf(kind, order), order.number, NOTE_TTL_SECONDS] as const,
      );
      await sendTogether(redis, [...notes, ...(kind === "flash" ? flashes(orders) : [])]).catch(onError);
    },

    async isNewest(kind, order) {
      try {
        return Number(await redis.get(keyOf(kind, order))) <= order.number;
      } catch (error) {
        // While Redis is unreachable, the order counts as the newest: it is carried out rather than dropped.
        onError(error as Error);
        return true;
      }
    },

    flashing: async (store) => redis.zrange(flashingKey(store), await draw(), "+inf", "BYSCORE"),
  };
}
