import type { StampedRow } from "../../../queues/requests/apply-chunks.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { LabelPatch } from "../../../schemas/label.ts";

/** A label's row made from a link of an item's row, and the place of that row. */
export interface PlacedLabelRow extends StampedRow<LabelPatch> {
  index: number;
}

/** The links of item rows as rows of labels: each links its label to the row's item, under the row's stamp. */
export function labelRowsOf(
  rows: readonly StampedRow<ItemPatch>[],
  refused: ReadonlyMap<number, string>,
): PlacedLabelRow[] {
  return rows.flatMap(({ row: { itemId, links }, stamp }, index) =>
    (refused.has(index) ? [] : (links ?? [])).map((link) => ({
      index,
      stamp,
      row: { barcode: link.barcode, links: [{ ...link, itemId, linkedItemId: link.linkedItemId || itemId }] },
    })),
  );
}
