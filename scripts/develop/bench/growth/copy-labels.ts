import type { Db, Document } from "mongodb";
import { inBatches } from "../../../../schemas/in-batches.ts";
import { keysUnder } from "../../../../schemas/keys.ts";
import { barcodeFor } from "../../../operate/import/label-rows.ts";

/** An item and the label that shows it. */
export interface Shown {
  itemId: string;
  barcode: string;
}

type Stored = Document & { _id: string };

/** Few, because a state with its history takes 14 kB and even a slow server must respond in time. */
const LABELS_PER_WRITE = 100;
const DIGITS = 7;
/** The log of what labels showed is read only by time, and its entries expire, so a copy needs no past. */
const UNCOPIED: readonly string[] = ["glass"];

/** Returns the item at an index, and its label, in a store that is filled with copies. */
export function shownAt(index: number, labelType: string): Shown {
  const itemId = `copy-${String(index).padStart(DIGITS, "0")}`;
  return { itemId, barcode: barcodeFor(itemId, labelType) };
}

/**
 * Fills a store with labels as the pipeline leaves them: copies every document of labels that went through it, with the ids
 * of item and label replaced, and with their revs and pictures. So a copy is as consistent as its original. Returns the
 * number of documents by collection. Written without publishing: no topic announces them.
 */
export async function copyLabels(
  db: Db,
  store: string,
  originals: readonly Shown[],
  copies: readonly Shown[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of collections.filter((one) => !UNCOPIED.includes(one.name))) {
    const ofOriginals = await documentsOf(db, name, store, originals);
    let copied = 0;
    for (const batch of inBatches(copies, LABELS_PER_WRITE)) {
      const documents = batch.flatMap((copy) => {
        const { from, documents } = ofOriginals[copied++ % ofOriginals.length] as (typeof ofOriginals)[number];
        return documents.map((document) => withIdsOf(document, from, copy));
      });
      if (documents.length === 0) continue;
      await db.collection<Stored>(name).insertMany(documents, { ordered: false });
      counts[name] = (counts[name] ?? 0) + documents.length;
    }
  }
  return counts;
}

/** Returns each label's documents in a collection of records: those whose key names the label, its link or its item. */
export async function documentsOf(db: Db, collection: string, store: string, labels: readonly Shown[]) {
  const found = await db
    .collection<Stored>(collection)
    .find({ _id: keysUnder(`${store}/`) })
    .toArray();
  return labels.map((from) => {
    const names = new RegExp(`/(${from.itemId}|${from.barcode}(-\\d+)?)(/|$)`);
    return { from, documents: found.filter(({ _id }) => names.test(_id)) };
  });
}

function withIdsOf(original: Stored, from: Shown, to: Shown): Stored {
  const replaced = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll(from.itemId, to.itemId).replaceAll(from.barcode, to.barcode);
    if (Array.isArray(value)) return value.map(replaced);
    if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one)]));
  };
  return replaced(original) as Stored;
}
