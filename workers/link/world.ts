import type { ApplyJournaledRows, ApplyRows } from "../../queues/requests/apply-chunks.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { Stored } from "../../records/kind.ts";
import type { PositionRow } from "../../records/linking/merge-position.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { Link } from "../../schemas/link.ts";
import type { BulkRow, LinkPatchRow, StoreLinksRow, UnlinkRow } from "../../schemas/link-record.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/topics.ts";

/** What the link worker needs of the world. */
export interface LinkWorld {
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
