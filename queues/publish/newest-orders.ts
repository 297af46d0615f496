import type { Redis } from "ioredis";
import type { LabelOrder } from "../../schemas/jobs.ts";
import { labelKey } from "../../schemas/keys.ts";
import { prefixOf } from "../redis.ts";

type Addressed = Pick<LabelOrder, "store" | "barcode" | "number">;

/** Which order of a kind is a label's newest: an older one that still waits is not carried out. */
export interface NewestOrders {
  /** A number for orders that are asked for now, larger than any before. Throws while Redis is away. */
  draw(): Promise<number>;
  /** Notes orders that were queued. */
  note(kind: string, orders: readonly Addressed[]): Promise<void>;
  isNewest(kind: string, order: Addressed): Promise<boolean>;
}

/** Longer than any order waits. */
const KEPT_SECONDS = 3600;

/**
 * The number is Redis's own clock in microseconds: one clock for every process, which goes on where a counter would
 * begin anew after a flush.
 */
export function openNewestOrders(redis: Redis, onError: (error: Error) => void): NewestOrders {
  const keyOf = (kind: string, { store, barcode }: Addressed) =>
    `${prefixOf("flash")}:newest:${kind}:${labelKey(store, barcode)}`;
  return {
    async draw() {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * 1_000_000 + Number(microseconds);
    },

    async note(kind, orders) {
      const pipeline = redis.pipeline();
      for (const order of orders) pipeline.set(keyOf(kind, order), order.number, "EX", KEPT_SECONDS);
      const answers = await pipeline.exec().catch((error: Error) => [[error, null] as const]);
      const [failed] = (answers ?? []).flatMap(([error]) => error ?? []);
      if (failed) onError(failed);
    },

    async isNewest(kind, order) {
      try {
        return Number(await redis.get(keyOf(kind, order))) <= order.number;
      } catch (error) {
        // Redis does not say that there is a newer one.
        onError(error as Error);
        return true;
      }
    },
  };
}
