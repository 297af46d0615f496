import { createDecoding } from "../../drawing/decoding/decoding.ts";
import { stageOf } from "../../queues/changes/stage.ts";
import { assetFileDerivation } from "../../queues/derivations/asset-file.ts";
import { applyChunks } from "../../queues/requests/apply-chunks.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openUploads } from "../../records/files/uploads.ts";
import { assets } from "../../records/kinds/designs.ts";
import { pagesWorker } from "./index.ts";
import { createPages } from "./pages.ts";

export const pagesSettings = [] as const;

/** Builds the pages worker with real records and queues. */
export function buildPages(system: WorkerSystem): WorkerParts<"pages"> {
  const { derive, db, now } = system;
  const { decodeAsset, drawPages } = createDecoding();
  const derivation = assetFileDerivation({
    uploads: openUploads(db, now),
    imageFiles: openImageFiles(db, now),
    decodeAsset,
  });
  const handlers = pagesWorker({
    deriveAssetFiles: (keys, urgency) => derive(derivation, keys, urgency),
    ...createPages(system),
    drawPages,
    applyChunks: (apply, refuse) => applyChunks(system, apply, refuse),
    isUnavailable: system.isUnavailable,
  });
  return { handlers, stages: [stageOf(system, derivation, assets, "asset.v1")] };
}

if (import.meta.main) await runWorkerProcess("pages", pagesSettings, buildPages);
