import { randomBytes } from "node:crypto";
import type { Db } from "mongodb";
import { EVERY_KEY } from "../../../schemas/keys.ts";
import type { FindFirst } from "../../mongodb/find-first-together.ts";
import type { Among } from "../../owners.ts";
import { counterCollection } from "../numbers.ts";

/** A mark that is this old and belongs to no request is unused: its process was killed before it journaled the request. */
const UNUSED_AFTER_MS = 600_000;

/** Finds a store that has a mark. */
export const firstMarks: FindFirst = {
  collection: "counter",
  filter: { _id: EVERY_KEY, holds: { $exists: true } },
  projection: { _id: 1 },
};

/**
 * Marks of held requests in their stores' counters. While a store has a mark, even an unchanged value takes the later stamp: a
 * held request with a smaller number may still be approved, and must lose to values confirmed in the meantime
 * (docs/decisions/requests/held-requests.md). A mark is set before the request has a number, so a process that sees later
 * numbers as settled also sees the mark.
 */
export function openHoldMarks(db: Db, now: () => Date) {
  const counters = counterCollection(db);

  async function remove(store: string, marks: readonly string[]): Promise<void> {
    await counters.updateOne({ _id: store }, { $pull: { holds: { $in: [...marks] } } });
    await counters.updateOne({ _id: store, holds: { $size: 0 } }, { $unset: { holds: "" } });
  }

  return {
    async set(store: string): Promise<string> {
      const mark = `${now().getTime()}-${randomBytes(6).toString("hex")}`;
      await counters.updateOne({ _id: store }, { $addToSet: { holds: mark }, $setOnInsert: { number: 0 } }, UPSERT);
      return mark;
    },

    remove,

    /** Removes the marks in these partitions that belong to no held request. */
    async removeUnused(partitions: readonly Among[], inUse: ReadonlySet<string>): Promise<void> {
      const before = now().getTime() - UNUSED_AFTER_MS;
      for (const among of partitions)
        for (const { _id, holds = [] } of await counters.find({ _id: among, holds: { $exists: true } }).toArray()) {
          const unused = holds.filter((mark) => !inUse.has(mark) && Number(mark.split("-")[0]) < before);
          if (unused.length > 0) await remove(_id, unused);
        }
    },
  };
}
export type HoldMarks = ReturnType<typeof openHoldMarks>;

const UPSERT = { upsert: true } as const;
