import type { Job, Queue } from "bullmq";
import type { Db } from "mongodb";
import { readOldestUnpublished } from "../../records/outbox/outbox.ts";
import { type Topic, topics } from "../../schemas/topics.ts";

/** Maximum difference between the clocks of processes: a job's time comes from the process that enqueued it. */
const CLOCK_SKEW_MS = 10_000;
/**
 * After this time, the second check takes place even if older jobs are unfinished: a job that never ends must not block an audit.
 */
const MAX_WAIT_MS = 300_000;
const MAX_PRIORITY = 20;
const DELAYED_READ = 100;

/**
 * Whether everything that was published to a queue's partitions before `since` is processed. Until then, a stale record's key
 * may still be waiting in the queue, or in the outbox until Redis has room. A record that is stale even afterwards is stale
 * because of a fault. Outbox entries whose writes have not happened, such as those of a killed process, have made no record
 * stale. They stay for ten minutes, but nothing waits for them.
 */
export async function hasPassed(partitions: readonly Queue[], db: Db, since: Date, now: Date): Promise<boolean> {
  if (now.getTime() - since.getTime() > MAX_WAIT_MS) return true;
  const [change, ...jobs] = await Promise.all([readOldestUnpublished(db), ...partitions.map(oldestJob)]);
  return [change?.getTime(), ...jobs].every((time) => time === undefined || time > since.getTime() + CLOCK_SKEW_MS);
}

/** When the oldest unfinished job was enqueued, in milliseconds; undefined if there is none. */
async function oldestJob(queue: Queue): Promise<number | undefined> {
  const priorities = Array.from({ length: MAX_PRIORITY }, (_, index) => index + 1);
  const counts = await queue.getCountsPerPriority(priorities);
  const offsets: number[] = [];
  let before = 0;
  for (const priority of priorities) {
    const count = counts[priority] ?? 0;
    // Jobs with the same priority are in chronological order.
    if (count > 0) offsets.push(before);
    before += count;
  }
  const first = offsets.map((offset) => queue.getJobs(["prioritized"], offset, offset, true));
  const [delayed, ...found] = await Promise.all([
    queue.getJobs(["delayed"], 0, DELAYED_READ - 1, true),
    queue.getJobs(["active"]),
    queue.getJobs(["waiting"], 0, 0, true),
    ...first,
  ]);
  // A delayed chunk waits for its turn; its changes have not been published yet.
  const jobs: Job[] = [...found.flat(), ...delayed.filter(({ name }) => topics.includes(name as Topic))];
  return jobs.length === 0 ? undefined : Math.min(...jobs.map(({ timestamp }) => timestamp));
}
