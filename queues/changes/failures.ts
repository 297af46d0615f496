import type { Db } from "mongodb";
import type { Stored } from "../../records/kind.ts";
import { type Failure, failures } from "../../records/kinds/failure.ts";
import type { Records } from "../../records/records.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import type { QueueName } from "../topology.ts";
import type { Commit } from "./commit.ts";

export interface Failures {
  /** Remembers keys that failed alone, and when to try them again. */
  record(topic: Topic, failed: readonly { entry: Change; error: Error }[]): Promise<void>;
  /** The failures of this queue that are due. */
  due(limit: number): Promise<Stored<Failure>[]>;
  /** Forgets failures whose key was handled. */
  forget(handled: readonly Stored<Failure>[]): Promise<void>;
}

const FIRST_RETRY_MS = 10_000;
const LAST_RETRY_MS = 3_600_000;

/** A key that fails is recorded and tried again with growing delay; it never holds back others (design, section 5). */
export function openFailures(
  queue: QueueName,
  dependencies: { db: Db; records: Records; commit: Commit; now(): Date },
): Failures {
  const { db, records, commit, now } = dependencies;
  return {
    async record(topic, failed) {
      const byKey = new Map(
        failed.map(({ entry, error }) => [`${entry.key}/failures/${queue}/${topic}`, { entry, error }]),
      );
      await commit.change(
        failures,
        [...byKey.keys()],
        (key, current) => {
          const one = byKey.get(key);
          return one && afterFailure(current, { queue, topic, change: one.entry, reason: one.error.message }, now());
        },
        "bulk",
      );
    },

    due: (limit) =>
      db
        .collection<Stored<Failure>>(failures.name)
        .find({ queue, retryAt: { $lte: now() } })
        .limit(limit)
        .toArray(),

    forget: (handled) =>
      records.remove(
        failures,
        handled.map(({ _id, rev }) => ({ key: _id, rev })),
      ),
  };
}

function afterFailure(
  current: Failure | undefined,
  failed: Pick<Failure, "queue" | "topic" | "change" | "reason">,
  now: Date,
): Failure {
  const attempts = (current?.attempts ?? 0) + 1;
  const wait = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
  return { ...failed, attempts, since: current?.since ?? now, retryAt: new Date(now.getTime() + wait) };
}
