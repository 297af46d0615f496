import { type BulkJobOptions, Queue } from "bullmq";
import type { Redis } from "ioredis";
import type { Change, Topic, Urgency } from "../../schemas/topics.ts";
import { prefixOf } from "../redis.ts";
import { type QueueName, queueNames, rowOf, subscribers } from "../topology.ts";
import type { Observers } from "./observers.ts";

export interface JobToAdd {
  name: string;
  data: object;
  urgency: Urgency;
  /** It goes after those of its urgency that do not say so. */
  goesAfter?: true;
  /** Jobs of one id are one job. */
  id?: string;
}

export interface Publisher {
  /** Tells every subscribed queue, and observers, of these changes. False: not all of them were told, tell again. */
  publish(topic: Topic, changes: readonly Change[]): Promise<boolean>;
  /** Adds jobs to a queue. False: Redis did not take them all, add again. */
  enqueue(queue: QueueName, jobs: readonly JobToAdd[]): Promise<boolean>;
  /** Whether Redis can be reached at the moment. */
  isReady(): boolean;
  queue(name: QueueName): Queue;
  close(): Promise<void>;
}

/** Every job has a priority: one without would overtake all that have one. */
const priorityOf: Record<Urgency, number> = { interactive: 1, bulk: 10 };
export const urgencyOfJob = ({ priority }: { priority: number }): Urgency =>
  priority < priorityOf.bulk ? "interactive" : "bulk";

const CHANGES_PER_JOB = 1000;

/** BullMQ's own numbers on a job that fails through no fault of a key's; its keys are retried by their handler. */
const attempts: BulkJobOptions = { attempts: 5, backoff: { type: "exponential", delay: 500, jitter: 0.5 } };

interface Dependencies {
  redis: Redis;
  /** Whether Redis is so full that bulk work must wait in the database. */
  isFull(queue: QueueName): Promise<boolean>;
  observers: Observers;
  /** Called with what kept Redis from taking jobs, or the database from keeping what observers must hear of. */
  onError(error: Error): void;
}

/** The one way to tell queues of anything. It never throws for Redis: what it could not tell is told again by a sweep. */
export function createPublisher({ redis, isFull, observers, onError }: Dependencies): Publisher {
  const queues = new Map(
    queueNames.map((name) => {
      const queue = new Queue(name, { connection: redis, prefix: prefixOf(name) });
      queue.on("error", onError);
      return [name, queue] as const;
    }),
  );
  // A queue's first command waits for Redis as long as it takes; nobody here may wait.
  const isReady = () => redis.status === "ready";
  const queueOf = (name: QueueName): Queue => queues.get(name) as Queue;

  async function enqueue(name: QueueName, jobs: readonly JobToAdd[]): Promise<boolean> {
    if (jobs.length === 0) return true;
    if (!isReady()) return false;
    try {
      const urgent = jobs.every(({ urgency }) => urgency === "interactive");
      if (!urgent && (await isFull(name))) return false;
      await queueOf(name).addBulk(
        jobs.map(({ name: job, data, urgency, goesAfter, id }) => ({
          name: job,
          data,
          opts: { ...attempts, priority: priorityOf[urgency] + (goesAfter ? 1 : 0), ...(id && { jobId: id }) },
        })),
      );
      return true;
    } catch (error) {
      onError(error as Error);
      return false;
    }
  }

  return {
    enqueue,
    isReady,

    async publish(topic, changes) {
      const jobs = Map.groupBy(
        changes.flatMap((change) =>
          subscribers(topic, change.operation)
            .filter((queue) => !rowOf(queue).observes)
            .map((queue) => ({ queue, change })),
        ),
        ({ queue }) => queue,
      );
      const told = [...jobs].map(([queue, entries]) =>
        enqueue(
          queue,
          batchesOf(entries.map(({ change }) => change)).map((batch) => ({
            name: topic,
            data: { changes: batch },
            urgency: batch[0]?.urgency ?? "bulk",
          })),
        ),
      );
      if (!(await Promise.all(told)).every(Boolean)) return false;
      // Last, so that what is told again for want of Redis is not told to observers each time.
      return observers.notify(topic, changes).then(
        () => true,
        (error: Error) => {
          onError(error);
          return false;
        },
      );
    },

    queue: queueOf,

    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

/** Batches of one urgency each. */
function batchesOf(changes: readonly Change[]): Change[][] {
  return [...Map.groupBy(changes, ({ urgency }) => urgency).values()].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / CHANGES_PER_JOB) }, (_, batch) =>
      alike.slice(batch * CHANGES_PER_JOB, (batch + 1) * CHANGES_PER_JOB),
    ),
  );
}
