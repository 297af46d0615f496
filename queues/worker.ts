import { DelayedError, type Job, UnrecoverableError, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { type Change, ChangeBatch, type Topic, type Urgency } from "../schemas/topics.ts";
import { type Check, compileCheck } from "../schemas/validate.ts";
import type { Failures } from "./failures.ts";
import { createGather } from "./gather.ts";
import { isolate } from "./isolate.ts";
import { mergeChanges } from "./merge-changes.ts";
import { priorityOf } from "./publish.ts";
import { prefixOf } from "./redis.ts";
import { type Handlers, type JobHandler, type QueueName, rowOf } from "./topology.ts";

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
  random(): number;
}

type Verdict = "done" | "later";
type Entry = { size: number; data: unknown };
type Run = (entries: readonly Entry[]) => Promise<readonly Verdict[]>;

/** What experiments asked for (design, section 11). */
const settings = {
  concurrency: 64,
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 10,
  runRetryDelay: 1_000,
  drainDelay: 5,
  removeOnComplete: { count: 100 },
  removeOnFail: { count: 1_000, age: 7 * 86_400 },
};
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
  const { redis, failures, isUnavailable, onRedisError, log, random } = dependencies;
  const { topics, jobs, batch } = rowOf(queue);
  const given: Record<string, unknown> = handlers;
  assertComplete(queue, [...topics, ...Object.keys(jobs)], Object.keys(handlers));
  let progress = 0;

  async function handle(topic: Topic, changes: readonly Change[]) {
    const handler = given[topic] as (changes: Change[]) => Promise<void>;
    const failed = await isolate(mergeChanges(changes), handler, isUnavailable);
    if (failed.length > 0) {
      await failures.record(topic, failed);
      for (const { entry, error } of failed) log.error({ topic, key: entry.key, error }, "a key could not be handled");
    }
    return { failed: failed.map(({ entry }) => entry) };
  }

  const runTopic =
    (topic: Topic): Run =>
    async (entries) => {
      await handle(
        topic,
        entries.flatMap(({ data }) => (data as ChangeBatch).changes),
      );
      return entries.map(() => "done");
    };
  const runJob =
    (name: string): Run =>
    async (entries) => {
      const later = new Set(await (given[name] as JobHandler<unknown>)(entries.map(({ data }) => data)));
      return entries.map(({ data }) => (later.has(data) ? "later" : "done"));
    };

  const lanes = new Map<string, { check: Check; byUrgency: Record<Urgency, (entry: Entry) => Promise<Verdict>> }>();
  const addLane = (name: string, check: Check, run: Run) => {
    const gather = () => createGather<Entry, Verdict>({ run, weigh: ({ size }) => size, most: batch });
    lanes.set(name, { check, byUrgency: { interactive: gather(), bulk: gather() } });
  };
  const checkBatch = compileCheck(ChangeBatch);
  for (const topic of topics) addLane(topic, checkBatch, runTopic(topic));
  for (const [name, schema] of Object.entries(jobs)) addLane(name, compileCheck(schema), runJob(name));

  async function process(job: Job, token?: string): Promise<void> {
    const lane = lanes.get(job.name);
    if (lane === undefined) throw new UnrecoverableError(`the queue "${queue}" has no handler for "${job.name}"`);
    const [fault] = lane.check(job.data);
    if (fault) throw new UnrecoverableError(`${job.name}: ${fault.pointer || "/"} ${fault.detail}`);
    const urgency = job.priority === priorityOf.interactive ? "interactive" : "bulk";
    const verdict = await lane.byUrgency[urgency]({ size: sizeOf(job.data), data: job.data }).catch(
      (error: unknown) => {
        if (!isUnavailable(error)) throw error;
        log.warn({ job: job.name, error: (error as Error).message }, "the database cannot be reached; jobs wait");
        return "unavailable" as const;
      },
    );
    progress += 1;
    if (verdict === "done") return;
    const wait =
      verdict === "later"
        ? Math.min(FIRST_WAIT_MS * 2 ** (job.attemptsStarted - 1), LAST_WAIT_MS)
        : UNAVAILABLE_WAIT_MS;
    await job.moveToDelayed(Date.now() + wait * (1 + random() / 2), token);
    throw new DelayedError();
  }

  const worker = new Worker(queue, process, { ...settings, connection: redis, prefix: prefixOf(queue) });
  worker.on("error", onRedisError);
  worker.on("failed", (job, error) => log.error({ job: job?.name, id: job?.id, error: error.message }, "a job failed"));
  return { progress: () => progress, handle, close: () => worker.close() };
}

/** How many changes, rows or reports a job carries. */
const sizeOf = ({ changes, reports, size }: { changes?: unknown[]; reports?: unknown[]; size?: number }): number =>
  changes?.length ?? reports?.length ?? size ?? 1;

/** The compiler demands every handler; this also refuses what reaches it untyped. */
function assertComplete(queue: QueueName, expected: readonly string[], given: readonly string[]): void {
  const missing = expected.filter((name) => !given.includes(name));
  const unknown = given.filter((name) => !expected.includes(name));
  if (new Set(expected).size < expected.length) throw new Error(`the queue "${queue}" names a handler twice`);
  if (missing.length > 0) throw new Error(`the queue "${queue}" has no handler for ${missing.join(", ")}`);
  if (unknown.length > 0) throw new Error(`the queue "${queue}" does not take ${unknown.join(", ")}`);
}
