import { pino } from "pino";
import { apiSettings, openApi } from "../../api/process.ts";
import type { Stage } from "../../queues/changes/stage.ts";
import { openSystem } from "../../queues/system.ts";
import { type ProcessName, processNames } from "../../queues/topology.ts";
import { openWorker, type WorkerParts, type WorkerSystem, workerSettings } from "../../queues/worker/open-worker.ts";
import { allKinds } from "../../records/all-kinds.ts";
import { makeIndexes } from "../../records/indexes.ts";
import { readEnvironment, type SettingName } from "../../schemas/environment.ts";
import { seedTenant } from "../../scripts/demo/seed.ts";
import { openProxy, type StoreProxy } from "../../scripts/develop/store-proxy.ts";
import { openLabelServer } from "../../scripts/label-server/process.ts";
import { eventually } from "./eventually.ts";
import { type LabelServerFront, openFront } from "./label-server-front.ts";
import { callersOf, JWT_SECRET, LABEL_SERVER_SECRET, type Order, type Served } from "./served.ts";
import { assertNothingStale, type RunningStages } from "./stale-keys.ts";
import { openStores, type Stores } from "./stores.ts";

type Build = (system: WorkerSystem, settings: never) => WorkerParts<ProcessName>;

/** Every worker, as its process would build it. Each is loaded when it is opened: drawing alone is a third of it all. */
const builds: Record<ProcessName, () => Promise<{ names: readonly SettingName[]; build: Build }>> = {
  item: async () => {
    const { itemSettings: names, buildItemWorker: build } = await import("../../workers/item/process.ts");
    return { names, build: build as Build };
  },
  pages: async () => {
    const { pagesSettings: names, buildPages: build } = await import("../../workers/pages/process.ts");
    return { names, build: build as Build };
  },
  link: async () => {
    const { linkSettings: names, buildLinkWorker: build } = await import("../../workers/link/process.ts");
    return { names, build: build as Build };
  },
  evaluator: async () => {
    const { evaluatorSettings: names, buildEvaluator: build } = await import("../../workers/evaluator/process.ts");
    return { names, build: build as Build };
  },
  renderer: async () => {
    const { rendererSettings: names, buildRenderer: build } = await import("../../workers/renderer/process.ts");
    return { names, build: build as Build };
  },
  merger: async () => {
    const { mergerSettings: names, buildMerger: build } = await import("../../workers/merger/process.ts");
    return { names, build: build as Build };
  },
  transmitter: async () => {
    const { transmitterSettings: names, buildTransmitter: build } = await import(
      "../../workers/transmitter/process.ts"
    );
    return { names, build: build as Build };
  },
  notifier: async () => {
    const { notifierSettings: names, buildNotifier: build } = await import("../../workers/notifier/process.ts");
    return { names, build: build as Build };
  },
};

/** A running Shelfwire in this process, with the demo tenant: the API on a port of its own, workers, an emulated label server. */
export interface Shelfwire extends Served {
  stores: Stores;
  /** What a further process of it would be started with. */
  environment: NodeJS.ProcessEnv;
  /** What lies between everything and MongoDB. */
  proxy: StoreProxy | undefined;
  system: ReturnType<typeof openSystem>;
  labelServer: Awaited<ReturnType<typeof openLabelServer>>;
  front: LabelServerFront | undefined;
  /** Starts one more worker; it ends with the rest, or earlier by its own `close`. */
  openWorker(name: ProcessName): Promise<{ close(): Promise<void> }>;
  /** Waits until no running worker has anything to do; throws with the stale keys of its stages where there are any. */
  assertNothingStale(): Promise<void>;
  close(): Promise<void>;
}

export interface Options extends Order {
  /** Whether MongoDB is reached through a proxy that can fail. */
  withProxy?: true;
  /** Whether the label server is reached through something that sees every call and may answer in its place. */
  withFront?: true;
}

/** Opens one. What a process would read from its environment comes from here. */
export async function openShelfwire(options: Options = {}): Promise<Shelfwire> {
  const stores = await openStores();
  const proxy = options.withProxy && (await openProxy(stores.mongoUrl));
  const source: NodeJS.ProcessEnv = {
    REDIS_URL: stores.redis.url,
    MONGODB_URL: proxy?.url ?? stores.mongoUrl,
    MONGODB_DATABASE: stores.database,
    LOG_LEVEL: "silent",
    SWEEP_EVERY: "2",
    // Tests call as fast as they can; those of the limit set it.
    RATE_LIMIT: "0",
    TENANT_RATE_LIMIT: "0",
    ADDRESS_RATE_LIMIT: "0",
    JWT_SECRET,
    LABEL_SERVER_SECRET,
    ...options.settings,
  };
  const log = pino({ level: source.LOG_LEVEL ?? "silent" });
  const system = openSystem(readEnvironment(workerSettings, [], source), log, 20_000);
  await makeIndexes(system.db, await allKinds());
  await seedTenant(readEnvironment(workerSettings, [], source));
  const api = await openApi({ ...readEnvironment(apiSettings, [], source), PORT: 0 }, log);
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
  const running = new Set<RunningStages & { close(): Promise<void> }>();
  const openOne = async (name: ProcessName) => {
    const { names, build } = await builds[name]();
    const settings = readEnvironment([...workerSettings, ...names], [], source);
    let stages: readonly Stage[] = [];
    const worker = await openWorker(name, settings, log, (system) => {
      const parts = build(system, settings as never);
      stages = parts.stages;
      return parts;
    });
    const one = { name, stages, close: worker.close };
    running.add(one);
    return { close: async () => void (running.delete(one) && (await worker.close())) };
  };
  await Promise.all((options.workers ?? processNames).map(openOne));
  await eventually("the API has reached Redis", async () => {
    const { redis } = (await (await fetch(`${origin}/readyz`)).json()) as { redis: string };
    return redis === "ready";
  });

  return {
    ...(await callersOf(origin)),
    stores,
    environment: source,
    proxy,
    system,
    labelServer,
    front,
    openWorker: openOne,
    assertNothingStale: () => assertNothingStale(system, [...running]),
    async close() {
      await front?.close();
      await labelServer.close();
      await api.close();
      await Promise.all([...running].map((worker) => worker.close()));
      await system.close();
      await proxy?.close();
      await stores.stop();
    },
  };
}
