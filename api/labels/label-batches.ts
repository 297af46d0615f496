import { inBatches } from "../../schemas/in-batches.ts";
import type { LabelScalar } from "../../schemas/label.ts";
import {
  fieldValue,
  type LabelFacts,
  type LabelField,
  type OwnFilter,
  type OwnPart,
  type StateFilter,
  type Wanted,
  wantedFor,
} from "./label-fields.ts";
import { LABELS_PER_BATCH, type LabelReader } from "./label-reader.ts";
import { collectFirst, compareTexts, orderBy } from "./sort-labels.ts";

/** A list of labels: which labels, in which order, with which fields. */
export interface LabelListing {
  fields: readonly LabelField[];
  barcodes?: readonly string[] | undefined;
  /** Values that the labels' own records must have. */
  own: OwnFilter;
  states: StateFilter;
  sortProperty: LabelScalar;
  descending: boolean;
  start: number;
  limit: number;
}

/** A larger batch, for calls that read only a few fields of the labels' own records. */
const LABELS_PER_LEAN_BATCH = 500;

/**
 * Returns the labels of a list in batches. If the list is ordered by barcode, they are read in its order. Any other order
 * takes two steps: the sort value of every label is read first, then the labels of the requested part.
 */
export function labelBatches(reader: LabelReader, listing: LabelListing): AsyncIterable<LabelFacts[]> {
  return listing.sortProperty === "barcode" ? inOrderOfBarcodes(reader, listing) : inOrderOfValues(reader, listing);
}

async function* inOrderOfBarcodes(reader: LabelReader, listing: LabelListing): AsyncGenerator<LabelFacts[]> {
  const { barcodes, states, fields, start, limit } = listing;
  const filtered = filterFields(states);
  const shown = wantedFor([...fields, ...filtered]);
  const filterOnly = wantedFor(filtered);
  const canSkipInDatabase = barcodes === undefined && filtered.length === 0;
  const batches = readOwn(reader, listing, shown, canSkipInDatabase ? { start, limit } : {});
  let toSkip = canSkipInDatabase ? 0 : start;
  let left = limit;
  for await (const batch of batches) {
    // A batch that is skipped as a whole needs only the fields that the filter uses.
    const found = await reader.complete(batch, batch.length <= toSkip ? filterOnly : shown, states);
    const taken = found.slice(toSkip, toSkip + left);
    toSkip = Math.max(0, toSkip - found.length);
    left -= taken.length;
    if (taken.length > 0) yield taken;
    if (left === 0) return;
  }
}

async function* inOrderOfValues(reader: LabelReader, listing: LabelListing): AsyncGenerator<LabelFacts[]> {
  const { states, sortProperty, descending, fields, start, limit } = listing;
  const forSorting = wantedFor([sortProperty, ...filterFields(states)]);
  const first = collectFirst(start + limit, orderBy(descending));
  for await (const batch of readOwn(reader, { ...listing, descending: false }, forSorting, {})) {
    const found = await reader.complete(batch, forSorting, states);
    first.add(found.map((facts) => ({ barcode: facts.label.barcode, value: fieldValue(facts, sortProperty) })));
  }
  const shown = wantedFor(fields);
  const barcodes = first
    .end()
    .slice(start)
    .map(({ barcode }) => barcode);
  for (const batch of inBatches(barcodes, LABELS_PER_BATCH))
    yield await reader.complete(await reader.read(batch, shown.own), shown);
}

/** Yields a list's label records, before state filters apply: those of the named barcodes, or of all labels in the store. */
export async function* readOwn(
  reader: LabelReader,
  { barcodes, own: filter, descending }: Pick<LabelListing, "barcodes" | "own" | "descending">,
  { own, state, links }: Wanted,
  part: { start?: number; limit?: number; after?: string | undefined },
): AsyncGenerator<OwnPart[]> {
  if (barcodes === undefined) {
    const batchSize = state.length > 0 || links ? LABELS_PER_BATCH : LABELS_PER_LEAN_BATCH;
    yield* reader.list({ own: filter, descending, batchSize, ...part }, own);
    return;
  }
  const sign = descending ? -1 : 1;
  const { after } = part;
  const named = [...new Set(barcodes)]
    .filter((barcode) => after === undefined || sign * compareTexts(barcode, after) > 0)
    .sort((one, other) => sign * compareTexts(one, other));
  const filters = Object.entries(filter) as [keyof OwnFilter, readonly string[] | undefined][];
  const fields = [...new Set([...own, ...filters.map(([name]) => name)])];
  for (const batch of inBatches(named, LABELS_PER_BATCH)) {
    const read = await reader.read(batch, fields);
    yield read.filter((label) => filters.every(([name, values]) => values?.includes(label[name] ?? "") ?? true));
  }
}

/** The fields that the state filter needs. */
export const filterFields = ({ plState, batteryState, replaceWithin }: StateFilter): LabelField[] => [
  ...(plState ? (["plState"] as const) : []),
  ...(batteryState ? (["batteryState"] as const) : []),
  ...(replaceWithin === undefined ? [] : (["batteryDaysLeft"] as const)),
];
