import { Redis } from "ioredis";
import { openProxy } from "../../../../scripts/develop/proxy/database-proxy.ts";
import { freePort, onFreePort } from "../../../../scripts/start/ports.ts";
import { startRedis } from "../../../../scripts/start/servers.ts";
import { findDatabasePlace } from "../../../harness/databases/databases.ts";
import { eventually } from "../../../harness/eventually.ts";
import { type OwnProcess, startProcess } from "../../../harness/processes/own-process.ts";
import { type Ended, folder, run } from "./installed.ts";

const FULL = { ok: 0, code: 14_031, errmsg: "available disk space of 1 byte is less than required" };
const writes: ReadonlySet<string> = new Set(["insert", "update", "findAndModify", "createIndexes", "create"]);

const NO_HOST = "no-such-host.invalid";
/** A database that is only read, so it is never created. */
const EMPTY_DATABASE = "test-misnamed";

/** What a command says if a database does not respond within six seconds, which a busy machine may cause. */
export const saysAway = /(MONGODB_URL|REDIS_\w+): .+ cannot be reached: /;

/** What a test needs during a database failure. */
export interface Failing {
  origin: string;
  web: OwnProcess;
  /** Command settings that differ from the installation's. */
  more: Record<string, string>;
  /** Ends the failure. */
  restore(): unknown;
}

/** The production install with its own processes, and databases that can fail. */
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** Opens the installation on empty databases. */
export async function openInstallation() {
  const place = await findDatabasePlace();
  const server = await onFreePort((port) => startRedis(port));
  const mongo = await openProxy(place.mongoUrl);
  const redis = await openProxy(server.url);
  const [web, labels] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${web}`;
  const settings: Record<string, string> = {
    NODE_ENV: "production",
    REDIS_URL: redis.url,
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: place.database,
    PORT: String(web),
    JWT_SECRET: "hush".repeat(8),
    LABEL_SERVER_SECRET: "hush".repeat(4),
    LABEL_SERVER_URL: `http://127.0.0.1:${labels}`,
    EMULATOR_PORT: String(labels),
    EMULATOR_REPORTS_TO: origin,
    METRICS_TOKEN: "hush".repeat(4),
    SWEEP_EVERY: "1",
  };
  const ends: (() => unknown)[] = [];
  const start = (entry: string | readonly string[], more: Record<string, string> = {}): OwnProcess =>
    startProcess({ teardown: (end) => ends.push(end) }, entry, { ...settings, ...more }, folder);
  start("scripts/label-server/process.ts");
  const all = start("scripts/operate/all.ts");
  await eventually("it is ready", async () => (await fetch(`${origin}/healthz`)).ok);

  async function setFull(isFull: boolean): Promise<void> {
    const client = new Redis(server.url);
    await client.config("SET", "maxmemory", isFull ? "1mb" : "0");
    client.disconnect();
  }

  /** Starts a web process with an invalid setting, next to the other processes. */
  async function startWith(wrong: Record<string, string>): Promise<Failing> {
    const port = await freePort();
    const more = { ...wrong, PORT: String(port) };
    const web = start("api/process.ts", more);
    const address = `http://127.0.0.1:${port}`;
    await eventually("it answers", async () => (await fetch(`${address}/healthz`)).ok);
    return { origin: address, web, more, restore: async () => void (await web.terminate()) };
  }
  const right = { origin, web: all, more: {} };

  const command = (name: string, args: readonly string[] = [], more: Record<string, string> = {}): Promise<Ended> =>
    run(process.execPath, ["scripts/shelfwire.mjs", name, ...args], { ...settings, ...more });

  return {
    origin,
    labels: `http://127.0.0.1:${labels}`,
    all,
    start,
    /** Makes a database fail, or starts a web process with a wrong setting. */
    failures: {
      async mongoAway() {
        mongo.cut();
        return { ...right, restore: () => mongo.restore() };
      },
      async mongoFull() {
        const matches = ({ name }: { name: string }) => writes.has(name);
        mongo.answer({ matches, document: FULL, times: Number.POSITIVE_INFINITY });
        return { ...right, restore: () => mongo.answerNothing() };
      },
      async redisAway() {
        redis.cut();
        return { ...right, restore: () => redis.restore() };
      },
      async redisFull() {
        await setFull(true);
        return { ...right, restore: () => setFull(false) };
      },
      mongoMisnamed: () => startWith({ MONGODB_URL: `mongodb://me:hush@${NO_HOST}` }),
      redisMisnamed: () => startWith({ REDIS_URL: `redis://me:hush@${NO_HOST}` }),
      databaseMisnamed: () => startWith({ MONGODB_DATABASE: EMPTY_DATABASE }),
    },
    /** Runs a command as an operator does, through the command line. */
    command,
    /** Like `command`, but repeated until its databases respond in time. */
    reachingCommand: (name: string, args: readonly string[] = []): Promise<Ended> =>
      eventually(`${name} reaches its databases`, async () => {
        const ended = await command(name, args);
        if (ended.code !== 0 && saysAway.test(ended.err)) throw new Error(ended.err);
        return ended;
      }),
    async close() {
      for (const end of ends) end();
      await mongo.close();
      await redis.close();
      await server.kill();
      await place.drop();
    },
  };
}
