import type { System } from "../../queues/system.ts";
import { itemPages } from "../../records/kinds/items.ts";
import { itemKey } from "../../schemas/keys.ts";
import type { ItemPages } from "../../schemas/page-image.ts";
import { DEMO_STORE } from "./glass.ts";

/** From now on the pictures of these items' labels are the merger's work: each item has a record of page images. */
export async function leaveToMerger({ commit }: System, itemIds: readonly string[]): Promise<void> {
  const idOf = new Map(itemIds.map((itemId) => [itemKey(DEMO_STORE, itemId), itemId]));
  const recordOf = (key: string): ItemPages => ({ itemId: idOf.get(key) ?? "", images: [], removed: [] });
  await commit.change(itemPages, [...idOf.keys()], recordOf, "bulk");
}
