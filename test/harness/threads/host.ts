import type { Logger } from "pino";
import { openApi } from "../../../api/process.ts";
import { apiSettings } from "../../../api/settings.ts";
import { reportProcess } from "../../../queues/metrics/report-process.ts";
import type { ProcessName } from "../../../queues/topology.ts";
import { openTracing } from "../../../queues/tracing/open-tracing.ts";
import { openShared, openWorker, type WorkerSettings, workerSettings } from "../../../queues/worker/open-worker.ts";
import { openLog } from "../../../runtime/log.ts";
import { readEnvironment } from "../../../schemas/environment.ts";
import { seedTenant } from "../../../scripts/demo/seed.ts";
import { workerBuilds } from "../../../scripts/operate/worker-builds.ts";
import { staleKeysOf } from "../audits/stale-keys.ts";
import type { Drawn, DrawOrder } from "../truth/redraw.ts";

/** The environment that a process would start with. */
export type ProcessEnvironment = Record<string, string>;

/** A running worker. */
export interface HostedWorker {
  /** Returns every stale key of the stages that audits of its queue check, with the stage's name. */
  findStale(): Promise<string[]>;
  /** Draws the correct pictures of labels from the current records, in a thread that also draws for other files. */
  redraw(orders: readonly DrawOrder[]): Promise<(Drawn | undefined)[]>;
  close(): Promise<void>;
}

/** Opens the parts that are separate processes in production. */
export interface Host {
  /** Opens an API whose database has the demo tenant; `patienceMs` is passed to the product's `openApi`. */
  openApi(environment: ProcessEnvironment, patienceMs?: number): Promise<{ port: number; close(): Promise<void> }>;
  /** Opens a worker. `isOfFirst` says that it belongs to the workers that a Shelfwire starts with, which end together. */
  openWorker(name: ProcessName, environment: ProcessEnvironment, isOfFirst?: boolean): Promise<HostedWorker>;
}

/** How workers in a test's thread differ from worker processes. */
interface HostOptions {
  /** Whether their periodic work never starts. */
  isIdle?: true;
  /**
   * Whether a watchdog restarts its worker, as a platform does. Otherwise the watchdogs have no effect, because a thread that
   * serves other files may be blocked for longer than a watchdog waits.
   */
  isRestarted?: true;
  /**
   * Whether the first workers of a Shelfwire share connections and sweeps, as under `npm run all`. Opening these for each worker
   * would account for most of a stack's cost.
   */
  areFirstTogether?: true;
}

/** Opens the parts in this thread, each with its own log. */
export const hostWith = (
  logOf: (name: string, environment: ProcessEnvironment) => Logger,
  { isIdle, isRestarted, areFirstTogether }: HostOptions = {},
): Host => ({
  async openApi(environment, patienceMs) {
    const settings = readEnvironment(apiSettings, [], environment);
    await seedTenant(settings);
    return openApi({ ...settings, PORT: 0 }, logOf("web", environment), patienceMs);
  },

  async openWorker(name, environment, isOfFirst) {
    const { names, build } = await workerBuilds[name]();
    const settings = readEnvironment([...workerSettings, ...names], [], environment);
    let findStale: HostedWorker["findStale"] = async () => [];
    let redraw: HostedWorker["redraw"] = async () => [];
    const log = logOf(name, environment);
    const joined = isOfFirst && areFirstTogether ? await sharing.join(name, settings, log) : undefined;
    const start = () =>
      openWorker(
        name,
        settings,
        log,
        (system) => {
          const parts = build(system, settings);
          findStale = () => staleKeysOf(system.records, parts.stages);
          redraw = async (orders) => (await import("../truth/redraw.ts")).redraw(system, orders);
          return { ...parts, end: () => isRestarted && restart(), ...(isIdle && { timers: [] }) };
        },
        joined?.shared,
      );
    let running = start();
    await running;
    const restart = () => {
      const ended = running;
      running = ended.then(async ({ close }) => {
        // Like a process that exits, it does not wait for anything.
        const closed = close();
        const started = await start();
        return { close: async () => void (await Promise.all([closed, started.close()])) };
      });
    };
    return {
      findStale: () => findStale(),
      redraw: (orders) => redraw(orders),
      close: async () => {
        await (await running).close();
        await joined?.leave();
      },
    };
  },
});

const sharing = createSharing();

/**
 * Opens connections and sweeps for the first worker of a database, and closes them after its last. The workers share them, but
 * each reports its own metrics.
 */
function createSharing() {
  const opened = new Map<string, { shared: Promise<ReturnType<typeof openShared>>; members: number }>();
  return {
    async join(name: ProcessName, settings: WorkerSettings, log: Logger) {
      const { MONGODB_DATABASE } = settings;
      const one = opened.get(MONGODB_DATABASE) ?? {
        shared: openTracing(settings, "all").then((tracing) => openShared(settings, log, tracing)),
        members: 0,
      };
      one.members += 1;
      opened.set(MONGODB_DATABASE, one);
      const shared = await one.shared;
      const reporter = reportProcess(shared.system, name);
      return {
        shared,
        async leave() {
          await reporter.stop();
          one.members -= 1;
          if (one.members > 0) return;
          opened.delete(MONGODB_DATABASE);
          await shared.close();
        },
      };
    },
  };
}

/** Opens the resources in this thread. */
export const thisThread = hostWith((name, { LOG_LEVEL = "silent" }) => openLog(name, LOG_LEVEL));
