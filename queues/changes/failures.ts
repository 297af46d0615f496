import type { Db } from "mongodb";
import { type Failure, failures } from "../../records/kinds/work.ts";
import type { FirstTogether } from "../../records/mongodb/find-first-together.ts";
import type { Records } from "../../records/records.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import { mergeChanges } from "../batch/merge-changes.ts";
import { type QueueName, rowOf } from "../topology.ts";
import type { Commit } from "./commit.ts";

export interface Failures {
  /**
   * Stores changes that failed individually, with the time of their next retry. Handlers that derive records have one failure
   * per key, for all its merged changes. Observers have one per change, since each change is an event.
   */
  record(topic: Topic, failed: readonly { entry: Change; error: Error }[]): Promise<void>;
  /** Reads this queue's failures whose retry is due. */
  due(limit: number): Promise<Stored<Failure>[]>;
  /**
   * Takes failures for a retry and postpones their next retry. So if a change crashes each process that handles it, the delay
   * between the crashes grows. Returns the failures that no other process has taken.
   */
  take(due: readonly Stored<Failure>[]): Promise<Stored<Failure>[]>;
  /** Undoes `take` for a failure that could not be retried: it is due again soon, and this retry is not counted. */
  giveBack(taken: Stored<Failure>): Promise<void>;
  /** Removes failures whose keys were processed; a failure that was recorded again in the meantime stays. */
  forget(handled: readonly Stored<Failure>[]): Promise<void>;
}

const MIN_RETRY_MS = 10_000;
const MAX_RETRY_MS = 3_600_000;
/** An error may quote its input. Without a limit, the record might be too large to store, and its batch would fail forever. */
export const MAX_REASON_CHARACTERS = 2_000;

/**
 * Records keys that fail individually and retries them with a delay that doubles each time. A failed key never delays other
 * keys.
 */
export function openFailures(
  queue: QueueName,
  dependencies: { db: Db; firstTogether: FirstTogether; records: Records; commit: Commit; now(): Date },
): Failures {
  const { db, firstTogether, records, commit, now } = dependencies;
  return {
    async record(topic, failed) {
      const keyOf = ({ key, rev }: Change) =>
        `${key}/failures/${queue}/${topic}${rowOf(queue).observes ? `/${rev}` : ""}`;
      const byKey = Map.groupBy(failed, ({ entry }) => keyOf(entry));
      await commit.change(
        failures,
        [...byKey.keys()],
        (key, current) => {
          const own = byKey.get(key) ?? [];
          const [change] = mergeChanges([...(current ? [current.change] : []), ...own.map(({ entry }) => entry)]);
          const reason = own.at(-1)?.error.message.slice(0, MAX_REASON_CHARACTERS) ?? "";
          return change && afterFailure(current, { queue, topic, change, reason }, now());
        },
        "bulk",
      );
    },

    async due(limit) {
      const filter = { queue, retryAt: { $lte: now() } };
      const first = { collection: failures.name, filter, projection: { _id: 1 } };
      if ((await firstTogether(first)) === undefined) return [];
      return db.collection<Stored<Failure>>(failures.name).find(filter).limit(limit).toArray();
    },

    async take(due) {
      const revs = new Map(due.map(({ _id, rev }) => [_id, rev]));
      const taken = await commit.change(
        failures,
        [...revs.keys()],
        (key, current) => (current && current.rev === revs.get(key) ? afterTaking(current, now()) : undefined),
        "bulk",
      );
      return [...taken.values()];
    },

    async giveBack({ _id, rev }) {
      await commit.change(
        failures,
        [_id],
        (_, current) => (current?.rev === rev ? beforeTaking(current, now()) : undefined),
        "bulk",
      );
    },

    async forget(handled) {
      await records.remove(
        failures,
        handled.map(({ _id, rev }) => ({ key: _id, rev })),
      );
    },
  };
}

function afterFailure(
  current: Failure | undefined,
  failed: Pick<Failure, "queue" | "topic" | "change" | "reason">,
  now: Date,
): Failure {
  const attempts = (current?.attempts ?? 0) + 1;
  return { ...failed, attempts, since: current?.since ?? now, retryAt: retryAfter(attempts, now) };
}

function afterTaking(current: Failure, now: Date): Failure {
  const begun = (current.begun ?? 0) + 1;
  return { ...current, begun, retryAt: retryAfter(current.attempts + begun - 1, now) };
}

function beforeTaking({ begun = 0, ...failure }: Failure, now: Date): Failure {
  const retryAt = new Date(now.getTime() + MIN_RETRY_MS);
  return { ...failure, ...(begun > 1 && { begun: begun - 1 }), retryAt };
}

const retryAfter = (attempts: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(MIN_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS));
