import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { MongoClient } from "mongodb";
import { containerArguments } from "../prepare/containers.mjs";
import { ensureMongoServer } from "../prepare/mongo.mjs";
import { ensureRedisServer } from "../prepare/redis.mjs";
import { guard } from "./guard.ts";
import { isFree, PortTakenError } from "./ports.ts";

/** A server process that this process started and must end. */
export interface Server {
  url: string;
  /** Description of the server in the start line. */
  description: string;
  pid(): number | undefined;
  /** Kills the server without warning, like a power cut. */
  kill(): Promise<void>;
  /** Shuts the server down cleanly, with its data stored. */
  stop(): Promise<void>;
}

const PING_TIMEOUT_MS = 3000;
/** How long a server at a configured address may take to respond, in milliseconds. */
export const pingBounds = { ms: PING_TIMEOUT_MS };
const START_TIMEOUT_MS = 180_000;
const POLL_INTERVAL_MS = 20;

/**
 * Starts Redis. With a folder, its data is stored there (append-only file); without one, only in memory. `further` are more
 * options, such as those for TLS, which make it respond at `rediss://`.
 */
export async function startRedis(port: number, folder?: string, further: readonly string[] = []): Promise<Server> {
  const { program, image } = ensureRedisServer();
  if (folder) mkdirSync(folder, { recursive: true });
  const persistence = folder
    ? ["--dir", folder, "--appendonly", "yes", "--appendfsync", "everysec"]
    : ["--appendonly", "no"];
  // A unique name that distinguishes it from another server on the port.
  const identity = `shelfwire-${randomUUID()}`;
  const isSecure = further.includes("--tls-port");
  const options = [
    ...(isSecure ? [] : ["--port", String(port)]),
    ...["--save", "", "--maxmemory-policy", "noeviction", "--syslog-ident", identity],
    ...(image ? ["--bind", "0.0.0.0", "--protected-mode", "no"] : ["--bind", "127.0.0.1"]),
    ...persistence,
    ...further,
  ];
  const container = image === undefined ? undefined : { engine: program, name: `shelfwire-redis-${port}`, image };
  const args = container
    ? containerArguments({ ...container, port, folder, command: ["redis-server", ...options] })
    : options;
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"], detached: true });
  guard(child);
  const url = `${isSecure ? "rediss" : "redis"}://127.0.0.1:${port}`;
  await waitUntil({ name: "Redis", port, child, ping: () => pingRedis(url, identity) });
  return serverOf(child, url, `Redis (${image ? `${image} with ${program}` : program})`, container);
}

/** For a stand-in that runs alongside tests. Its serial garbage collector leaves the cores to the tests. */
export const LONG_RUN_JAVA = ["-XX:+UseSerialGC"];
/** For a run of minutes. The compiler also leaves the cores to the tests, because optimised code pays off only in a long run. */
export const SHORT_RUN_JAVA = [...LONG_RUN_JAVA, "-XX:TieredStopAtLevel=1"];

/**
 * Starts a mongod or the stand-in. With a folder, its data is stored there; without one, in memory or in a temporary folder.
 * `javaOptions` are for the stand-in.
 */
export async function startMongo(
  port: number,
  dataFolder: string,
  folder?: string,
  javaOptions: readonly string[] = [],
): Promise<Server> {
  const found = await ensureMongoServer(dataFolder);
  const url = `mongodb://127.0.0.1:${port}`;
  if (folder) mkdirSync(folder, { recursive: true });
  // Without a folder, the stand-in keeps its data in memory. A mongod needs a temporary folder.
  const temporaryFolder =
    folder || found.kind === "stand-in" ? undefined : mkdtempSync(join(tmpdir(), "shelfwire-mongo-"));
  const container =
    found.kind === "mongod" && found.image
      ? { engine: found.program, name: `shelfwire-mongo-${port}`, image: found.image }
      : undefined;
  const [program, args, description] =
    found.kind === "mongod"
      ? mongodCommand(found.program, port, folder ?? temporaryFolder ?? "", container)
      : [
          found.java,
          [
            "-Xmx2g",
            ...javaOptions,
            "-cp",
            found.classPath,
            found.source,
            String(port),
            ...(folder ? [join(folder, "stand-in.mv")] : []),
          ],
          "MongoDB stand-in (mongo-java-server, for development only)",
        ];
  const child = spawn(program, args, {
    stdio: [found.kind === "stand-in" ? "pipe" : "ignore", "ignore", "inherit"],
    detached: true,
  });
  guard(child);
  if (temporaryFolder) child.once("exit", () => rmSync(temporaryFolder, { recursive: true, force: true }));
  await waitUntil({ name: "MongoDB", port, child, ping: () => pingMongo(url) });
  return serverOf(child, url, description, container);
}

/** Finds a program that runs a mongod, by itself or in a container, and its description. */
function mongodCommand(
  program: string,
  port: number,
  folder: string,
  container: (Container & { image: string }) | undefined,
): [string, string[], string] {
  const options = ["--port", String(port), "--dbpath", folder];
  if (container === undefined) return [program, [...options, "--bind_ip", "127.0.0.1"], `MongoDB (${program})`];
  const { name, image } = container;
  const command = ["mongod", ...options, "--bind_ip_all"];
  return [program, containerArguments({ name, image, port, folder, command }), `MongoDB (${image} with ${program})`];
}

/** Throws if no server responds at a configured address. The message names the setting, and never a password. */
export async function assertReachable(setting: "REDIS_URL" | "MONGODB_URL", url: string): Promise<void> {
  const { ms } = pingBounds;
  const pinged = setting === "REDIS_URL" ? pingRedis(url, undefined, ms) : pingMongo(url, ms);
  await pinged.catch((error: Error) => {
    const { host } = new URL(url);
    throw new Error(`${setting}: ${host} cannot be reached (${error.message}). Is it running?`);
  });
}

/** Pings a Redis. With the identity of a server that this process started, no other server on its port counts. */
async function pingRedis(url: string, identity?: string, timeoutMs = PING_TIMEOUT_MS): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
    ...(identity && url.startsWith("rediss:") && { tls: { rejectUnauthorized: false } }),
  });
  const failed = new Promise<never>((_, reject) => redis.once("error", reject));
  try {
    const info = await Promise.race([redis.connect().then(() => redis.info()), failed]);
    if (identity && !String(await redis.config("GET", "syslog-ident")).includes(identity))
      throw new Error("another server answers");
    if (info.includes("loading:1\r\n")) throw new Error("it reads its file");
  } finally {
    redis.disconnect();
  }
}

async function pingMongo(url: string, timeoutMs = PING_TIMEOUT_MS): Promise<void> {
  // If the limit is raised, the driver's own limit for opening a connection would be the shorter one.
  const connecting = timeoutMs > PING_TIMEOUT_MS && { connectTimeoutMS: timeoutMs };
  const client = new MongoClient(url, { serverSelectionTimeoutMS: timeoutMs, ...connecting });
  await client
    .db("admin")
    .command({ ping: 1 })
    .finally(() => client.close());
}

interface Starting {
  name: string;
  port: number;
  child: ChildProcess;
  ping(): Promise<void>;
}

async function waitUntil({ name, port, child, ping }: Starting): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const ended = child.exitCode;
    if (ended !== null) {
      if (!(await isFree(port))) throw new PortTakenError(`${name} cannot listen: port ${port} is taken`);
      throw new Error(`${name} on port ${port} exited immediately, with code ${ended}`);
    }
    try {
      await ping();
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`${name} on port ${port} does not respond: ${(error as Error).message}`);
      await setTimeout(POLL_INTERVAL_MS);
    }
  }
}

/** A container that a child process runs. The child is the engine's command, and not the server. */
interface Container {
  engine: string;
  name: string;
}

function serverOf(child: ChildProcess, url: string, description: string, container?: Container): Server {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url,
    description,
    pid: () => child.pid,
    kill: () => {
      if (container) spawn(container.engine, ["kill", container.name], { stdio: "ignore" });
      else child.kill("SIGKILL");
      return ended;
    },
    stop: () => {
      // The stand-in closes its file when its standard input ends. The other servers do so on SIGTERM.
      if (child.stdin) child.stdin.end();
      else child.kill("SIGTERM");
      return ended;
    },
  };
}
