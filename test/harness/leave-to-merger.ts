import type { System } from "../../queues/system.ts";
import { partsOfInput } from "../../records/kind.ts";
import { itemPages } from "../../records/kinds/items.ts";
import { eslImages } from "../../records/kinds/pictures.ts";
import { itemKey, labelKey } from "../../schemas/keys.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import { eventually } from "./eventually.ts";
import { DEMO_STORE } from "./glass.ts";

/**
 * Leaves the pictures of these items' labels to the merger: each item gets a record of page images. The renderer notices the
 * record when it draws a label again, so this waits until the merger has made the pictures of `barcodes` again.
 */
export async function leaveToMerger(
  { commit, records }: System,
  itemIds: readonly string[],
  barcodes: readonly string[] = [],
): Promise<void> {
  const idOf = new Map(itemIds.map((itemId) => [itemKey(DEMO_STORE, itemId), itemId]));
  const recordOf = (key: string): ItemPages => ({ itemId: idOf.get(key) ?? "", images: [], removed: [] });
  await commit.change(itemPages, [...idOf.keys()], recordOf, "bulk");
  const labels = barcodes.map((barcode) => labelKey(DEMO_STORE, barcode));
  await eventually("the merger has made the labels' pictures", async () => {
    const images = await records.read(eslImages, labels);
    const isMerged = (label: string) =>
      images.get(label)?.inputs?.some((input) => partsOfInput(input)?.kind === itemPages.name) ?? false;
    return labels.every(isMerged);
  });
}
