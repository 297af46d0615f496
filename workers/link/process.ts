import { applyChunks } from "../../queues/apply-chunks.ts";
import { linksOfItems } from "../../queues/item-links.ts";
import { createLinkLabels } from "../../queues/link-labels.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/open-worker.ts";
import { createLinkSettler } from "../../queues/settle-links.ts";
import { stageOf } from "../../queues/stage.ts";
import { runWorkerProcess } from "../../queues/worker-process.ts";
import { links } from "../../records/kinds/link.ts";
import { studioLinks } from "../../records/kinds/studio-link.ts";
import { barcodeScheme } from "../../records/linking/barcode.ts";
import { linksOfLabels } from "../../records/links-of-labels.ts";
import type { Environment } from "../../schemas/environment.ts";
import { linkWorker } from "./index.ts";
import { designerLinkDerivation } from "./project.ts";

export const linkSettings = ["BARCODE_PATTERN"] as const;

/** The link worker with the world put in. */
export function buildLinkWorker(
  system: WorkerSystem,
  settings: Environment<(typeof linkSettings)[number]>,
): WorkerParts<"link"> {
  const { records, commit, derive } = system;
  const settler = createLinkSettler(records, commit);
  const derivation = designerLinkDerivation(records);
  const handlers = linkWorker({
    applyChunks: (apply, refuse) => applyChunks(system, apply, refuse),
    linkLabels: createLinkLabels({ ...system, readType: barcodeScheme(settings.BARCODE_PATTERN) }),
    linksOfItems: (itemKeys) => linksOfItems(records, itemKeys),
    linksOfLabels: (labelKeys) => linksOfLabels(records, labelKeys),
    settleLinks: settler.settle,
    async deriveDesignerLinks(linkKeys, urgency) {
      // Most links that are new are not evaluated yet: their studio link brings them here.
      const evaluated = await records.readRevs(studioLinks, linkKeys);
      await derive(derivation, [...evaluated.keys()], urgency);
    },
  });
  return {
    handlers,
    stages: [
      { name: "link.v2", over: links, topic: "link.v2", findBehind: settler.findWrong },
      stageOf(system, derivation, links, "link.v2"),
    ],
  };
}

if (import.meta.main) await runWorkerProcess("link", linkSettings, buildLinkWorker);
