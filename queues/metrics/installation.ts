import type { Redis } from "ioredis";
import type { Db } from "mongodb";
import { labelStates } from "../../records/kinds/labels.ts";
import type { OpenChunks } from "../../records/requests/open-chunks.ts";
import { urgenciesInOrder } from "../../records/requests/open-chunks.ts";
import { priorities } from "../publish/priority.ts";
import type { Publisher } from "../publish/publisher.ts";
import { nodesOf } from "../redis.ts";
import { readFullestMemory } from "../redis-memory.ts";
import { type QueueName, queueNames } from "../topology.ts";
import type { LabelsOf } from "./definitions.ts";
import { createMetrics, type Metrics, type Snapshot } from "./metrics.ts";

/** How long values are reused, no matter how often they are requested. */
const TTL_MS = 10_000;
/** Number of chunks examined to find one that is waiting; the others belong to rejected calls. */
const CHUNKS_PER_LOOK = 100;

/** Range of BullMQ's scores per priority; within a range, jobs are in order of arrival. */
const SCORES_PER_PRIORITY = 2 ** 32;

type Stage = LabelsOf<"shelfwire_oldest_waiting_seconds">["stage"];

interface Dependencies {
  db: Db;
  redis: Redis;
  openChunks: Pick<OpenChunks, "readPage">;
  publisher: Pick<Publisher, "partitions" | "countJobs">;
  now(): Date;
  clock(): number;
  onError(error: Error): void;
}

/**
 * Reads the values that belong to no process: how much work is waiting in the queues, how long work has been waiting there and
 * in MongoDB, and how full Redis is. They are read on request, since a hanging worker could not report them. A value that cannot
 * be read has no series.
 */
export function createInstallationReader(dependencies: Dependencies): () => Promise<Snapshot> {
  const { clock } = dependencies;
  let known: { snapshot: Promise<Snapshot>; readAt: number } | undefined;
  return () => {
    if (known === undefined || clock() - known.readAt >= TTL_MS)
      known = { snapshot: readInstallation(dependencies), readAt: clock() };
    return known.snapshot;
  };
}

async function readInstallation({ db, redis, openChunks, publisher, now, onError }: Dependencies): Promise<Snapshot> {
  const metrics = createMetrics();
  const noteAge = (stage: Stage, oldest: Date | number | undefined) => {
    const age = oldest === undefined ? 0 : (now().getTime() - Number(oldest)) / 1000;
    metrics.set("shelfwire_oldest_waiting_seconds", { stage }, Math.max(0, age));
  };
  const oldestIn = async (stage: Stage, collection: string, field: "since" | "sendDue") => {
    const sort =
      field === "since" && collection !== "outbox" ? ({ due: 1, since: 1 } as const) : { [field]: 1 as const };
    const filter = field === "sendDue" ? { sendDue: { $lte: now() } } : {};
    const [oldest] = await db
      .collection(collection)
      .find(filter, { projection: { [field]: 1 }, sort, limit: 1 })
      .toArray();
    noteAge(stage, oldest?.[field]);
  };
  const reads: Promise<unknown>[] = [
    ...queueNames.map(async (queue) => {
      if (redis.status === "ready") noteAge(queue, await readQueue(redis, publisher, queue, metrics));
    }),
    ...(redis.status === "ready" ? [readMemory(redis, metrics)] : []),
    readOldestChunk(openChunks).then((oldest) => noteAge("accepted rows", oldest)),
    oldestIn("unpublished changes", "outbox", "since"),
    oldestIn("events", "inbox", "since"),
    oldestIn("label reports", "report", "since"),
    oldestIn("pictures to send", labelStates.name, "sendDue"),
  ];
  const mongodbUp = db.command({ ping: 1 }).then(
    () => 1,
    () => 0,
  );
  for (const result of await Promise.allSettled(reads)) if (result.status === "rejected") onError(result.reason);
  metrics.set("shelfwire_mongodb_up", {}, await mongodbUp);
  metrics.set("shelfwire_redis_up", {}, redis.status === "ready" ? 1 : 0);
  return metrics.takeSnapshot();
}

/** Sets the number of a queue's jobs; returns when its oldest job that is neither done nor delayed was enqueued. */
async function readQueue(
  redis: Redis,
  publisher: Pick<Publisher, "partitions" | "countJobs">,
  queue: QueueName,
  { set }: Pick<Metrics, "set">,
): Promise<number | undefined> {
  const states = ["waiting", "prioritized", "active", "delayed", "failed"] as const;
  const { waiting, prioritized, ...others } = await publisher.countJobs(queue, ...states);
  for (const [state, jobs] of Object.entries({ waiting: waiting + prioritized, ...others }))
    set("shelfwire_queue_jobs", { queue, state: state as "waiting" }, jobs);
  const times = await Promise.all(
    publisher.partitions(queue).map((partition) => readOldestTimes(redis, partition.toKey(""))),
  );
  const known = times.flat();
  return known.length === 0 ? undefined : Math.min(...known);
}

/**
 * Reads when the first jobs of a partition were enqueued: the first of each priority, and the first in progress. `prefix` is
 * the prefix of the partition's keys.
 */
async function readOldestTimes(redis: Redis, prefix: string): Promise<number[]> {
  const pipeline = redis.pipeline();
  for (const priority of priorities) {
    const first = priority * SCORES_PER_PRIORITY;
    pipeline.zrange(`${prefix}prioritized`, first, `(${first + SCORES_PER_PRIORITY}`, "BYSCORE", "LIMIT", 0, 1);
  }
  pipeline.lrange(`${prefix}active`, -1, -1);
  const ids = ((await pipeline.exec()) ?? []).flatMap(([, found]) => (found as string[] | null) ?? []);
  const times = await Promise.all(ids.map((id) => redis.hget(`${prefix}${id}`, "timestamp")));
  return times.flatMap((time) => (time === null ? [] : [Number(time)]));
}

async function readMemory(redis: Redis, { set }: Pick<Metrics, "set">): Promise<void> {
  const { used, max } = await readFullestMemory(nodesOf(redis));
  set("shelfwire_redis_memory_used_bytes", {}, used);
  set("shelfwire_redis_memory_max_bytes", {}, max);
}

async function readOldestChunk(openChunks: Pick<OpenChunks, "readPage">): Promise<Date | undefined> {
  const pages = await Promise.all(
    urgenciesInOrder.map((urgency) => openChunks.readPage(urgency, undefined, CHUNKS_PER_LOOK)),
  );
  return pages
    .flatMap(({ chunks }) => chunks.map(({ drawnAt }) => drawnAt))
    .reduce<Date | undefined>((oldest, at) => (oldest === undefined || at < oldest ? at : oldest), undefined);
}
