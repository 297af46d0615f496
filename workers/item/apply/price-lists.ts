import { regularOf } from "../../../domain/campaigns/offers.ts";
import { failure, inPart, notFound, success } from "../../../domain/items/outcome.ts";
import { type Undone, undoList } from "../../../domain/items/undo-list.ts";
import { changesItem } from "../../../domain/items/would-change.ts";
import { keepPrice } from "../../../domain/prices/keep-price.ts";
import { type ApplyJournaledRows, type JournaledRow, readIsLatest } from "../../../queues/requests/stamped-rows.ts";
import { cancelList } from "../../../records/requests/scheduled-updates.ts";
import { exists, type Item, type ItemPatch } from "../../../schemas/item.ts";
import { itemKey } from "../../../schemas/keys.ts";
import { type ListedItem, ROWS_PER_PART, type UndoRow } from "../../../schemas/price-list.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { type RowNotice, rowNotice } from "../../../schemas/row-notice.ts";
import type { Schedule } from "../../../schemas/schedule.ts";
import { numberOf, rowOf } from "../../../schemas/stamp.ts";
import type { Items, ItemWorld } from "../world.ts";

type Row = JournaledRow<ItemPatch>;

/**
 * Before rows of price lists change items, adds these items to the lists, so that no item has a value from a list that does not
 * name it. A list that is sent again changes no items, so it names none. But if an earlier request can still take effect, the
 * list confirms its values and names the items that have them. Returns the number of each list's first request.
 */
export const createEnterLists =
  ({ settledAtLeast, readItems, enterList }: Pick<ItemWorld, "settledAtLeast" | "readItems" | "enterList">) =>
  async (
    store: string,
    rows: readonly Row[],
    dueOf: (row: Row) => Date | undefined,
  ): Promise<ReadonlyMap<string, number>> => {
    const firsts = new Map<string, number>();
    const listed = rows.filter(({ list }) => list !== undefined);
    if (listed.length === 0) return firsts;
    const isLatest = await readIsLatest({ settledAtLeast }, store, listed);
    const present = await readItems(store, [...new Set(listed.map(({ row }) => row.itemId))]);
    const changes = ({ row, stamp }: Row) => changesItem(present.get(itemKey(store, row.itemId)), row, isLatest(stamp));
    const changing = listed.filter((row) => dueOf(row) !== undefined || changes(row));
    const requests = Map.groupBy(changing, ({ list, stamp }) => `${numberOf(stamp)} ${list}`);
    for (const own of requests.values()) {
      const [{ list = "", stamp, acceptedAt, chunk } = {} as Row] = own;
      const due = own.flatMap((row) => dueOf(row) ?? []).sort((a, b) => a.getTime() - b.getTime());
      const parts = Map.groupBy(own, (row) => Math.floor(rowOf(row.stamp) / ROWS_PER_PART));
      const first = await enterList(store, {
        list,
        number: numberOf(stamp),
        since: acceptedAt,
        by: chunk.cause?.actor,
        startsAt: due[0],
        parts: new Map([...parts].map(([part, rowsOfPart]) => [part, listedItems(rowsOfPart, store, present)])),
      });
      firsts.set(list, first);
    }
    return firsts;
  };

const listedItems = (rows: readonly Row[], store: string, present: Items): ListedItem[] =>
  rows.map(({ row: { itemId, price } }) => {
    const item = present.get(itemKey(store, itemId));
    // The regular price: an undo restores it, and guards compare with it, even while a campaign shows a different price.
    const was = item && exists(item) ? (regularOf(item).price ?? null) : null;
    return [itemId, was, price && price !== was ? price : null];
  });

/**
 * Undoes price lists in the rows' items, and cancels the updates that the lists have scheduled. The request is ordered, so all
 * rows of the lists have already been applied. It may be repeated.
 */
export const createUndoLists =
  ({
    changeItems,
    changeSchedules,
    enterUndo,
    priorPriceRulesOf,
  }: Pick<
    ItemWorld,
    "changeItems" | "changeSchedules" | "enterUndo" | "priorPriceRulesOf"
  >): ApplyJournaledRows<UndoRow> =>
  async (store, rows, urgency) => {
    const rules = await priorPriceRulesOf(store);
    const byItem = Map.groupBy(rows, ({ row }) => row.itemId);
    const cancelled = new Set<string>();
    const withoutLists = (itemId: string, current: Schedule | undefined) => {
      let schedule = current;
      for (const { row, stamp } of byItem.get(itemId) ?? []) {
        const without = schedule && cancelList(schedule, row.list, stamp, row.first);
        if (without !== undefined) cancelled.add(itemId);
        schedule = without ?? schedule;
      }
      return schedule;
    };
    await changeSchedules(store, [...byItem.keys()], withoutLists, urgency);

    const outcomes = new Map<(typeof rows)[number], Outcome>();
    const decide = (itemId: string, current: Item | undefined) => {
      let item = current;
      for (const journaled of byItem.get(itemId) ?? []) {
        const undone =
          item && exists(item) ? undoList(item, journaled.row.list, journaled.stamp, journaled.row.first) : undefined;
        outcomes.set(journaled, outcomeOf(journaled.row, journaled.stamp, undone, cancelled.has(itemId)));
        item = undone ? keepPrice(item, undone.item, { at: journaled.acceptedAt.getTime(), rules }) : item;
      }
      return item;
    };
    await changeItems(store, [...byItem.keys()], decide, urgency);
    for (const own of Map.groupBy(rows, ({ row, stamp }) => `${numberOf(stamp)} ${row.list}`).values()) {
      const [{ row, stamp, acceptedAt, chunk } = {} as JournaledRow<UndoRow>] = own;
      await enterUndo(store, row.list, { number: numberOf(stamp), at: acceptedAt, by: chunk.cause?.actor });
    }
    return rows.map((row) => [outcomes.get(row) ?? notFound(row.row.itemId)]);
  };

/**
 * Returns the outcome for an item. If a row is applied again after its process was killed, the undo has already taken effect
 * under the row's own stamp. That counts as restored.
 */
function outcomeOf(
  { itemId, sets, created }: UndoRow,
  stamp: number,
  undone: Undone | undefined,
  isCancelled: boolean,
): Outcome {
  if (undone === undefined) return isCancelled ? success(itemId, false) : notFound(itemId);
  const { item, restored, kept } = undone;
  const isPriceRestored = restored.includes("price") || item.stamps.price === stamp;
  const isRestored =
    restored.length > 0 ||
    isCancelled ||
    Object.values(item.stamps).includes(stamp) ||
    item.properties.some((property) => property.stamp === stamp);
  if (created && !isRestored) return failure(itemId, rowNotice("LIST_CREATED_ITEM", {}));
  const stays = new Set([...kept, ...(sets && !created && !isPriceRestored && !isCancelled ? ["price"] : [])]);
  const notices: RowNotice[] =
    stays.size > 0 ? [rowNotice("LIST_CHANGED_SINCE", { fields: [...stays].join(", ") })] : [];
  if (!isRestored && notices.length === 0) notices.push(rowNotice("LIST_NOTHING_KEPT", {}));
  return notices.length === 0 ? success(itemId, false) : inPart(itemId, isRestored, notices);
}
