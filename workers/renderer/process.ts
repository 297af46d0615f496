import { linksOfItems } from "../../queues/item-links.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/open-worker.ts";
import { stageOf } from "../../queues/stage.ts";
import { runWorkerProcess } from "../../queues/worker-process.ts";
import { openImageFiles } from "../../records/image-files.ts";
import { designerLinks } from "../../records/kinds/designer-link.ts";
import { eccLinks } from "../../records/kinds/ecc-link.ts";
import { linksOfLabels } from "../../records/links-of-labels.ts";
import { eccEslImageDerivation, renderedImageDerivation } from "./derivation.ts";
import { createDesigns } from "./designs.ts";
import { renderer } from "./index.ts";

export const rendererSettings = [] as const;

/** The renderer with the world put in. */
export function buildRenderer(system: WorkerSystem): WorkerParts<"renderer"> {
  const { records, derive, walker, db, now } = system;
  const imageFiles = openImageFiles(db, now);
  const derivation = renderedImageDerivation({ records, imageFiles, prepare: createDesigns(imageFiles) });
  const eccDerivation = eccEslImageDerivation({ records, imageFiles });
  const handlers = renderer({
    linksOfItems: (itemKeys) => linksOfItems(records, itemKeys),
    linksOfLabels: (labelKeys) => linksOfLabels(records, labelKeys),
    deriveImages: (linkKeys, urgency) => derive(derivation, linkKeys, urgency),
    deriveEccImages: (linkKeys, urgency) => derive(eccDerivation, linkKeys, urgency),
    async redraw(tenant, reason) {
      await walker.begin(`${tenant}/walks/renderer`, `${tenant}/`, { reason });
    },
  });
  return {
    handlers: { renderer: handlers },
    stages: [
      stageOf(system, derivation, designerLinks, "designerlink.v1"),
      stageOf(system, eccDerivation, eccLinks, "ecclink.v1"),
    ],
  };
}

if (import.meta.main) await runWorkerProcess("renderer", rendererSettings, buildRenderer);
