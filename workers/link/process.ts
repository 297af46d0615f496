import { applyChunks } from "../../queues/apply-chunks.ts";
import { linksOfItems } from "../../queues/item-links.ts";
import { createLinkLabels } from "../../queues/link-labels.ts";
import { createLinkStatuses } from "../../queues/link-statuses.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/open-worker.ts";
import { stageOf } from "../../queues/stage.ts";
import { runWorkerProcess } from "../../queues/worker-process.ts";
import { links } from "../../records/kinds/link.ts";
import { studioLinks } from "../../records/kinds/studio-link.ts";
import { barcodeScheme } from "../../records/linking/barcode.ts";
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
  const statuses = createLinkStatuses(records, commit);
  const derivation = designerLinkDerivation(records);
  const handlers = linkWorker({
    applyChunks: (apply, refuse) => applyChunks(system, apply, refuse),
    linkLabels: createLinkLabels({ ...system, readType: barcodeScheme(settings.BARCODE_PATTERN) }),
    linksOfItems: (itemKeys) => linksOfItems(records, itemKeys),
    settleStatuses: statuses.settle,
    async deriveDesignerLinks(linkKeys, urgency) {
      // Most links that are new are not evaluated yet: their studio link brings them here.
      const evaluated = await records.readRevs(studioLinks, linkKeys);
      await derive(derivation, [...evaluated.keys()], urgency);
    },
  });
  return {
    handlers,
    stages: [
      { name: "link status", over: links, topic: "link.v2", findBehind: statuses.findWrong },
      stageOf(system, derivation, links, "link.v2"),
    ],
  };
}

if (import.meta.main) await runWorkerProcess("link", linkSettings, buildLinkWorker);
