import type { ProcessName } from "../../queues/topology.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import type { Environment, SettingName } from "../../schemas/environment.ts";

/** The settings that a worker's process reads, and the function that builds the worker. */
export interface WorkerBuild {
  names: readonly SettingName[];
  build(system: WorkerSystem, settings: Environment<SettingName>): WorkerParts<ProcessName>;
}
type Build = WorkerBuild["build"];

/**
 * Every worker, as its process builds it. Each is loaded when it is opened, because a third of all loaded code is for drawing.
 */
export const workerBuilds: Readonly<Record<ProcessName, () => Promise<WorkerBuild>>> = {
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
