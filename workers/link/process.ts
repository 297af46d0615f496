import { ofLink, stageOf } from "../../queues/changes/stage.ts";
import { designerLinkDerivation } from "../../queues/derivations/designer-link.ts";
import { eccLinkDerivation } from "../../queues/derivations/ecc-link.ts";
import { scanLinksOfItems } from "../../queues/linking/item-links.ts";
import { createLinkLabels } from "../../queues/linking/link-labels.ts";
import { createPositionLabels } from "../../queues/linking/position-labels.ts";
import { createLinkReconciler } from "../../queues/linking/reconcile-links.ts";
import { applyChunks } from "../../queues/requests/apply-chunks.ts";
import type { System } from "../../queues/system.ts";
import type { WorkerParts } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { links, studioLinks } from "../../records/kinds/links.ts";
import { createBarcodeSchemes } from "../../records/linking/barcode-schemes.ts";
import { linksOfLabels } from "../../records/linking/links-of-labels.ts";
import { openChildRequests } from "../../records/requests/child-requests.ts";
import type { Environment } from "../../schemas/environment.ts";
import { createFanOut } from "./fan-out.ts";
import { linkWorker } from "./index.ts";
import { createPatchLinks } from "./patch-links.ts";
import { createProjectFirst } from "./project-first.ts";
import { createStoreLinks } from "./store-links.ts";
import { createUnlink } from "./unlink.ts";

export const linkSettings = ["BARCODE_PATTERN"] as const;

/** Builds the link worker with real records and queues. */
export function buildLinkWorker(
  system: System,
  settings: Environment<(typeof linkSettings)[number]>,
): WorkerParts<"link"> {
  const { records, commit, derive } = system;
  const reconciler = createLinkReconciler(records, commit);
  const derivation = designerLinkDerivation();
  const eccDerivation = eccLinkDerivation();
  const schemeOf = createBarcodeSchemes(records, settings.BARCODE_PATTERN, system.clock);
  const projectFirst = createProjectFirst(system, async (linkKeys, urgency) => {
    await derive(derivation, linkKeys, urgency);
    await derive(eccDerivation, linkKeys, urgency);
  });
  const changeStoreLinks = createStoreLinks(system);
  const handlers = linkWorker({
    applyChunks: (apply, refuse) => applyChunks(system, apply, refuse),
    linkLabels: createLinkLabels({ ...system, commit: projectFirst, schemeOf }),
    positionLabels: createPositionLabels(system),
    patchLinks: createPatchLinks({ ...system, commit: projectFirst, schemeOf }),
    unlink: createUnlink({ ...system, commit: projectFirst }),
    changeStoreLinks,
    fanOut: createFanOut({ ...system, changeStoreLinks, acceptChildren: openChildRequests(system.db) }),
    linksOfItems: (itemKeys) => scanLinksOfItems(records, itemKeys),
    linksOfLabels: (labelKeys) => linksOfLabels(records, labelKeys),
    reconcileLinks: reconciler.reconcile,
    findEvaluated: async (linkKeys) => [...(await records.readRevs(studioLinks, linkKeys)).keys()],
    deriveDesignerLinks: (linkKeys, urgency) => derive(derivation, linkKeys, urgency),
    deriveEccLinks: (linkKeys, urgency) => derive(eccDerivation, linkKeys, urgency),
  });
  return {
    handlers: { link: handlers },
    stages: [
      { name: "link.v2", over: links, topic: "link.v2", keyOfLink: ofLink, findStale: reconciler.findStale },
      stageOf(system, derivation, links, "link.v2", ofLink),
      stageOf(system, eccDerivation, links, "link.v2", ofLink),
    ],
  };
}

if (import.meta.main) await runWorkerProcess("link", linkSettings, buildLinkWorker);
