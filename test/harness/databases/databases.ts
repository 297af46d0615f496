import { randomUUID } from "node:crypto";
import { MongoClient } from "mongodb";
import { readSettings } from "../../../runtime/read-settings.ts";
import { onFreePort } from "../../../scripts/start/ports.ts";
import { type Server, startMongo } from "../../../scripts/start/servers.ts";
import { PATIENT_MS } from "../patience.ts";
// Records the queries that the product sends to the database.
import { forgetCalls } from "./query-recorder.ts";
import type { TestRedis } from "./redis-pool.ts";

/**
 * The databases of one test file: its own Redis, and its own database in the run's MongoDB, which `scripts/develop/test.ts`
 * starts.
 */
export interface Databases {
  redis: Server | TestRedis;
  mongoUrl: string;
  database: string;
  stop(): Promise<void>;
}

/** A test file's own database in the run's MongoDB. */
export interface DatabasePlace {
  mongoUrl: string;
  database: string;
  /** Removes the database. */
  drop(): Promise<void>;
}

/** Names a database. Without MONGODB_URL, that is, if a file is run by itself, also starts a MongoDB. */
export async function findDatabasePlace(): Promise<DatabasePlace> {
  const { MONGODB_URL, DATA_DIR } = readSettings(["DATA_DIR"], ["MONGODB_URL"]);
  const own = MONGODB_URL ? undefined : await onFreePort((port) => startMongo(port, DATA_DIR));
  const mongoUrl = MONGODB_URL ?? own?.url ?? "";
  const database = `test-${randomUUID()}`;
  return {
    mongoUrl,
    database,
    async drop() {
      const client = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: PATIENT_MS, connectTimeoutMS: PATIENT_MS });
      await client.db(database).dropDatabase();
      await client.close();
      await own?.stop();
    },
  };
}

/** Opens the databases; `openRedis` starts another kind of Redis. */
export async function openDatabases(openRedis?: () => Promise<Server>): Promise<Databases> {
  // A thread that serves stacks opens another Redis for each, and its query recorder counts calls over the thread's whole life.
  if (openRedis === undefined) forgetCalls();
  const { mongoUrl, database, drop } = await findDatabasePlace();
  const open = openRedis ?? (await import("../threads/stack-threads.ts")).redisOfFile;
  const databases: Databases = {
    redis: await open(),
    mongoUrl,
    database,
    async stop() {
      // A test may have put another server in its place.
      const { redis } = databases;
      await ("release" in redis ? redis.release() : redis.kill());
      await drop();
    },
  };
  return databases;
}
