import { pino } from "pino";
import { openSystem, type System, systemSettings } from "../../queues/system.ts";
import { type ProcessName, processNames } from "../../queues/topology.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { openDatabase } from "../../records/client.ts";
import { makeIndexes } from "../../records/indexes.ts";
import { readEnvironment } from "../../schemas/environment.ts";
import { type DatabaseProxy, type MessageWatcher, openProxy } from "../../scripts/develop/proxy/database-proxy.ts";
import { openLabelServer } from "../../scripts/label-server/process.ts";
import type { Server } from "../../scripts/start/servers.ts";
import { type AuditedWorker, assertNothingStale } from "./audits/stale-keys.ts";
import { type Databases, openDatabases } from "./databases/databases.ts";
import { eventually } from "./eventually.ts";
import { type LabelServerFront, openFront } from "./label-servers/label-server-front.ts";
import { PATIENT_MS } from "./patience.ts";
import { callersOf, JWT_SECRET, LABEL_SERVER_SECRET, type Order, type Served } from "./served.ts";
import type { Host, HostedWorker, ProcessEnvironment } from "./threads/host.ts";
import { lastRequests } from "./truth/last-requests.ts";
import { assertStatementsMatchGlass, readContradictions } from "./truth/read-statements.ts";

/** How long commands wait for a MongoDB that a test can take away. */
const OUTAGE_MS = 20_000;

/** A running Shelfwire with the demo tenant: the API on its own port, workers, an emulated label server. */
export interface Shelfwire extends Served {
  databases: Databases;
  /** The environment for another process. */
  environment: ProcessEnvironment;
  /** The proxy in front of MongoDB. */
  proxy: DatabaseProxy | undefined;
  system: ReturnType<typeof openSystem>;
  labelServer: Awaited<ReturnType<typeof openLabelServer>>;
  front: LabelServerFront | undefined;
  /** Starts another worker; it ends with the rest, or earlier if its own `close` is called. */
  openWorker(name: ProcessName): Promise<{ close(): Promise<void> }>;
  /** Waits until no running worker has anything to do; throws an error that names the stale keys of their stages, if any. */
  assertNothingStale(): Promise<void>;
  /** Waits until the API's statements about its labels match their glass; throws an error that lists any differences. */
  assertStatementsMatchGlass(): Promise<void>;
  /** Returns the API's current statements about its labels that contradict their glass. */
  readContradictions(): Promise<string[]>;
  close(): Promise<void>;
}

export interface Options extends Order {
  /** Stores initial data before anything is opened. */
  stored?: (system: System) => Promise<void>;
  /** Whether MongoDB is reached through a proxy that can fail, or pass each message to a watcher. */
  withProxy?: true | MessageWatcher;
  /** Whether a test takes MongoDB away for a while. If so, commands wait for it only briefly. */
  isTakenAway?: true;
  /** Whether callers wait for MongoDB only as long as in production: on a busy machine any call may then return 503. */
  isImpatient?: true;
  /** Starts another kind of Redis; `settings` say how to connect to it. */
  openRedis?: () => Promise<Server>;
  /** Whether the label server is reached through a proxy that sees every call and may answer in its place. */
  withFront?: true;
}

/**
 * Opens a Shelfwire, whose processes use the settings in `options`. `where` opens the API and the workers; without it, they run
 * in a warm thread that other files used before or, for tests of faults, in a thread of their own.
 */
export async function openShelfwire(options: Options = {}, where?: Host): Promise<Shelfwire> {
  const host = where ?? (await (await import("./threads/stack-threads.ts")).hostOfFile());
  const databases = await openDatabases(options.openRedis);
  const { withProxy, isImpatient, isTakenAway } = options;
  const proxy = withProxy && (await openProxy(databases.mongoUrl, withProxy === true ? undefined : withProxy));
  const source: ProcessEnvironment = {
    REDIS_URL: databases.redis.url,
    MONGODB_URL: proxy?.url ?? databases.mongoUrl,
    MONGODB_DATABASE: databases.database,
    LOG_LEVEL: "silent",
    // Often, for tests of repairs by sweeps, but not more often, because each sweep burdens all stacks open at the time.
    SWEEP_EVERY: "5",
    // Tests call as fast as they can; tests of the limit set it themselves.
    RATE_LIMIT: "0",
    TENANT_RATE_LIMIT: "0",
    ADDRESS_RATE_LIMIT: "0",
    JWT_SECRET,
    LABEL_SERVER_SECRET,
    ...options.settings,
  };
  const log = pino({ level: source.LOG_LEVEL ?? "silent" });
  const patienceMs = isTakenAway || isImpatient ? OUTAGE_MS : PATIENT_MS;
  const system = openSystem(readEnvironment(systemSettings, [], source), log, patienceMs, undefined, patienceMs);
  await options.stored?.(system);
  if (patienceMs === PATIENT_MS) await makeIndexes(system.db, await allKinds());
  else await makeIndexesPatiently(databases);
  const api = await host.openApi(source, isImpatient ? undefined : patienceMs);
  const origin = `http://127.0.0.1:${api.port}`;
  const labelServer = await openLabelServer({
    port: 0,
    secret: LABEL_SERVER_SECRET,
    reportUrl: `${origin}/label-server/v1/reports`,
    airTimeMs: 0,
  });
  const labelServerUrl = `http://127.0.0.1:${labelServer.port}`;
  const front = options.withFront && (await openFront(labelServerUrl));
  source.LABEL_SERVER_URL = front?.url ?? labelServerUrl;
  const running = new Set<AuditedWorker & HostedWorker>();
  const openOne = async (name: ProcessName, isOfFirst = false) => {
    const one = { name, ...(await host.openWorker(name, source, isOfFirst)) };
    running.add(one);
    return { close: async () => void (running.delete(one) && (await one.close())) };
  };
  await Promise.all((options.workers ?? processNames).map((name) => openOne(name, !options.areSeparate)));
  await eventually("the API has reached Redis", async () => {
    const { redis } = (await (await fetch(`${origin}/readyz`)).json()) as { redis: string };
    return redis === "ready";
  });

  const renderer = () => [...running].find(({ name }) => name === "renderer");
  const redraw: HostedWorker["redraw"] = async (orders) => (await renderer()?.redraw(orders)) ?? [];
  const truth = {
    ...{ origin, glass: labelServer.labels, redraw },
    lastRequests: (store: string) => lastRequests(system.db, store),
  };

  return {
    ...(await callersOf(origin)),
    databases,
    environment: source,
    proxy,
    system,
    labelServer,
    front,
    openWorker: (name) => openOne(name),
    assertNothingStale: () => assertNothingStale(system, [...running]),
    assertStatementsMatchGlass: () => assertStatementsMatchGlass(truth),
    readContradictions: () => readContradictions(truth),
    async close() {
      // A failed test may have left calls held.
      proxy?.restore();
      await front?.close();
      await labelServer.close();
      await api.close();
      await Promise.all([...running].map((worker) => worker.close()));
      await system.close();
      await proxy?.close();
      await databases.stop();
    },
  };
}

/** Makes the indexes with another connection than the stack's, which gives up early: nothing is unreachable yet. */
async function makeIndexesPatiently({ mongoUrl, database }: Databases): Promise<void> {
  const { db, close } = openDatabase(mongoUrl, database, PATIENT_MS);
  await makeIndexes(db, await allKinds()).finally(close);
}
