import { type Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { type Background, createBackground } from "../../runtime/background.ts";
import { createBatcher } from "../../runtime/batch/batcher.ts";
import { withCauses } from "../../runtime/causes.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import type { Precedence } from "../batch/precedence.ts";
import type { Failures } from "../changes/failures.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { BulkJobs } from "../publish/bulk-jobs.ts";
import type { InteractiveRows } from "../publish/interactive-rows.ts";
import { endedJobs } from "../publish/job-options.ts";
import { urgencyOfJob } from "../publish/priority.ts";
import { partitionsOfQueue, type QueuePartition } from "../queue-partitions.ts";
import { ofRedis, prefixOf } from "../redis.ts";
import type { AdmitChunks } from "../requests/admit-chunks.ts";
import { type Handlers, type QueueName, rowOf } from "../topology.ts";
import type { Steps } from "../tracing/steps.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { createBulkPlaces } from "./bulk-places.ts";
import { createChangeHandler, createRecordFailed } from "./change-handler.ts";
import { createJobHandlers, type HandledChanges, type Verdict } from "./job-handlers.ts";
import { startPartitionWorkers } from "./partition-workers.ts";
import { causesOfJob, createProcessJob } from "./process-job.ts";

export interface RunningWorker {
  /** Number of a partition's jobs that this process has finished, postponed or seen fail since it started. */
  progress(partition: QueuePartition): number;
  /** Handles changes like those of the queue's jobs; changes that fail individually are recorded. */
  handle(topic: Topic, changes: readonly Change[]): Promise<HandledChanges>;
  /**
   * Stops taking jobs and returns jobs that have not begun; after `HAND_OVER_AFTER_MS`, also returns jobs in progress. Other
   * processes take these jobs immediately. Resolves when nothing is running here.
   */
  close(): Promise<void>;
}

interface Dependencies {
  redis: Redis;
  /** QUEUE_PARTITIONS. */
  queuePartitions: number;
  failures: Failures;
  bulkJobs: Pick<BulkJobs, "leave">;
  interactiveRows: Pick<InteractiveRows, "leave">;
  admitChunks: AdmitChunks;
  precedence: Precedence;
  /** Whether an error means that the database is unavailable. If so, jobs wait, and no key counts as failed. */
  isUnavailable(error: unknown): boolean;
  /** Returns what went wrong, worded for the log. */
  reasonOf(error: Error): string;
  onRedisError(error: Error): void;
  metrics: Pick<Metrics, "count">;
  step: Steps["step"];
  tracing: Pick<Tracing, "jobs">;
  log: Logger;
  now(): Date;
  random(): number;
  /** How long a closing process continues a job before it hands it over. */
  handOverAfterMs?: number;
  /** How long a job stays with a process that has stopped renewing its lock. */
  lockMs?: number;
  maxStartsBehind?: number;
}

/** BullMQ options that experiments showed to be necessary (docs/architecture/queues.md#worker-settings). */
const settings = {
  stalledInterval: 2_000,
  // A job that stalls too often ends in `process-job.ts`.
  maxStalledCount: Number.MAX_SAFE_INTEGER,
  runRetryDelay: 1_000,
  drainDelay: 5,
  ...endedJobs,
};
/**
 * Number of jobs that a queue with batches takes at the same time, and thus the maximum in a batch. Its partitions share them.
 */
const BATCHED_JOBS_CONCURRENCY = 64;
/** The minimum for each partition, no matter how many there are, since all jobs may be in one of them. */
const MIN_CONCURRENCY_OF_PARTITION = 16;
const DONE_JOBS_PER_CALL = 500;
const LOCK_MS = 5_000;
/**
 * After this time, a closing process hands over its jobs in progress, but still completes them, in parallel with the process that
 * takes them over. Every handler must tolerate a second run, which also happens after a stalled job.
 */
const HAND_OVER_AFTER_MS = 2_000;

/**
 * Takes the jobs of a queue, from all of its partitions, and calls their handlers with batches, one per handler and
 * urgency at a time. Throws if a topic or a job in the queue's row of the topology has no handler.
 */
export function startWorker<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  dependencies: Dependencies,
): RunningWorker {
  const {
    redis,
    queuePartitions,
    precedence,
    onRedisError,
    tracing,
    handOverAfterMs = HAND_OVER_AFTER_MS,
    lockMs = LOCK_MS,
  } = dependencies;
  const recordFailed = createRecordFailed(queue, dependencies);
  const handle = createChangeHandler(queue, handlers, dependencies, recordFailed);
  const closing = new AbortController();
  const handOver = Promise.withResolvers<Verdict>();
  const running = createBackground();
  const jobHandlers = createJobHandlers(queue, handlers, handle, closing.signal, precedence);
  const concurrency = concurrencyOf(queue, queuePartitions);
  const progress = new Map<QueuePartition, number>();
  const leave = createLeave(queue, running, dependencies);

  const open = (partition: QueuePartition): Worker => {
    const processJob = createProcessJob(queue, {
      ...dependencies,
      jobHandlers,
      bulkPlaces: createBulkPlaces(concurrency),
      recordFailed,
      running,
      closing: closing.signal,
      handOver: handOver.promise,
      onProgress: () => void progress.set(partition, (progress.get(partition) ?? 0) + 1),
    });
    const worker = new Worker(partition, processJob, {
      ...settings,
      lockDuration: lockMs,
      concurrency,
      connection: redis,
      prefix: prefixOf(partition),
      ...(tracing.jobs && { telemetry: tracing.jobs }),
    });
    worker.on("error", ofRedis(onRedisError));
    followJobs(worker, queue, leave, dependencies);
    return worker;
  };
  const workers = startPartitionWorkers(queue, { ...dependencies, open });
  return {
    progress: (partition) => progress.get(partition) ?? 0,
    handle,
    async close() {
      closing.abort();
      const timer = setTimeout(() => handOver.resolve("given back"), handOverAfterMs);
      await workers.close();
      clearTimeout(timer);
      await running.finished();
    },
  };
}

function concurrencyOf(queue: QueueName, queuePartitions: number): number {
  const { length } = partitionsOfQueue(queue, queuePartitions);
  return (
    rowOf(queue).concurrency ?? Math.max(MIN_CONCURRENCY_OF_PARTITION, Math.ceil(BATCHED_JOBS_CONCURRENCY / length))
  );
}

/** Counts and logs the results of jobs, and stops counting the jobs as their tenants' work. */
function followJobs(
  worker: Worker,
  queue: QueueName,
  leave: (job: Job) => void,
  { metrics, log }: Pick<Dependencies, "metrics" | "log">,
): void {
  worker.on("completed", (job) => {
    metrics.count("shelfwire_jobs_completed_total", { queue });
    leave(job);
  });
  worker.on("failed", (job, error) => {
    metrics.count("shelfwire_jobs_failed_total", { queue });
    const isFinal = job?.finishedOn !== undefined;
    withCauses(job ? causesOfJob(job) : [], () =>
      log[isFinal ? "error" : "warn"]({ job: job?.name, id: job?.id, error, isFinal }, "a job failed"),
    );
    if (isFinal) leave(job);
  });
}

type LeaveWorld = "bulkJobs" | "interactiveRows" | "admitChunks" | "onRedisError";

/** Stops counting finished jobs, and admits their tenants' next chunks. Best effort: the sweep does the same. */
function createLeave(
  queue: QueueName,
  running: Background,
  { bulkJobs, interactiveRows, admitChunks, onRedisError }: Pick<Dependencies, LeaveWorld>,
): (job: Job) => void {
  const leave = createBatcher<Job, void>({
    weigh: () => 1,
    maxWeight: DONE_JOBS_PER_CALL,
    async run(jobs) {
      const done = jobs.map((job) => ({ queue, id: job.id, urgency: urgencyOfJob(job), data: job.data }));
      const [waiting] = await Promise.all([bulkJobs.leave(done), interactiveRows.leave(done)]);
      for (const tenant of waiting) void running.add(admitChunks(tenant)).catch(onRedisError);
      return jobs.map(() => undefined);
    },
  });
  return (job) => void running.add(leave(job)).catch(onRedisError);
}
