import type { Topic } from "../../schemas/topics.ts";
import type { Failures } from "../changes/failures.ts";
import { behindFailure } from "./change-handler.ts";
import type { RunningWorker } from "./worker.ts";

const FAILURES_PER_PASS = 100;
/** With growing delays, these attempts take five minutes. */
const MAX_ATTEMPTS_BEHIND = 5;

/**
 * Retries failures that are due. If a key fails again, the worker records it again with a longer delay; if its record is still
 * older than announced, the retry is repeated a few times. After that, the record must have been removed and created again with
 * a smaller rev.
 */
export async function retryFailures(worker: Pick<RunningWorker, "handle">, failures: Failures): Promise<void> {
  for (const failure of await failures.take(await failures.due(FAILURES_PER_PASS))) {
    const topic = failure.topic as Topic;
    const { failed, behind } = await worker.handle(topic, [failure.change]);
    if (behind.size > 0 && failure.attempts < MAX_ATTEMPTS_BEHIND)
      await failures.record(topic, [behindFailure(failure.change)]);
    else if (failed.length === 0) await failures.forget([failure]);
  }
}
