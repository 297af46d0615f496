import type { PositionRow } from "../../domain/linking/merge-position.ts";
import type { ApplyJournaledRows, ApplyRows } from "../../queues/requests/stamped-rows.ts";
import type { JobHandler } from "../../queues/topology.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { Link } from "../../schemas/link.ts";
import type { BulkRow, LinkPatchRow, StoreLinksRow, UnlinkRow } from "../../schemas/link-record.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/urgency.ts";

/** What the link worker needs from the world. */
export interface LinkWorld {
  /** Creates the handler of chunks: it reads the rows, waits for their turn, applies them and stores the outcomes. */
  applyChunks<Row>(
    apply: ApplyJournaledRows<Row>,
    refuse: (row: Row, error: Error) => Outcome[],
  ): JobHandler<RequestChunk>;
  /** Creates and moves labels and links. */
  linkLabels: ApplyRows<LabelPatch>;
  /** Changes links by id. */
  patchLinks: ApplyRows<LinkPatchRow>;
  /** Removes one link, the links of a label or the links of an item. */
  unlink: ApplyRows<UnlinkRow>;
  /** Creates and ends store-level links of this store. */
  changeStoreLinks: ApplyRows<StoreLinksRow>;
  /** Creates and ends store-level links of many stores. */
  fanOut: ApplyJournaledRows<BulkRow>;
  /** Sets and removes manual positions. */
  positionLabels: ApplyRows<PositionRow>;
  /** Returns the keys of the links that these items may have, in batches. */
  linksOfItems(itemKeys: readonly string[]): AsyncIterable<string[]>;
  /** Returns the keys of the links that these labels may have. */
  linksOfLabels(labelKeys: readonly string[]): Promise<string[]>;
  /**
   * Sets links to ACTIVE or INACTIVE, depending on whether their items exist, and copies the locations of their labels. Returns
   * the links.
   */
  reconcileLinks(linkKeys: readonly string[], urgency: Urgency): Promise<ReadonlyMap<string, Stored<Link>>>;
  /** Returns which of these studio links have had their design chosen. */
  findEvaluated(linkKeys: readonly string[]): Promise<string[]>;
  /** Derives the designer links whose inputs changed. */
  deriveDesignerLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
  /** Derives the ECC links whose inputs changed; ends the ECC links of links whose origin has changed. */
  deriveEccLinks(linkKeys: readonly string[], urgency: Urgency): Promise<void>;
}
