import { pino } from "pino";
import { apiSettings, openApi } from "../../api/process.ts";
import type { ProcessName } from "../../queues/topology.ts";
import { openWorker, type WorkerParts, type WorkerSystem, workerSettings } from "../../queues/worker/open-worker.ts";
import { readEnvironment, type SettingName } from "../../schemas/environment.ts";
import { seedTenant } from "../../scripts/demo/seed.ts";
import { staleKeysOf } from "./stale-keys.ts";

type Build = (system: WorkerSystem, settings: never) => WorkerParts<ProcessName>;

/** What a process would be started with. */
export type ProcessEnvironment = Record<string, string>;

/** A running worker. */
export interface HostedWorker {
  /** Every stale key of the stages that audits of its queue check, with the name of the stage. */
  findStale(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens what are processes of their own in production. */
export interface Host {
  /** An API whose database has the demo tenant. */
  openApi(environment: ProcessEnvironment): Promise<{ port: number; close(): Promise<void> }>;
  openWorker(name: ProcessName, environment: ProcessEnvironment): Promise<HostedWorker>;
}

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

const logOf = ({ LOG_LEVEL = "silent" }: ProcessEnvironment) => pino({ level: LOG_LEVEL });

/** Opens them in this thread. */
export const thisThread: Host = {
  async openApi(environment) {
    const settings = readEnvironment(apiSettings, [], environment);
    await seedTenant(settings);
    return openApi({ ...settings, PORT: 0 }, logOf(environment));
  },

  async openWorker(name, environment) {
    const { names, build } = await builds[name]();
    const settings = readEnvironment([...workerSettings, ...names], [], environment);
    let findStale: HostedWorker["findStale"] = async () => [];
    const { close } = await openWorker(name, settings, logOf(environment), (system) => {
      const parts = build(system, settings as never);
      findStale = () => staleKeysOf(system.records, parts.stages);
      return parts;
    });
    return { findStale, close };
  },
};
