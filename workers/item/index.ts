import type { ApplyRows } from "../../queues/apply-chunks.ts";
import type { Handlers, JobHandler } from "../../queues/topology.ts";
import type { Stored } from "../../records/kind.ts";
import type { Item, ItemPatch } from "../../schemas/item.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { LabelPatch } from "../../schemas/label.ts";
import type { Outcome } from "../../schemas/request.ts";
import { numberOf } from "../../schemas/stamp.ts";
import type { Urgency } from "../../schemas/topics.ts";
import { labelRowsOf } from "./label-rows.ts";
import { deleteItem, mergeItem } from "./merge-item.ts";
import { failure, notFound, success } from "./outcome.ts";
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
  /** Changes items by their ids: decides on `present`, or on what they have become meanwhile, commits, publishes. */
  changeItems(
    store: string,
    itemIds: readonly string[],
    decide: (itemId: string, current: Item | undefined) => Item | undefined,
    urgency: Urgency,
    present: Items,
  ): Promise<void>;
  /** Makes the links that item rows ask for. */
  linkLabels: ApplyRows<LabelPatch>;
  /** IANA name of the store's zone. */
  timeZoneOf(store: string): Promise<string>;
  now(): Date;
}

/** Item worker: applies journaled rows to storeitemvalues.v1 (specification, Items). */
export function itemWorker(dependencies: Dependencies): Handlers<"item"> {
  const { applyChunks, settledThrough, readItems, claimSics, releaseSics, changeItems, linkLabels } = dependencies;
  const { timeZoneOf, now } = dependencies;

  /** Why rows may not be applied, by their place. A price that is not valid yet must not be shown at once. */
  async function refuseRows(store: string, rows: readonly ItemPatch[], present: Items): Promise<Map<number, string>> {
    const dated = rows.some(({ validFrom }) => validFrom);
    const timeZone = dated ? await timeZoneOf(store) : "UTC";
    const early = [...rows.entries()].filter(
      ([, { validFrom }]) => validFrom && instantOf(validFrom, timeZone) > now().getTime(),
    );
    const refused = new Map(
      early.map(([place, { validFrom }]) => [
        place,
        `validFrom ${validFrom} is in the future: send the row when it is due`,
      ]),
    );
    const applicable = rows.map((row, place) => (refused.has(place) ? { ...row, sics: [] } : row));
    return new Map([...refused, ...(await claimSics(store, applicable, present))]);
  }

  const patchItems: ApplyRows<ItemPatch> = async (store, rows, urgency) => {
    const byItem = Map.groupBy(rows.entries(), ([, { row }]) => row.itemId);
    const itemIds = [...byItem.keys()];
    const [settled, present] = await Promise.all([settledThrough(store), readItems(store, itemIds)]);
    const refused = await refuseRows(
      store,
      rows.map(({ row }) => row),
      present,
    );
    const outcomes = rows.map(({ row }, place) => failure(row.itemId, [refused.get(place) ?? ""]));
    const freed = new Map<string, readonly string[]>();
    const decide = (itemId: string, current: Item | undefined) => {
      let item = current;
      for (const [place, { row, stamp }] of byItem.get(itemId) ?? []) {
        if (refused.has(place)) continue;
        item = mergeItem(item, row, stamp, numberOf(stamp) <= settled + 1);
        outcomes[place] = success(itemId, item.created === stamp);
      }
      freed.set(itemId, freedSics(current, item));
      return item;
    };
    await changeItems(store, itemIds, decide, urgency, present);
    await releaseSics(store, freed);

    const labelRows = labelRowsOf(rows, refused);
    const linked = await linkLabels(store, labelRows, urgency);
    for (const [at, { place }] of labelRows.entries()) {
      outcomes[place]?.errors.push(...(linked[at] ?? []).flatMap(({ errors }) => errors));
    }
    return outcomes.map((outcome) => [outcome]);
  };

  const deleteItems: ApplyRows<{ itemId: string }> = async (store, rows, urgency) => {
    // An item that is named twice is there for its first row only.
    const stamps = new Map(rows.toReversed().map(({ row, stamp }) => [row.itemId, stamp]));
    const deleted = new Map<string, readonly string[]>();
    const decide = (itemId: string, current: Item | undefined) => {
      const item = deleteItem(current, stamps.get(itemId) ?? 0);
      if (item !== undefined) deleted.set(itemId, freedSics(current, item));
      return item;
    };
    await changeItems(store, [...stamps.keys()], decide, urgency, await readItems(store, [...stamps.keys()]));
    await releaseSics(store, deleted);
    return rows.map(({ row: { itemId }, stamp }) => {
      const isGone = deleted.has(itemId) && stamps.get(itemId) === stamp;
      return [isGone ? success(itemId, false) : notFound(itemId)];
    });
  };

  const refuse = ({ itemId }: { itemId: string }, error: Error) => failure(itemId, [error.message]);
  return {
    "patch-items": applyChunks(patchItems, refuse),
    "delete-items": applyChunks(deleteItems, refuse),
  };
}

const freedSics = (before: Item | undefined, after: Item | undefined): readonly string[] =>
  before === undefined || before.sics === after?.sics ? [] : before.sics.filter((sic) => !after?.sics.includes(sic));
