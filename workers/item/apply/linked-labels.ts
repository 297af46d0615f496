import type { StampedRow } from "../../../queues/requests/stamped-rows.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { LabelPatch } from "../../../schemas/label.ts";

/** A label's row that was made from a link in an item row, with that row's index. */
export interface IndexedLabelRow extends StampedRow<LabelPatch> {
  index: number;
}

/** Turns the links of item rows into label rows: each links its label to the row's item, under the row's stamp. */
export function labelRowsOf(rows: readonly StampedRow<ItemPatch>[]): IndexedLabelRow[] {
  return rows.flatMap(({ row: { itemId, links }, stamp }, index) =>
    (links ?? []).map((link) => ({
      index,
      stamp,
      row: { barcode: link.barcode, links: [{ ...link, itemId, linkedItemId: link.linkedItemId || itemId }] },
    })),
  );
}
