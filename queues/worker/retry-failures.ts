import type { Failure } from "../../records/kinds/work.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Topic } from "../../schemas/topics.ts";
import type { Failures } from "../changes/failures.ts";
import { behindFailure } from "./change-handler.ts";
import type { RunningWorker } from "./worker.ts";

const FAILURES_PER_PASS = 100;
/** Together with their growing delays, these attempts take five minutes. */
const MAX_ATTEMPTS_BEHIND = 5;

/**
 * Retries failures that are due. If a key fails again, the worker records it again with a longer delay; if its record is still
 * older than announced, the retry is repeated a few times. After that, the record must have been removed and created again with
 * a smaller rev. If the database is unavailable for a key, its retry does not count; the error is thrown after the other retries.
 */
export async function retryFailures(
  worker: Pick<RunningWorker, "handle">,
  failures: Failures,
  isUnavailable: (error: unknown) => boolean,
): Promise<void> {
  const unavailable: unknown[] = [];
  // Each failure is taken right before its retry, so that a retry that ends this process postpones no other failure.
  for (const due of await failures.due(FAILURES_PER_PASS))
    for (const failure of await failures.take([due])) {
      try {
        await retry(worker, failures, failure);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await failures.giveBack(failure);
        unavailable.push(error);
      }
    }
  if (unavailable.length > 0) throw unavailable[0];
}

async function retry(
  worker: Pick<RunningWorker, "handle">,
  failures: Failures,
  failure: Stored<Failure>,
): Promise<void> {
  const topic = failure.topic as Topic;
  const { failed, behind } = await worker.handle(topic, [failure.change]);
  if (behind.size > 0 && failure.attempts < MAX_ATTEMPTS_BEHIND)
    await failures.record(topic, [behindFailure(failure.change)]);
  else if (failed.length === 0) await failures.forget([failure]);
}
