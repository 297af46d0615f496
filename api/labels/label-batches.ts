import type { LabelScalar } from "../../schemas/label.ts";
import { fieldValue, type LabelFacts, type LabelField, type OwnPart, type Wanted, wantedFor } from "./label-facts.ts";
import { LABELS_PER_BATCH, type LabelReader, type StateFilter } from "./label-reader.ts";
import { compareTexts, keepFirst, orderBy } from "./sort-labels.ts";

/** Which labels a list shows, in which order, and what of them. */
export interface LabelListing {
  fields: readonly LabelField[];
  barcodes?: readonly string[] | undefined;
  modelNames?: readonly string[] | undefined;
  states: StateFilter;
  sortProperty: LabelScalar;
  descending: boolean;
  start: number;
  limit: number;
}

/** Where nothing is read beside a few fields of the labels' own records, a page may be large. */
const LABELS_PER_LEAN_BATCH = 500;

/**
 * The labels of a list, page by page. In order of barcodes they are read as they are shown; in another order the value
 * of every label is looked at first, and then the labels of the asked part are read.
 */
export function labelBatches(reader: LabelReader, listing: LabelListing): AsyncIterable<LabelFacts[]> {
  return listing.sortProperty === "barcode" ? inOrderOfBarcodes(reader, listing) : inOrderOfValues(reader, listing);
}

async function* inOrderOfBarcodes(reader: LabelReader, listing: LabelListing): AsyncGenerator<LabelFacts[]> {
  const { barcodes, states, fields, start, limit } = listing;
  const filtered = filterFields(states);
  const shown = wantedFor([...fields, ...filtered]);
  const passedOver = wantedFor(filtered);
  const isCounted = barcodes === undefined && filtered.length === 0;
  const pages = readOwn(reader, listing, shown, isCounted ? { start, limit } : {});
  let toPass = isCounted ? 0 : start;
  let left = limit;
  for await (const page of pages) {
    // As long as no label of a page can be shown, whatever matches, only what the filter looks at is read.
    const found = await reader.complete(page, page.length <= toPass ? passedOver : shown, states);
    const taken = found.slice(toPass, toPass + left);
    toPass = Math.max(0, toPass - found.length);
    left -= taken.length;
    if (taken.length > 0) yield taken;
    if (left === 0) return;
  }
}

async function* inOrderOfValues(reader: LabelReader, listing: LabelListing): AsyncGenerator<LabelFacts[]> {
  const { states, sortProperty, descending, fields, start, limit } = listing;
  const looked = wantedFor([sortProperty, ...filterFields(states)]);
  const first = keepFirst(start + limit, orderBy(descending));
  for await (const page of readOwn(reader, { ...listing, descending: false }, looked, {})) {
    const found = await reader.complete(page, looked, states);
    first.add(found.map((facts) => ({ barcode: facts.label.barcode, value: fieldValue(facts, sortProperty) })));
  }
  const shown = wantedFor(fields);
  const barcodes = first
    .end()
    .slice(start)
    .map(({ barcode }) => barcode);
  for (let index = 0; index < barcodes.length; index += LABELS_PER_BATCH) {
    const page = await reader.read(barcodes.slice(index, index + LABELS_PER_BATCH), shown.own);
    yield await reader.complete(page, shown);
  }
}

/** The own records of the labels that the list is made from: of those that are named, or of all. */
async function* readOwn(
  reader: LabelReader,
  { barcodes, modelNames, descending }: LabelListing,
  { own, state, links }: Wanted,
  part: { start?: number; limit?: number },
): AsyncGenerator<OwnPart[]> {
  if (barcodes === undefined) {
    const pageSize = state.length > 0 || links ? LABELS_PER_BATCH : LABELS_PER_LEAN_BATCH;
    yield* reader.list({ modelNames, descending, batchSize: pageSize, ...part }, own);
    return;
  }
  const named = [...new Set(barcodes)].sort((one, other) => (descending ? -1 : 1) * compareTexts(one, other));
  for (let index = 0; index < named.length; index += LABELS_PER_BATCH) {
    const page = await reader.read(named.slice(index, index + LABELS_PER_BATCH), own);
    yield page.filter(({ modelName }) => modelNames?.includes(modelName) ?? true);
  }
}

const filterFields = ({ plState, batteryState }: StateFilter): LabelField[] => [
  ...(plState ? (["plState"] as const) : []),
  ...(batteryState ? (["batteryState"] as const) : []),
];
