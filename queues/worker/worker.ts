import { DelayedError, type Job, UnrecoverableError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Change, Topic } from "../../schemas/topics.ts";
import { bisect } from "../batch/bisect.ts";
import { mergeChanges } from "../batch/merge-changes.ts";
import type { Failures } from "../changes/failures.ts";
import { urgencyOfJob } from "../publish/publisher.ts";
import { prefixOf } from "../redis.ts";
import { type Handlers, type QueueName, rowOf } from "../topology.ts";
import { createJobHandlers, type Verdict } from "./job-handlers.ts";

export interface RunningWorker {
  /** Jobs that this process finished or put off since it started. */
  progress(): number;
  /** Handles changes as if they had come by the queue; those that fail alone are recorded. */
  handle(topic: Topic, changes: readonly Change[]): Promise<{ failed: readonly Change[] }>;
  /** Stops taking jobs and waits for those that are running. */
  close(): Promise<void>;
}

interface Dependencies {
  redis: Redis;
  failures: Failures;
  /** Whether an error says that a store cannot be reached, so that no job is to blame. */
  isUnavailable(error: unknown): boolean;
  onRedisError(error: Error): void;
  log: Logger;
  now(): Date;
  random(): number;
}

/** What experiments asked for (design, section 11). */
const settings = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 10,
  runRetryDelay: 1_000,
  drainDelay: 5,
  removeOnComplete: { count: 100 },
  removeOnFail: { count: 1_000, age: 7 * 86_400 },
};
/** Jobs at once of a queue that gathers them: so many small ones make one batch. */
const BATCHED_JOBS_CONCURRENCY = 64;
const FIRST_WAIT_MS = 50;
const LAST_WAIT_MS = 1_000;
const UNAVAILABLE_WAIT_MS = 2_000;

/**
 * Takes the jobs of a queue, gathers them into batches, one of each handler and urgency at a time, and
 * hands them over. Refuses to start without a handler for everything that the topology sends here.
 */
export function startWorker<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  dependencies: Dependencies,
): RunningWorker {
  const { redis, isUnavailable, onRedisError, log, now, random } = dependencies;
  const handle = createChangeHandler(queue, handlers, dependencies);
  const jobHandlers = createJobHandlers(queue, handlers, handle);
  let progress = 0;

  async function process(job: Job, token?: string): Promise<void> {
    const jobHandler = jobHandlers.get(job.name);
    if (jobHandler === undefined) throw new UnrecoverableError(`the queue "${queue}" has no handler for "${job.name}"`);
    const [fault] = jobHandler.check(job.data);
    if (fault) throw new UnrecoverableError(`${job.name}: ${fault.pointer || "/"} ${fault.detail}`);
    const verdict = await jobHandler.handle(job.data, urgencyOfJob(job)).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      log.warn({ job: job.name, error: (error as Error).message }, "the database cannot be reached; jobs wait");
      return "unavailable" as const;
    });
    progress += 1;
    if (verdict === "done") return;
    const wait = waitAfter(verdict, job.attemptsStarted) * (1 + random() / 2);
    await job.moveToDelayed(now().getTime() + wait, token);
    throw new DelayedError();
  }

  const concurrency = rowOf(queue).concurrency ?? BATCHED_JOBS_CONCURRENCY;
  const worker = new Worker(queue, process, { ...settings, concurrency, connection: redis, prefix: prefixOf(queue) });
  worker.on("error", onRedisError);
  worker.on("failed", (job, error) => log.error({ job: job?.name, id: job?.id, error: error.message }, "a job failed"));
  return { progress: () => progress, handle, close: () => worker.close() };
}

/** How long a job waits before it is tried again, in milliseconds. */
function waitAfter(verdict: Verdict | "unavailable", starts: number): number {
  if (verdict === "unavailable") return UNAVAILABLE_WAIT_MS;
  return typeof verdict === "object" ? verdict.afterMs : Math.min(FIRST_WAIT_MS * 2 ** (starts - 1), LAST_WAIT_MS);
}

/** Handles changes of a topic together; a key that fails alone is recorded, and never takes others along. */
function createChangeHandler<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  { failures, isUnavailable, log }: Dependencies,
): RunningWorker["handle"] {
  const given: Record<string, unknown> = handlers;
  return async (topic, changes) => {
    const handler = given[topic] as (changes: Change[]) => Promise<void>;
    // Who observes changes is told of each; who works on records needs each key once.
    const due = rowOf(queue).observes ? [...changes] : mergeChanges(changes);
    const failed = await bisect(due, handler, isUnavailable);
    if (failed.length > 0) {
      await failures.record(topic, failed);
      for (const { entry, error } of failed) log.error({ topic, key: entry.key, error }, "a key could not be handled");
    }
    return { failed: failed.map(({ entry }) => entry) };
  };
}
