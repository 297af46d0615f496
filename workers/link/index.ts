import type { ApplyRows } from "../../queues/apply-chunks.ts";
import type { Handlers, JobHandler } from "../../queues/topology.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { Outcome } from "../../schemas/request.ts";
import { type Change, type Urgency, urgencyOf } from "../../schemas/topics.ts";

/** What the link worker needs of the world. */
export interface Dependencies {
  /** Makes a chunk's handler: it reads the rows, waits for their turn, has them applied and keeps the outcomes. */
  applyChunks<Row>(apply: ApplyRows<Row>, refuse: (row: Row, error: Error) => Outcome): JobHandler<RequestChunk>;
  /** Makes and moves labels and links. */
  linkLabels: ApplyRows<LabelPatch>;
  /** Keys of the links that these items may have, in one read. */
  linksOfItems(itemKeys: readonly string[]): Promise<string[]>;
  /** Keys of the links that these labels may have. */
  linksOfLabels(labelKeys: readonly string[]): Promise<string[]>;
  /** Sets links ACTIVE or INACTIVE as their items are there or not, and where their labels are. */
  settleLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Makes the designer links of these links anew where something they are made from has moved. */
  deriveDesignerLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
}

/** Link worker: which item is on which label, and what the renderer must know of it. */
export function linkWorker(dependencies: Dependencies): Handlers<"link"> {
  const { applyChunks, linkLabels, linksOfItems, linksOfLabels, settleLinks, deriveDesignerLinks } = dependencies;
  const keysOf = (changes: readonly Change[]) => changes.map(({ key }) => key);
  return {
    "patch-labels": applyChunks(linkLabels, ({ barcode }, error) => ({
      barcode,
      status: "ERROR",
      errors: [error.message],
    })),
    "storeitemvalues.v1": async (changes) => settleLinks(await linksOfItems(keysOf(changes)), urgencyOf(changes)),
    "storeesl.v1": async (changes) => settleLinks(await linksOfLabels(keysOf(changes)), urgencyOf(changes)),
    "link.v2": async (changes) => {
      // An item may have been deleted, or a label moved, by someone who did not see the new link.
      await settleLinks(keysOf(changes), urgencyOf(changes));
      await deriveDesignerLinks(keysOf(changes), urgencyOf(changes));
    },
    "studiolink.v1": async (changes) => deriveDesignerLinks(keysOf(changes), urgencyOf(changes)),
  };
}
