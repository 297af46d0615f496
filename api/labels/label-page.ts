import { inBatches } from "../../schemas/in-batches.ts";
import type { Place } from "../query/cursor.ts";
import { filterFields, type LabelListing, readOwn } from "./label-batches.ts";
import { fieldValue, type LabelFacts, wantedFor } from "./label-fields.ts";
import { LABELS_PER_BATCH, type LabelReader } from "./label-reader.ts";
import { collectFirst, type Entry, orderBy } from "./sort-labels.ts";

/** A part of a list of labels that begins after a place, or at the beginning. */
export type LabelPageListing = Omit<LabelListing, "start"> & { after: Place | undefined };

/** The labels of a page, in batches, and its last place; the place is absent if no label follows. */
interface LabelPage {
  batches: AsyncIterable<LabelFacts[]>;
  next: Place | undefined;
}

/**
 * Reads a page of labels. Its labels are determined before the first is returned, so that the next page begins exactly
 * after its last label, even if labels change while the page is sent.
 */
export async function labelPage(reader: LabelReader, listing: LabelPageListing): Promise<LabelPage> {
  const { limit, fields, sortProperty } = listing;
  const isByBarcode = sortProperty === "barcode";
  const entries = await (isByBarcode ? entriesByBarcode : entriesByValue)(reader, listing);
  const page = entries.slice(0, limit);
  const shown = wantedFor(fields);
  async function* read(): AsyncGenerator<LabelFacts[]> {
    for (const batch of inBatches(page, LABELS_PER_BATCH)) {
      const barcodes = batch.map(({ barcode }) => barcode);
      yield await reader.complete(await reader.read(barcodes, shown.own), shown);
    }
  }
  const last = entries.length > limit ? page.at(-1) : undefined;
  const next = last && { id: last.barcode, ...(!isByBarcode && { value: last.value }) };
  return { batches: read(), next };
}

/** Returns the first `limit + 1` labels after the given position, ordered by barcode. */
async function entriesByBarcode(reader: LabelReader, listing: LabelPageListing): Promise<Entry[]> {
  const { states, limit, after } = listing;
  const filtered = filterFields(states);
  const wanted = wantedFor(filtered);
  const found: Entry[] = [];
  const part = { after: after?.id, ...(filtered.length === 0 && { limit: limit + 1 }) };
  for await (const batch of readOwn(reader, listing, wanted, part)) {
    const facts =
      filtered.length === 0 ? batch.map((label) => ({ label })) : await reader.complete(batch, wanted, states);
    for (const { label } of facts) found.push({ barcode: label.barcode, value: label.barcode });
    if (found.length > limit) break;
  }
  return found.slice(0, limit + 1);
}

/** Returns the first `limit + 1` labels after the place, ordered by a property other than the barcode. */
async function entriesByValue(reader: LabelReader, listing: LabelPageListing): Promise<Entry[]> {
  const { states, sortProperty, descending, limit, after } = listing;
  const wanted = wantedFor([sortProperty, ...filterFields(states)]);
  const compare = orderBy(descending);
  const first = collectFirst(limit + 1, compare);
  const from = after && { barcode: after.id, value: after.value ?? null };
  for await (const batch of readOwn(reader, { ...listing, descending: false }, wanted, {})) {
    const facts = await reader.complete(batch, wanted, states);
    const entries = facts.map((one) => ({ barcode: one.label.barcode, value: fieldValue(one, sortProperty) }));
    first.add(from === undefined ? entries : entries.filter((entry) => compare(entry, from) > 0));
  }
  return first.end();
}
