import { join } from "node:path";
import { processNames } from "../../queues/topology.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { openDatabase } from "../../records/client.ts";
import { makeIndexes } from "../../records/indexes.ts";
import { fillItemKeys } from "../../records/upgrade/fill-item-keys.ts";
import { renameStored } from "../../records/upgrade/rename-stored.ts";
import { onFreePort } from "./ports.ts";
import { assertReachable, type Server, startMongo, startRedis } from "./servers.ts";
import { type Supervised, supervise } from "./supervise.ts";

export interface StackOptions {
  dataFolder: string;
  port: number;
  emulatorPort: number;
  /** Address on which the processes listen. If absent, this machine's own. */
  host?: string | undefined;
  /** Servers at these addresses are used. Others are started, with their data below `dataFolder` if `isKept`. */
  redisUrl?: string | undefined;
  mongoUrl?: string | undefined;
  database: string;
  isKept: boolean;
  /** Number of processes of each worker. With 0, the API accepts requests but no worker applies them. */
  workerProcesses: number;
  /** Whether the API and every worker run in one process (scripts/operate/all.ts) instead of one or more each. */
  isSingle?: boolean;
  secrets: { jwt: string; labelServer: string };
  environment?: NodeJS.ProcessEnv;
  /** Returns more variables for a process with this name. `index` counts the processes. */
  environmentOf?(name: string, index: number): NodeJS.ProcessEnv;
  log(text: string): void;
  output?(line: Buffer): void;
}

/** The running parts of Shelfwire on one machine. */
export interface Stack {
  origin: string;
  emulator: string;
  redis: { url: string; description: string; server?: Server };
  mongo: { url: string; description: string; server?: Server };
  processes: readonly Supervised[];
  /** Resolves when a process cannot run because another process listens on its port. */
  broken: Promise<Error>;
  stop(): Promise<void>;
}

/**
 * Processes that fail to start end the wait themselves. This limit is for processes that hang, and even a slow machine does
 * not reach it.
 */
const READY_TIMEOUT_MS = 300_000;
const CALL_TIMEOUT_MS = 5_000;

/** Starts the servers, creates the indexes, then starts the API, every worker and the emulated label server. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { redis, mongo } = await openServers(options);
  const processes: Supervised[] = [];
  const broken = Promise.withResolvers<Error>();
  const waiting = new AbortController();
  const stop = async () => {
    await Promise.all(processes.map((running) => running.stop()));
    await Promise.all([redis, mongo].map(({ server }) => server?.stop()));
  };
  try {
    await release(mongo.url, options.database);
    const origin = `http://127.0.0.1:${options.port}`;
    const emulator = `http://127.0.0.1:${options.emulatorPort}`;
    const environment = environmentOf(options, { redis: redis.url, mongo: mongo.url, origin, emulator });
    for (const [name, entry] of programsOf(options)) {
      const own = { ...environment, ...options.environmentOf?.(name, processes.length) };
      const onPortTaken = () => broken.resolve(new Error(`${name} cannot listen: its port is in use`));
      const { output, log } = options;
      processes.push(supervise({ name, entry, environment: own, log, onPortTaken, ...(output && { output }) }));
    }
    const addresses = [`${origin}/readyz`, `${emulator}/emulator/summary`];
    const ready = Promise.all(addresses.map((address) => waitForResponse(address, waiting.signal)));
    const error = await Promise.race([broken.promise, ready.then(() => undefined)]);
    if (error) throw error;
    return { origin, emulator, redis, mongo, processes, broken: broken.promise, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    waiting.abort();
  }
}

/** Returns the servers at the given addresses, once they respond, and starts those that have no address. */
async function openServers({ dataFolder, redisUrl, mongoUrl, isKept }: StackOptions) {
  if (redisUrl) await assertReachable("REDIS_URL", redisUrl);
  if (mongoUrl) await assertReachable("MONGODB_URL", mongoUrl);
  const redis: Stack["redis"] = redisUrl
    ? { url: redisUrl, description: "Redis of REDIS_URL" }
    : withServer(await onFreePort((free) => startRedis(free, isKept ? join(dataFolder, "redis") : undefined)));
  const mongo: Stack["mongo"] = mongoUrl
    ? { url: mongoUrl, description: "MongoDB of MONGODB_URL" }
    : withServer(
        await onFreePort((free) => startMongo(free, dataFolder, isKept ? join(dataFolder, "mongo") : undefined)),
      );
  return { redis, mongo };
}

/** Returns the environment of every process. */
const environmentOf = (
  { port, emulatorPort, host, database, secrets, isKept, dataFolder, environment }: StackOptions,
  addresses: { redis: string; mongo: string; origin: string; emulator: string },
): NodeJS.ProcessEnv => ({
  PORT: String(port),
  LISTEN_HOST: host ?? "127.0.0.1",
  REDIS_URL: addresses.redis,
  MONGODB_URL: addresses.mongo,
  MONGODB_DATABASE: database,
  JWT_SECRET: secrets.jwt,
  LABEL_SERVER_SECRET: secrets.labelServer,
  LABEL_SERVER_URL: addresses.emulator,
  EMULATOR_PORT: String(emulatorPort),
  EMULATOR_REPORTS_TO: addresses.origin,
  ...(isKept && { EMULATOR_FILE: join(dataFolder, "glass.ndjson") }),
  ...environment,
});

/** Returns the name and the entry file of each process, in the order in which they start. */
function programsOf({ isSingle, workerProcesses }: StackOptions): [name: string, entry: string][] {
  const labelServer: [string, string] = ["label-server", "scripts/label-server/process.ts"];
  if (isSingle) return [labelServer, ["all", "scripts/operate/all.ts"]];
  const workers = processNames.flatMap((name) =>
    Array.from({ length: workerProcesses }, (): [string, string] => [name, `workers/${name}/process.ts`]),
  );
  return [labelServer, ["web", "api/process.ts"], ...workers];
}

const withServer = (server: Server) => ({ url: server.url, description: server.description, server });

async function release(url: string, database: string): Promise<void> {
  const { db, close } = openDatabase(url, database, 60_000);
  try {
    await renameStored(db);
    await makeIndexes(db, await allKinds());
    await fillItemKeys(db);
  } finally {
    await close();
  }
}

/** Waits until a process responds at its address. `ended` ends the wait, because another program may be listening there. */
async function waitForResponse(url: string, ended: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!ended.aborted) {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    const isUp = await fetch(url, { signal }).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > deadline) throw new Error(`${url} does not respond`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
