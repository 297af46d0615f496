import { changesItem, changesShown } from "../../domain/items/would-change.ts";
import { daysOfRefresh } from "../../domain/labels/care/battery-forecast.ts";
import { refreshesPerDay } from "../../domain/labels/care/refresh-counts.ts";
import { rounded } from "../../domain/labels/care/rounded.ts";
import type { ChangeCost } from "../../schemas/change-cost.ts";
import { inBatches } from "../../schemas/in-batches.ts";
import type { Item, ItemPatch } from "../../schemas/item.ts";
import type { LinkAnswer } from "../../schemas/link.ts";
import type { CareFacts } from "../labels/care/read-care.ts";

export interface ChangeCostWorld {
  readItems(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, Item>>;
  /** Reads the ACTIVE links of each item, by item id. */
  readLinks(store: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, LinkAnswer[]>>;
  /** Reads what is known about the care of these labels; labels that do not exist are left out. */
  readCares(store: string, barcodes: readonly string[]): Promise<CareFacts[]>;
  now(): Date;
}

const ITEMS_PER_READ = 500;
/** All labels are counted; the cost of a refresh is the mean over at most this many. */
const MAX_SAMPLES = 1_000;

/** Computes how many labels these rows would refresh, and what that costs their batteries. Writes nothing. */
export async function changeCost(
  { readItems, readLinks, readCares, now }: ChangeCostWorld,
  store: string,
  rows: readonly ItemPatch[],
): Promise<ChangeCost> {
  const byItem = Map.groupBy(rows, ({ itemId }) => itemId);
  const barcodes = new Set<string>();
  let items = 0;
  for (const itemIds of inBatches([...byItem.keys()], ITEMS_PER_READ)) {
    const present = await readItems(store, itemIds);
    const links = await readLinks(store, itemIds);
    for (const itemId of itemIds) {
      const ofItem = byItem.get(itemId) ?? [];
      const isChanged = ofItem.some((row) => changesItem(present.get(itemId), row));
      const isShown = isChanged && ofItem.some((row) => changesShown(present.get(itemId), row));
      const linked = new Set(links.get(itemId)?.map(({ barcode }) => barcode));
      // Links in a row show its item on additional labels.
      const added = ofItem.flatMap((row) => row.links ?? []).filter(({ barcode }) => !linked.has(barcode));
      if (isChanged || added.length > 0) items += 1;
      for (const barcode of [...(isShown ? linked : []), ...added.map((link) => link.barcode)]) barcodes.add(barcode);
    }
  }
  const cares = await readCares(store, sampleOf([...barcodes], MAX_SAMPLES));
  const days = cares.map(({ care, type }) => daysOfRefresh({ ...type, refreshesPerDay: refreshesPerDay(care, now()) }));
  return { items, labels: barcodes.size, daysEach: days.length === 0 ? null : rounded(meanOf(days)) };
}

/** Returns at most `most` elements, evenly spread. */
function sampleOf<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, index) => all[Math.floor(index * step)] as T);
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
