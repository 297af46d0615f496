import { randomUUID } from "node:crypto";
import type { BulkJobOptions, Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Cause } from "../../schemas/cause.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import { ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Change, Topic } from "../../schemas/topics.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { partitionOfJobs, type QueuePartition } from "../queue-partitions.ts";
import { keepsOrder } from "../redis.ts";
import { type QueueName, rowOf, subscribers } from "../topology.ts";
import type { BulkJobs } from "./bulk-jobs.ts";
import type { Choices } from "./choices.ts";
import type { InteractiveRows } from "./interactive-rows.ts";
import { jobRetries } from "./job-options.ts";
import type { Observers } from "./observers.ts";
import { openPartitionedQueues, type PartitionedQueues } from "./partitioned-queues.ts";
import { priorityOfJob, type Ranked } from "./priority.ts";
import type { FindUnread } from "./rule-readers.ts";

export interface JobToAdd extends Ranked {
  name: string;
  data: object;
  /** The job's cause, if its data does not contain one. */
  cause?: Cause | undefined;
  /** BullMQ ignores a job if an existing job in the queue has the same id. */
  id?: string;
}

/** Records whose changes require no work from one of the subscribed queues, because that queue's result is already written. */
export interface Settled {
  queue: QueueName;
  keys: ReadonlySet<string>;
}

export interface Publisher extends PartitionedQueues {
  /**
   * Publishes changes to all subscribed queues except the settled one, and to observers. Returns false if any of these did not
   * accept the changes, which must then be published again.
   */
  publish(topic: Topic, changes: readonly Change[], settled?: Settled): Promise<boolean>;
  /** Reports changed labels to the tails of labels. Best effort. */
  streamLabels(keys: readonly string[]): void;
  /** Adds jobs to a queue's partitions. Returns false if Redis did not accept all of them; they must then be added again. */
  enqueue(queue: QueueName, jobs: readonly JobToAdd[]): Promise<boolean>;
  /** Whether Redis is currently reachable. */
  isReady(): boolean;
}

const CHANGES_PER_JOB = 1000;

interface Dependencies {
  redis: Redis;
  /** QUEUE_PARTITIONS. */
  queuePartitions: number;
  /** Whether Redis is so full that work of this urgency must wait in the database. */
  isFull(queue: Queue, urgency: Urgency): Promise<boolean>;
  bulkJobs: Pick<BulkJobs, "enter" | "leave">;
  interactiveRows: Pick<InteractiveRows, "enter" | "leave">;
  observers: Observers;
  /** Finds the changes that no rule reads, which the evaluator does not need. */
  findUnread: FindUnread;
  choices: Pick<Choices, "noteUnread">;
  metrics: Pick<Metrics, "count">;
  /** Called if Redis did not accept jobs, or MongoDB did not store the changes for observers. */
  onError(error: Error): void;
}

/**
 * The only way to publish changes and to enqueue jobs. While Redis is unavailable, the publisher returns false instead of
 * throwing, and the sweep publishes again (docs/architecture/guarantees.md#every-change-is-published).
 */
export function createPublisher(dependencies: Dependencies): Publisher {
  const {
    redis,
    queuePartitions,
    isFull,
    bulkJobs,
    interactiveRows,
    observers,
    findUnread,
    choices,
    metrics,
    onError,
  } = dependencies;
  const queues = openPartitionedQueues(redis, queuePartitions, onError);
  // A BullMQ queue's first command waits for Redis without a time limit, so every caller checks this first.
  const isReady = () => redis.status === "ready";

  async function enqueue(name: QueueName, jobs: readonly JobToAdd[]): Promise<boolean> {
    if (jobs.length === 0) return true;
    if (!isReady()) return false;
    const byPartition = Map.groupBy(jobs, ({ data }) => queues.queue(name, ownerOfJob(data)));
    const added = [...byPartition].map(([queue, group]) => addJobs(name, queue, group));
    return (await Promise.all(added)).every(Boolean);
  }

  async function addJobs(name: QueueName, queue: Queue, jobs: readonly JobToAdd[]): Promise<boolean> {
    // An id of our own, since a job is counted before BullMQ could assign one.
    const counted = jobs.map((job) => ({ ...job, queue: name, id: job.id ?? randomUUID() }));
    try {
      const isInteractive = jobs.every(({ urgency, isAwaited }) => urgency === "interactive" || isAwaited);
      if (await isFull(queue, isInteractive ? "interactive" : "bulk")) return false;
      // Sent over one connection in this order, without waiting in between; in a cluster, one after another.
      const entered = Promise.all([bulkJobs.enter(counted), interactiveRows.enter(counted)]);
      if (!keepsOrder(redis)) await entered;
      await Promise.all([
        entered,
        queue.addBulk(
          counted.map(({ name: called, data, id, cause, ...ranked }) => ({
            name: called,
            data,
            opts: {
              ...jobRetries,
              ...telemetryOf(cause ?? newestCause(data)),
              priority: priorityOfJob(ranked),
              jobId: id,
            },
          })),
        ),
      ]);
      return true;
    } catch (error) {
      onError(error as Error);
      await Promise.all([bulkJobs.leave(counted), interactiveRows.leave(counted)]).catch(onError);
      return false;
    }
  }

  /**
   * Records which changes no rule reads, before their pictures can reach labels. Otherwise, these pictures would wait for
   * the rules.
   */
  async function noteUnread(changes: readonly Change[]): Promise<ReadonlySet<Change>> {
    const unread = await findUnread(changes).catch((error: Error): ReadonlySet<Change> => {
      onError(error);
      return new Set();
    });
    const spans = [...unread].map(({ key, formerRev = 0, rev }) => [key, { from: formerRev, to: rev }] as const);
    if (spans.length > 0) await choices.noteUnread(new Map(spans));
    return unread;
  }

  return {
    enqueue,
    isReady,

    async publish(topic, changes, settled) {
      const unread = isReady() ? await noteUnread(changes) : new Set<Change>();
      const jobs = Map.groupBy(
        changes.flatMap((change) =>
          subscribers(topic, change)
            .filter((queue) => !rowOf(queue).observes && !(queue === "evaluator" && unread.has(change)))
            .filter((queue) => !(queue === settled?.queue && settled.keys.has(change.key)))
            .map((queue) => ({ queue, change })),
        ),
        ({ queue }) => queue,
      );
      const enqueued = [...jobs].map(([queue, entries]) =>
        enqueue(
          queue,
          batchesOf(
            entries.map(({ change }) => change),
            (owner) => partitionOfJobs(queue, owner, queuePartitions),
          ).map((batch) => ({
            name: topic,
            data: { changes: batch },
            urgency: batch[0]?.urgency ?? "bulk",
          })),
        ),
      );
      if (!(await Promise.all(enqueued)).every(Boolean)) return false;
      metrics.count("shelfwire_changes_published_total", { topic }, changes.length);
      // Observers come last, so that retries while Redis is unreachable do not notify them each time.
      return observers.notify(topic, changes).then(
        () => true,
        (error: Error) => {
          onError(error);
          return false;
        },
      );
    },

    streamLabels: observers.streamLabels,
    ...queues,
  };
}

/** Returns the trace that contains a job's span (queues/tracing/export-spans.ts); a job without a traced cause has no span. */
const telemetryOf = (cause: Cause | undefined): Pick<BulkJobOptions, "telemetry"> =>
  cause?.trace === undefined ? {} : { telemetry: { metadata: JSON.stringify({ traceparent: cause.trace }) } };

const newestCause = ({ changes = [] }: { changes?: readonly Change[] }): Cause | undefined =>
  changes.reduce<Change | undefined>(
    (newest, change) => (change.rev >= (newest?.rev ?? 0) ? change : newest),
    undefined,
  )?.cause;

/** Splits changes into batches of at most CHANGES_PER_JOB changes of the same urgency, tenant and partition. */
function batchesOf(changes: readonly Change[], placeOf: (owner: string) => QueuePartition): Change[][] {
  const groups = Map.groupBy(changes, ({ urgency, key }) => `${urgency} ${tenantOf(key)} ${placeOf(ownerOf(key))}`);
  return [...groups.values()].flatMap((group) => inBatches(group, CHANGES_PER_JOB));
}

/**
 * Returns the store or tenant of a job's changes, or the store that the job names; empty if there is none. A job with invalid
 * data is still accepted: its worker reports the fault.
 */
function ownerOfJob({ changes = [], store = "" }: { changes?: readonly Partial<Change>[]; store?: string }): string {
  const key = changes[0]?.key;
  return typeof key === "string" ? ownerOf(key) : store;
}
