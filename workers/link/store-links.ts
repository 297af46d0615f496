import { mergeStoreLink } from "../../domain/linking/merge-store-link.ts";
import type { Commit } from "../../queues/changes/commit.ts";
import { resolveCodes } from "../../queues/linking/load-linking-facts.ts";
import { type ApplyRows, readIsLatest, type StampedRow } from "../../queues/requests/stamped-rows.ts";
import { designs } from "../../records/kinds/designs.ts";
import { storeLinks } from "../../records/kinds/links.ts";
import type { Records } from "../../records/records.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { idOf, itemKey, storeIds } from "../../schemas/keys.ts";
import type { StoreLink } from "../../schemas/link.ts";
import type { StoreLinksRow } from "../../schemas/link-record.ts";
import type { Outcome } from "../../schemas/request.ts";
import { rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import type { Urgency } from "../../schemas/urgency.ts";

interface Dependencies {
  records: Records;
  commit: Commit;
  numbers: Pick<Numbers, "settledAtLeast">;
}

/** Creates and ends the store-level links of items in one store. Items are named by id or SIC, each with one outcome. */
export function createStoreLinks({ records, commit, numbers }: Dependencies): ApplyRows<StoreLinksRow> {
  async function applyRow(
    store: string,
    { row: { itemIds, operation, designId }, stamp }: StampedRow<StoreLinksRow>,
    isLatest: boolean,
    urgency: Urgency,
  ): Promise<Outcome[]> {
    const { storeId } = storeIds(store);
    const wanted = operation === "LINK" ? (designId ?? "") : undefined;
    const [itemOf, known] = await Promise.all([
      resolveCodes(records, store, itemIds),
      records.readFields(designs, wanted === undefined ? [] : [wanted], ["deleted"]),
    ]);
    if (wanted !== undefined && (known.get(wanted)?.deleted ?? !known.has(wanted)))
      return itemIds.map((itemId) => ({
        storeId,
        itemId,
        status: "ERROR",
        ...rowErrors(rowNotice("STORE_LINK_DESIGN_UNKNOWN", { design: wanted })),
      }));
    const present = new Set(itemIds.flatMap((code) => itemOf(code) ?? []).map((itemId) => itemKey(store, itemId)));
    const decide = (key: string, current: StoreLink | undefined) =>
      mergeStoreLink(current, { itemId: idOf(key), designId: wanted, stamp }, isLatest);
    await commit.change(storeLinks, [...present], decide, urgency);
    return itemIds.map((itemId): Outcome => {
      if (itemOf(itemId) !== undefined) return { storeId, itemId, status: "SUCCESS", errors: [] };
      return { storeId, itemId, status: "ITEM_NOT_FOUND", ...rowErrors(rowNotice("ITEM_UNKNOWN", { item: itemId })) };
    });
  }

  return async (store, rows, urgency) => {
    const isLatest = await readIsLatest(numbers, store, rows);
    const outcomes: Outcome[][] = [];
    // Rows are applied one by one, since each is a batch of up to a thousand pairs.
    for (const row of rows) outcomes.push(await applyRow(store, row, isLatest(row.stamp), urgency));
    return outcomes;
  };
}
