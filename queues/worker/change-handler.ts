import type { Logger } from "pino";
import { OlderRecordError, readAnnounced } from "../../records/announced-revs.ts";
import { bisect } from "../../runtime/batch/bisect.ts";
import { distinctCauses, withCauses } from "../../runtime/causes.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import { mergeChanges } from "../batch/merge-changes.ts";
import type { Failures } from "../changes/failures.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type Handlers, type QueueName, rowOf } from "../topology.ts";
import type { Steps } from "../tracing/steps.ts";
import type { HandledChanges } from "./job-handlers.ts";

interface Dependencies {
  failures: Pick<Failures, "record">;
  /** Whether an error means that the database is unavailable. If so, no key counts as failed. */
  isUnavailable(error: unknown): boolean;
  metrics: Pick<Metrics, "count">;
  step: Steps["step"];
  log: Logger;
}

type RecordFailed = (topic: Topic, failed: readonly { entry: Change; error: Error }[]) => Promise<void>;

/** Records keys that failed individually, counts them, and logs each with its reason. */
export function createRecordFailed(
  queue: QueueName,
  { failures, metrics, log }: Pick<Dependencies, "failures" | "metrics" | "log">,
): RecordFailed {
  return async (topic, failed) => {
    if (failed.length === 0) return;
    await failures.record(topic, failed);
    metrics.count("shelfwire_keys_failed_total", { queue }, failed.length);
    for (const { entry, error } of failed)
      withCauses(distinctCauses([entry.cause]), () =>
        log.error({ topic, key: entry.key, error }, "a key could not be processed"),
      );
  };
}

/** Returns the failure of a change whose record was read at an older rev than announced. */
export const behindFailure = (entry: Change): { entry: Change; error: Error } => ({
  entry,
  error: new OlderRecordError(entry),
});

/** Handles changes of a topic as a batch. A key that fails individually is recorded, and does not affect other keys. */
export function createChangeHandler<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  { isUnavailable, step }: Pick<Dependencies, "isUnavailable" | "step">,
  recordFailed: RecordFailed,
): (topic: Topic, changes: readonly Change[]) => Promise<HandledChanges> {
  const given: Record<string, unknown> = handlers;
  return async (topic, changes) => {
    const handler = given[topic] as (changes: Change[]) => Promise<void>;
    const behind = new Map<string, number>();
    // Observers receive every change; a handler that derives records needs each key only once.
    const { observes } = rowOf(queue);
    const entries = observes ? [...changes] : mergeChanges(changes);
    const work = async (part: Change[]): Promise<void> => {
      if (observes) return handler(part);
      const revs = new Map(part.map(({ key, rev }) => [key, rev]));
      const deleted = new Set(part.flatMap(({ key, operation }) => (operation === "DELETED" ? [key] : [])));
      // A deleted record that is not found is not behind: its tombstone may have been removed.
      for (const [key, rev] of await readAnnounced(topic, revs, () => handler(part)))
        if (rev > 0 || !deleted.has(key)) behind.set(key, rev);
    };
    const causes = distinctCauses(changes.map(({ cause }) => cause));
    const attributes = { topic, changes: changes.length };
    const failed = await step(rowOf(queue).step ?? queue, causes, attributes, () =>
      bisect(entries, work, isUnavailable),
    );
    await recordFailed(topic, failed);
    // Failed keys are retried as failures.
    for (const { entry } of failed) behind.delete(entry.key);
    return { failed: failed.map(({ entry }) => entry), behind };
  };
}
