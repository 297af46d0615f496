import type { Logger } from "pino";
import { openApi } from "../../api/process.ts";
import { apiSettings } from "../../api/settings.ts";
import type { ProcessName } from "../../queues/topology.ts";
import { openWorker, workerSettings } from "../../queues/worker/open-worker.ts";
import { openLog } from "../../runtime/log.ts";
import { readEnvironment } from "../../schemas/environment.ts";
import { seedTenant } from "../../scripts/demo/seed.ts";
import { workerBuilds } from "../../scripts/operate/worker-builds.ts";
import { staleKeysOf } from "./stale-keys.ts";
import type { Drawn, DrawOrder } from "./truth/redraw.ts";

/** The environment that a process would be started with. */
export type ProcessEnvironment = Record<string, string>;

/** A running worker. */
export interface HostedWorker {
  /** Every stale key of the stages that audits of its queue check, with the name of the stage. */
  findStale(): Promise<string[]>;
  /** The correct pictures of labels, drawn from the present records in a thread that also draws for other files. */
  redraw(orders: readonly DrawOrder[]): Promise<(Drawn | undefined)[]>;
  close(): Promise<void>;
}

/** Opens the parts that are separate processes in production. */
export interface Host {
  /** An API whose database has the demo tenant; `patienceMs` as for the product's `openApi`. */
  openApi(environment: ProcessEnvironment, patienceMs?: number): Promise<{ port: number; close(): Promise<void> }>;
  openWorker(name: ProcessName, environment: ProcessEnvironment): Promise<HostedWorker>;
}

/** How workers in a thread of tests differ from those of processes. */
interface HostOptions {
  /** None of their work at intervals begins. */
  isIdle?: true;
  /**
   * A worker whose watchdog ends it is started again, as the platform does. Else it is left alone: a thread that serves other
   * files may stand still for as long as a watchdog waits.
   */
  isRestarted?: true;
}

/** Opens them in this thread, each with a log of its own. */
export const hostWith = (
  logOf: (name: string, environment: ProcessEnvironment) => Logger,
  { isIdle, isRestarted }: HostOptions = {},
): Host => ({
  async openApi(environment, patienceMs) {
    const settings = readEnvironment(apiSettings, [], environment);
    await seedTenant(settings);
    return openApi({ ...settings, PORT: 0 }, logOf("web", environment), patienceMs);
  },

  async openWorker(name, environment) {
    const { names, build } = await workerBuilds[name]();
    const settings = readEnvironment([...workerSettings, ...names], [], environment);
    let findStale: HostedWorker["findStale"] = async () => [];
    let redraw: HostedWorker["redraw"] = async () => [];
    const start = () =>
      openWorker(name, settings, logOf(name, environment), (system) => {
        const parts = build(system, settings);
        findStale = () => staleKeysOf(system.records, parts.stages);
        redraw = async (orders) => (await import("./truth/redraw.ts")).redraw(system, orders);
        return { ...parts, end: () => isRestarted && restart(), ...(isIdle && { timers: [] }) };
      });
    let running = start();
    await running;
    const restart = () => {
      const ended = running;
      running = ended.then(async ({ close }) => {
        // As a process that exits, it waits for nothing.
        const closed = close();
        const started = await start();
        return { close: async () => void (await Promise.all([closed, started.close()])) };
      });
    };
    return {
      findStale: () => findStale(),
      redraw: (orders) => redraw(orders),
      close: async () => (await running).close(),
    };
  },
});

/** Opens them in this thread. */
export const thisThread = hostWith((name, { LOG_LEVEL = "silent" }) => openLog(name, LOG_LEVEL));
