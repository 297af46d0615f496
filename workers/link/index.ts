import type { ApplyJournaledRows, ApplyRows } from "../../queues/requests/apply-chunks.ts";
import type { Handlers, JobHandler } from "../../queues/topology.ts";
import type { Stored } from "../../records/kind.ts";
import type { PositionRow } from "../../records/linking/merge-position.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { Link } from "../../schemas/link.ts";
import type { BulkRow, LinkPatchRow, StoreLinksRow, UnlinkRow } from "../../schemas/link-record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { type Change, type Urgency, urgencyOf } from "../../schemas/topics.ts";

/** What the link worker needs of the world. */
export interface Dependencies {
  /** Makes a chunk's handler: it reads the rows, waits for their turn, has them applied and keeps the outcomes. */
  applyChunks<Row>(
    apply: ApplyJournaledRows<Row>,
    refuse: (row: Row, error: Error) => Outcome[],
  ): JobHandler<RequestChunk>;
  /** Makes and moves labels and links. */
  linkLabels: ApplyRows<LabelPatch>;
  /** Changes links by their ids. */
  patchLinks: ApplyRows<LinkPatchRow>;
  /** Removes links: one, a label's or an item's. */
  unlink: ApplyRows<UnlinkRow>;
  /** Makes and ends store-level links of this store. */
  changeStoreLinks: ApplyRows<StoreLinksRow>;
  /** The same of many stores. */
  fanOut: ApplyJournaledRows<BulkRow>;
  /** Sets and takes away manual positions. */
  positionLabels: ApplyRows<PositionRow>;
  /** Keys of the links that these items may have, in one read. */
  linksOfItems(itemKeys: readonly string[]): Promise<string[]>;
  /** Keys of the links that these labels may have. */
  linksOfLabels(labelKeys: readonly string[]): Promise<string[]>;
  /** Sets links right: ACTIVE or INACTIVE as their items are there or not, and where their labels are. Gives them back. */
  reconcileLinks(linkKeys: readonly string[], urgency: Urgency): Promise<ReadonlyMap<string, Stored<Link>>>;
  /** Those of these studio links whose design was chosen already. */
  findEvaluated(linkKeys: readonly string[]): Promise<string[]>;
  /** Makes the designer links of these links anew where something they are made from has moved. */
  deriveDesignerLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** The same for ECC links; ends those of links that are none any more. */
  deriveEccLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
}

/** Link worker: which item is on which label, and what the renderer must know of it. */
export function linkWorker(dependencies: Dependencies): Handlers<"link"> {
  const { applyChunks, linkLabels, positionLabels, patchLinks, unlink, changeStoreLinks, fanOut } = dependencies;
  const {
    linksOfItems,
    linksOfLabels,
    reconcileLinks: settleLinks,
    findEvaluated,
    deriveDesignerLinks,
    deriveEccLinks,
  } = dependencies;
  const keysOf = (changes: readonly Change[]) => changes.map(({ key }) => key);
  const error = ({ message }: Error) => ({ status: "ERROR" as const, errors: [message] });
  return {
    "patch-labels": applyChunks(linkLabels, ({ barcode }, cause) => [{ barcode, ...error(cause) }]),
    "position-labels": applyChunks(positionLabels, ({ barcode }, cause) => [{ barcode, ...error(cause) }]),
    "patch-links": applyChunks(patchLinks, (_, cause) => [error(cause)]),
    unlink: applyChunks(unlink, ({ linkId: _, ...named }, cause) => [{ ...named, ...error(cause) }]),
    "store-links": applyChunks(changeStoreLinks, ({ itemIds }, cause) =>
      itemIds.map((itemId) => ({ itemId, ...error(cause) })),
    ),
    "bulk-links": applyChunks(fanOut, ({ storeIds, itemIds }, cause) =>
      storeIds.flatMap((storeId) => itemIds.map((itemId) => ({ storeId, itemId, ...error(cause) }))),
    ),
    "storeitemvalues.v1": async (changes) => {
      await settleLinks(await linksOfItems(keysOf(changes)), urgencyOf(changes));
    },
    "storeesl.v1": async (changes) => {
      await settleLinks(await linksOfLabels(keysOf(changes)), urgencyOf(changes));
    },
    "link.v2": async (changes) => {
      // An item may have been deleted, or a label moved, by someone who did not see the new link.
      const links = await settleLinks(keysOf(changes), urgencyOf(changes));
      const waits = ({ origin, status }: Link) => origin === "studio" && status === "ACTIVE";
      const { waiting = [], ready = [] } = Object.groupBy(links.keys(), (key) => {
        const link = links.get(key);
        return link && waits(link) ? "waiting" : "ready";
      });
      // Most studio links that are new are not evaluated yet: their design brings them here.
      await deriveDesignerLinks([...(await findEvaluated(waiting)), ...ready], urgencyOf(changes));
      const isEcc = ({ key, changed }: Change) => links.get(key)?.origin === "ecc" || mayHaveBeenEcc(changed);
      await deriveEccLinks(keysOf(changes.filter(isEcc)), urgencyOf(changes));
    },
    "studiolink.v1": async (changes) => deriveDesignerLinks(keysOf(changes), urgencyOf(changes)),
  };
}

/** Whether a change may have made an ECC link another; an audit names no fields. */
const mayHaveBeenEcc = (changed: readonly string[]): boolean => changed.length === 0 || changed.includes("ecclink");
