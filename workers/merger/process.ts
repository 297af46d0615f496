import { ofLink, type Stage } from "../../queues/changes/stage.ts";
import { eslImageDerivation } from "../../queues/derivations/esl-image.ts";
import { scanLinksOfItems } from "../../queues/linking/item-links.ts";
import type { WorkerParts, WorkerSystem } from "../../queues/worker/open-worker.ts";
import { runWorkerProcess } from "../../queues/worker/worker-process.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { renderedImages } from "../../records/kinds/pictures.ts";
import { labelOfLink } from "../../schemas/keys.ts";
import { merger } from "./index.ts";

export const mergerSettings = [] as const;

/** Builds the merger with real records and queues. */
export function buildMerger({ records, derive, findStale, publisher, db, now }: WorkerSystem): WorkerParts<"merger"> {
  const derivation = eslImageDerivation({
    records,
    imageFiles: openImageFiles(db, now),
    async orderSizes(orders) {
      const jobs = orders.map((data) => ({ name: "draw-size", data, urgency: data.urgency }));
      // The label's key then counts as failed; its retry orders the sizes again.
      if (!(await publisher.enqueue("sizes", jobs))) throw new Error("Redis did not accept the orders for page sizes");
    },
  });
  const handlers = merger({
    linksOfItems: (itemKeys) => scanLinksOfItems(records, itemKeys),
    deriveLabelImages: (labelKeys, urgency) => derive(derivation, labelKeys, urgency),
  });
  const stage: Stage = {
    name: "eslimage.v1",
    over: renderedImages,
    topic: "renderedimage.v1",
    keyOfLink: ofLink,
    async findStale(linkKeys) {
      const labelOf = (link: string) => labelOfLink(link).label;
      const stale = new Set(await findStale(derivation, linkKeys.map(labelOf)));
      return linkKeys.filter((link) => stale.has(labelOf(link)));
    },
  };
  return { handlers: { merger: handlers }, stages: [stage] };
}

if (import.meta.main) await runWorkerProcess("merger", mergerSettings, buildMerger);
