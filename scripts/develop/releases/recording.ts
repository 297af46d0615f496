import { readFileSync, writeFileSync } from "node:fs";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { BSON, type Db, type Document } from "mongodb";
import { prefixOf } from "../../../queues/redis.ts";
import { queueNames } from "../../../queues/topology.ts";
import { type Release, recordingFile } from "./unpack.ts";

interface RecordedJob {
  name: string;
  data: object;
  priority?: number;
}

/** What the processes of a release had stored at one moment, and their responses after they had finished. */
export interface Recording extends Release {
  /** Documents of MongoDB by collection, as relaxed extended JSON. */
  collections: Record<string, Document[]>;
  /** Waiting jobs, by queue. */
  jobs: Record<string, RecordedJob[]>;
  /** Results of requests that were cached in Redis, by key. */
  results: Record<string, Record<string, string>>;
  /** Responses to GET by path, from the moment when the release had finished these jobs. */
  answers: Record<string, unknown>;
}

const { EJSON } = BSON;
const RESULTS = "result:*";
const DELIVERIES = "delivery";

export const readRecording = (version: string): Recording => JSON.parse(readFileSync(recordingFile(version), "utf8"));

/** Writes a recording, with one document, job or response per line. */
export function writeRecording({ version, commit, ...parts }: Recording): void {
  const lines = (value: unknown): string =>
    Array.isArray(value)
      ? `[${value.map((one) => `\n    ${JSON.stringify(one)}`).join(",")}]`
      : JSON.stringify(value, undefined, 0);
  const section = (of: object) =>
    Object.entries(of)
      .map(([name, value]) => `\n  ${JSON.stringify(name)}: ${lines(value)}`)
      .join(",");
  const sections = Object.entries(parts).map(([name, of]) => `${JSON.stringify(name)}: {${section(of)}}`);
  const head = [`"version": "${version}"`, `"commit": "${commit}"`];
  writeFileSync(recordingFile(version), `{${[...head, ...sections].join(",\n")}}\n`);
}

/** Reads everything that is stored, while no process writes. */
export async function readStored(db: Db, redis: Redis): Promise<Pick<Recording, "collections" | "jobs" | "results">> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  const collections = await Promise.all(
    names.map(async (name) => {
      const documents = await db.collection(name).find().sort({ _id: 1 }).toArray();
      return [name, documents.map((document) => EJSON.serialize(document))] as const;
    }),
  );
  const jobs = await Promise.all(
    queueNames.map((name) =>
      withQueue(redis, name, async (queue) => {
        const waiting = await queue.getJobs(["waiting", "prioritized", "delayed"]);
        const recorded = waiting.map(({ name: job, data, opts: { priority } }) => ({
          name: job,
          data,
          ...(priority !== undefined && { priority }),
        }));
        return [name, recorded] as const;
      }),
    ),
  );
  const keys = (await redis.keys(RESULTS)).sort();
  const results = await Promise.all(keys.map(async (key) => [key, await redis.hgetall(key)]));
  return {
    collections: Object.fromEntries(collections.filter(([, documents]) => documents.length > 0)),
    jobs: Object.fromEntries(jobs.filter(([, waiting]) => waiting.length > 0)),
    results: Object.fromEntries(results),
  };
}

/**
 * Stores a recording in an empty database and an empty Redis. Event deliveries are as old as they were when recorded, whenever
 * this runs, because deliveries from the previous day are given up.
 */
export async function storeRecording(
  db: Db,
  redis: Redis,
  { collections, jobs, results }: Recording,
  now: Date,
): Promise<void> {
  for (const [name, recorded] of Object.entries(collections)) {
    const documents = EJSON.deserialize(recorded) as Document[];
    await db.collection(name).insertMany(name === DELIVERIES ? madeUntil(documents, now) : documents);
  }
  for (const [key, fields] of Object.entries(results)) await redis.hset(key, fields);
  for (const [name, waiting] of Object.entries(jobs))
    await withQueue(redis, name, (queue) =>
      queue.addBulk(waiting.map(({ name: job, data, priority = 0 }) => ({ name: job, data, opts: { priority } }))),
    );
}

/** Returns the documents with all dates shifted by the same interval, so that the newest date is `now`. */
function madeUntil(documents: readonly Document[], now: Date): Document[] {
  const dates = documents.flatMap((document) => Object.values(document)).filter((value) => value instanceof Date);
  const movedBy = now.getTime() - Math.max(...dates.map((date) => date.getTime()));
  const moved = (value: unknown) => (value instanceof Date ? new Date(value.getTime() + movedBy) : value);
  return documents.map((document) =>
    Object.fromEntries(Object.entries(document).map(([name, value]) => [name, moved(value)])),
  );
}

async function withQueue<T>(redis: Redis, name: string, work: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = new Queue(name, { connection: redis, prefix: prefixOf(name) });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
