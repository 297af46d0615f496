import type { Redis } from "ioredis";
import { pino } from "pino";
import { openSystem, type System } from "../../queues/system.ts";
import type { QueueName } from "../../queues/topology.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { makeIndexes } from "../../records/indexes.ts";
import { type Databases, openDatabases } from "./databases/databases.ts";
import { eventually } from "./eventually.ts";
import { PATIENT_MS } from "./patience.ts";

export const RESULT_TTL = 3_600;
const NEVER = 86_400;
const silent = pino({ level: "silent" });

export interface ASystem {
  databases: Databases;
  system: System;
  close(): Promise<void>;
}

/** Opens the resources of every process on a test file's own real servers, but no sweep; tests that need a sweep start one. */
export async function openASystem(): Promise<ASystem> {
  const databases = await openDatabases();
  const settings = {
    REDIS_URL: databases.redis.url,
    MONGODB_URL: databases.mongoUrl,
    MONGODB_DATABASE: databases.database,
    QUEUE_PARTITIONS: 1,
    RESULT_TTL,
    SWEEP_EVERY: NEVER,
    LOG_LEVEL: "silent",
  } as const;
  const system = openSystem(settings, silent, PATIENT_MS, undefined, PATIENT_MS);
  system.sweeper.stop();
  await makeIndexes(system.db, await allKinds());
  await untilReady(system);
  return {
    databases,
    system,
    async close() {
      await system.close();
      await databases.stop();
    },
  };
}

/** Waits until Redis accepts commands. */
export const untilReady = ({ publisher }: Pick<System, "publisher">): Promise<unknown> =>
  eventually("Redis is reached", async () => publisher.isReady());

/** Returns every job in a queue, whatever its state. */
export const jobsOf = async ({ publisher }: Pick<System, "publisher">, queue: QueueName) =>
  (await publisher.queue(queue).getJobs()).filter((job) => job !== undefined);

/** Returns the current time plus this delay. */
export const later = (ms: number) => (): Date => new Date(Date.now() + ms);

/** Returns a connection to Redis that claims to be in this state. */
export const sayingToBe = (redis: Redis, status: Redis["status"]): Redis =>
  new Proxy(redis, { get: (target, name) => (name === "status" ? status : Reflect.get(target, name)) });
