import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Inbox } from "../../records/outbox/inbox.ts";
import type { Records } from "../../records/records.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createProcessCounter } from "../process-counts.ts";
import { nodesOf } from "../redis.ts";
import { openBulkJobs } from "./bulk-jobs.ts";
import { openChoices } from "./choices.ts";
import { openInteractiveRows } from "./interactive-rows.ts";
import { createObservers } from "./observers.ts";
import { priorities, urgencyOfJob } from "./priority.ts";
import { createPublisher } from "./publisher.ts";
import { createBackpressure, createFill, createFullness } from "./redis-fullness.ts";
import { createFindUnread } from "./rule-readers.ts";
import { createSubscriptionMatcher } from "./subscription-matcher.ts";

interface Dependencies {
  redis: Redis;
  records: Records;
  inbox: Inbox;
  metrics: Metrics;
  now(): Date;
  clock(): number;
  onError(what: string): (error: Error) => void;
  /** QUEUE_PARTITIONS. */
  queuePartitions: number;
}

/** Opens the publisher, with the counters of its jobs and the check that Redis has room for them. */
export function openPublishing(dependencies: Dependencies) {
  const { redis, records, inbox, metrics, now, clock, onError, queuePartitions } = dependencies;
  const subscriptionMatcher = createSubscriptionMatcher(records, clock);
  const fill = createFill(() => nodesOf(redis), clock);
  const isFull = createFullness(fill);
  const countProcesses = createProcessCounter({ redis, now, clock, onError: onError("processes") });
  const bulkJobs = openBulkJobs(redis, now, countProcesses);
  const interactiveRows = openInteractiveRows({ redis, now, onError: onError("interactive rows") });
  const publisher = createPublisher({
    redis,
    queuePartitions,
    bulkJobs,
    interactiveRows,
    isFull: createBackpressure(fill, depthOf),
    observers: createObservers({ redis, matcher: subscriptionMatcher, inbox, isFull, onError: onError("observers") }),
    findUnread: createFindUnread(records),
    choices: openChoices(redis, onError("choices")),
    metrics,
    onError: onError("publisher"),
  });
  return { publisher, bulkJobs, countProcesses, interactiveRows, subscriptionMatcher, isFull };
}

/** Counts a partition's waiting jobs: all jobs, or only interactive jobs, which precede the others. */
async function depthOf(queue: Queue, urgency: Urgency): Promise<number> {
  const counts = await (urgency === "bulk"
    ? queue.getJobCounts("waiting", "prioritized", "delayed")
    : queue.getCountsPerPriority(priorities.filter((priority) => urgencyOfJob({ priority }) === urgency)));
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
