import { mergeRow, withLinks } from "../../../domain/items/merge-row.ts";
import { failure } from "../../../domain/items/outcome.ts";
import { keepPrice, settlePrice } from "../../../domain/prices/keep-price.ts";
import {
  type ApplyRows,
  type JournaledRow,
  readIsLatest,
  type StampedRow,
} from "../../../queues/requests/stamped-rows.ts";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import type { FreedSics, ItemWorld } from "../world.ts";
import { labelRowsOf } from "./linked-labels.ts";

type World = Pick<
  ItemWorld,
  "settledAtLeast" | "readItems" | "assignSics" | "releaseSics" | "changeItems" | "linkLabels" | "priorPriceRulesOf"
>;

/** An item row, with the time at which its request was accepted, from which its price is charged. */
export type DatedPatch = StampedRow<ItemPatch> & Pick<JournaledRow<ItemPatch>, "acceptedAt">;

/** Merges rows into their items, with the codes and links that they name. Returns one outcome per row. */
export const createPatchItems =
  ({
    settledAtLeast,
    readItems,
    assignSics,
    releaseSics,
    changeItems,
    linkLabels,
    priorPriceRulesOf,
  }: World): ApplyRows<ItemPatch, DatedPatch> =>
  async (store, rows, urgency) => {
    if (rows.length === 0) return [];
    const byItem = Map.groupBy(rows.entries(), ([, { row }]) => row.itemId);
    const itemIds = [...byItem.keys()];
    const isLatest = await readIsLatest({ settledAtLeast }, store, rows);
    const present = await readItems(store, itemIds);
    const taken = await assignSics(store, rows, present);
    const rules = rows.some(({ row }) => row.price) ? await priorPriceRulesOf(store) : {};
    const outcomes = rows.map(({ row }) => failure(row.itemId));
    const freed = new Map<string, FreedSics>();
    const decide = (itemId: string, current: Item | undefined) => {
      let item = current;
      for (const [index, { row, stamp, acceptedAt, list, first }] of byItem.get(itemId) ?? []) {
        const merged = mergeRow(item, row, stamp, isLatest(stamp), taken.get(index) ?? NONE, list, first);
        item = keepPrice(item, merged.item, { at: acceptedAt.getTime(), rules });
        outcomes[index] = merged.outcome;
      }
      freed.set(itemId, { sics: freedSics(current, item), stamp: latestOf(byItem.get(itemId) ?? []) });
      return settlePrice(current, item);
    };
    await changeItems(store, itemIds, decide, urgency, present);
    await releaseSics(store, freed);

    const labelRows = labelRowsOf(rows);
    const linked = await linkLabels(store, labelRows, urgency);
    const byRow = Map.groupBy(labelRows.entries(), ([, { index }]) => index);
    return rows.map(({ row }, index) => {
      const links = (byRow.get(index) ?? []).flatMap(([labelIndex]) => linked[labelIndex] ?? []);
      return [withLinks(row, outcomes[index] ?? failure(row.itemId), links)];
    });
  };

const NONE: ReadonlyMap<string, string> = new Map();

const latestOf = (rows: readonly (readonly [number, StampedRow<ItemPatch>])[]): number =>
  Math.max(...rows.map(([, { stamp }]) => stamp));

/** Returns the codes that an item used to list and no longer lists. */
export const freedSics = (before: Item | undefined, after: Item | undefined): readonly string[] =>
  before === undefined || before.sics === after?.sics ? [] : before.sics.filter((sic) => !after?.sics.includes(sic));
