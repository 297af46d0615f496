import type { ApplyRows, StampedRow } from "../../../queues/requests/apply-chunks.ts";
import type { Item, ItemPatch } from "../../../schemas/item.ts";
import { numberOf } from "../../../schemas/stamp.ts";
import { tooLarge } from "../rules/item-size.ts";
import { mergeItem } from "../rules/merge-item.ts";
import { failure, success } from "../rules/outcome.ts";
import type { FreedSics, ItemWorld } from "../world.ts";
import { labelRowsOf } from "./linked-labels.ts";

type World = Pick<
  ItemWorld,
  "settledThrough" | "readItems" | "claimSics" | "releaseSics" | "changeItems" | "linkLabels"
>;

/** Merges rows into their items, with the codes and links that they name. One outcome for each row. */
export const createPatchItems =
  ({ settledThrough, readItems, claimSics, releaseSics, changeItems, linkLabels }: World): ApplyRows<ItemPatch> =>
  async (store, rows, urgency) => {
    if (rows.length === 0) return [];
    const byItem = Map.groupBy(rows.entries(), ([, { row }]) => row.itemId);
    const itemIds = [...byItem.keys()];
    // First, so that the items show every settled request: a value that an earlier request has replaced would look
    // unchanged otherwise, and the row would write nothing.
    const settled = await settledThrough(store);
    const present = await readItems(store, itemIds);
    const taken = await claimSics(store, rows, present);
    const refused = new Map(taken);
    const outcomes = rows.map(({ row }, index) => failure(row.itemId, [taken.get(index) ?? ""]));
    const freed = new Map<string, FreedSics>();
    const decide = (itemId: string, current: Item | undefined) => {
      let item = current;
      for (const [index, { row, stamp }] of byItem.get(itemId) ?? []) {
        if (taken.has(index)) continue;
        const merged = mergeItem(item, row, stamp, numberOf(stamp) <= settled + 1);
        const reason = tooLarge(merged, item);
        if (reason === undefined) {
          item = merged;
          refused.delete(index);
          outcomes[index] = success(itemId, item.created === stamp);
        } else {
          refused.set(index, reason);
          outcomes[index] = failure(itemId, [reason]);
        }
      }
      freed.set(itemId, { sics: freedSics(current, item), stamp: latestOf(byItem.get(itemId) ?? []) });
      return item;
    };
    await changeItems(store, itemIds, decide, urgency, present);
    await releaseSics(store, freed);

    const labelRows = labelRowsOf(rows, refused);
    const linked = await linkLabels(store, labelRows, urgency);
    for (const [labelIndex, { index }] of labelRows.entries()) {
      outcomes[index]?.errors.push(...(linked[labelIndex] ?? []).flatMap(({ errors }) => errors));
    }
    return outcomes.map((outcome) => [outcome]);
  };

const latestOf = (rows: readonly (readonly [number, StampedRow<ItemPatch>])[]): number =>
  Math.max(...rows.map(([, { stamp }]) => stamp));

/** The codes that an item listed before and no longer lists. */
export const freedSics = (before: Item | undefined, after: Item | undefined): readonly string[] =>
  before === undefined || before.sics === after?.sics ? [] : before.sics.filter((sic) => !after?.sics.includes(sic));
