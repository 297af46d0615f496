import type { ApplyRows } from "../../queues/apply-chunks.ts";
import type { Handlers, JobHandler } from "../../queues/topology.ts";
import type { Stored } from "../../records/kind.ts";
import type { Item, ItemPatch } from "../../schemas/item.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/topics.ts";
import { createMergeRows } from "./merge-rows.ts";
import { failure, sicFailure } from "./outcome.ts";
import { createDeleteItems, createRemoveProperties, createRemoveSics } from "./remove-rows.ts";
import { instantOf } from "./valid-from.ts";

/** Items as they are stored, by key. */
export type Items = ReadonlyMap<string, Stored<Item>>;

/** What the item worker needs of the world. */
export interface Dependencies {
  /** Makes a chunk's handler: it reads the rows, waits for their turn, has them applied and keeps the outcomes. */
  applyChunks<Row>(apply: ApplyRows<Row>, refuse: (row: Row, error: Error) => Outcome): JobHandler<RequestChunk>;
  /** All numbers up to this one are applied. */
  settledThrough(store: string): Promise<number>;
  readItems(store: string, itemIds: readonly string[]): Promise<Items>;
  /** Enters the claims of these rows' codes; gives back why rows may not have theirs, by place. */
  claimSics(store: string, rows: readonly ItemPatch[], present: Items): Promise<Map<number, string>>;
  /** Drops the claims that these items hold on codes that they no longer list. */
  releaseSics(store: string, freed: ReadonlyMap<string, readonly string[]>): Promise<void>;
  /** The items that claim these codes. A claim counts only while its item lists the code. */
  ownersOf(store: string, sics: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Changes items by their ids: decides on `present` where it is given, or on what they are, or have become meanwhile;
   * commits, publishes.
   */
  changeItems(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: Item | undefined) => Item | undefined,
    urgency: Urgency,
    present?: Items,
  ): Promise<void>;
  /** Makes the links that item rows ask for. */
  linkLabels: ApplyRows<LabelPatch>;
  /** IANA name of the store's zone. */
  timeZoneOf(store: string): Promise<string>;
  now(): Date;
}

/** Item worker: applies journaled rows to storeitemvalues.v1 (specification, Items). */
export function itemWorker(dependencies: Dependencies): Handlers<"item"> {
  const { applyChunks, timeZoneOf, now } = dependencies;
  const mergeRows = createMergeRows(dependencies);

  /** Rows that are due, in their order. A price that is not valid yet must not be shown at once. */
  const patchItems: ApplyRows<ItemPatch> = async (store, rows, urgency) => {
    const dated = rows.some(({ row }) => row.validFrom);
    const timeZone = dated ? await timeZoneOf(store) : "UTC";
    const isDue = ({ validFrom }: ItemPatch) => !validFrom || instantOf(validFrom, timeZone) <= now().getTime();
    const due = rows.filter(({ row }) => isDue(row));
    const merged = new Map((await mergeRows(store, due, urgency)).map((outcomes, place) => [due[place], outcomes]));
    return rows.map((row) => {
      const early = `validFrom ${row.row.validFrom} is in the future: send the row when it is due`;
      return merged.get(row) ?? [failure(row.row.itemId, [early])];
    });
  };

  const refuse = ({ itemId }: { itemId: string }, error: Error) => failure(itemId, [error.message]);
  return {
    "patch-items": applyChunks(patchItems, refuse),
    "delete-items": applyChunks(createDeleteItems(dependencies), refuse),
    "remove-sics": applyChunks(createRemoveSics(dependencies), ({ sic }, error) => sicFailure(sic, [error.message])),
    "remove-properties": applyChunks(createRemoveProperties(dependencies), refuse),
  };
}
