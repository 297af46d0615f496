import { applyChunks } from "../../queues/requests/apply-chunks.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { pagesWorker } from "./index.ts";
import { createPages } from "./pages.ts";

export const pagesSettings = [] as const;

/** Builds the pages worker on real records and queues. */
export function buildPages(system: WorkerSystem): WorkerParts<"pages"> {
  const handlers = pagesWorker({
    ...createPages(system),
    applyChunks: (apply, refuse) => applyChunks(system, apply, refuse),
    isUnavailable: system.isUnavailable,
  });
  return { handlers: { pages: handlers }, stages: [] };
}

if (import.meta.main) await runWorkerProcess("pages", pagesSettings, buildPages);
