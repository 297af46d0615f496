import type { DecimalSign } from "../prices/decimal-sign.ts";
import { isLargeChange, isPrice, jumpOf } from "../prices/read-price.ts";
import { changesOf } from "./changes-of-item.ts";
import { type ItemRow, itemOf, type Target } from "./columns.ts";
import type { CsvRow } from "./csv.ts";
import type { ItemAnswer } from "./searched-fields.ts";

/** The API's limits on a string, or on each string in a list. */
export interface Bound {
  maxLength: number;
  pattern: string;
}
export type Bounds = Readonly<Record<Exclude<Target, "" | "property"> | "propertyKey" | "property", Bound>>;

type CompiledBounds = Readonly<Record<keyof Bounds, { maxLength: number; pattern: RegExp }>>;

/** A row of the file, with the resulting item. */
export interface PlannedRow {
  line: number;
  item: ItemRow;
}

/** Why a row cannot be accepted. */
export interface RowFault {
  line: number;
  itemId: string;
  fault: "missing" | "twice" | "long" | "characters" | "columns" | "price";
  values?: Record<string, string | number>;
}

/** Separates the rows that the interface would reject, with the reason for each. */
export function checkRows(
  rows: readonly CsvRow[],
  header: readonly string[],
  columns: readonly Target[],
  bounds: Bounds,
  decimal: DecimalSign,
): { valid: PlannedRow[]; faults: RowFault[] } {
  const valid: PlannedRow[] = [];
  const faults: RowFault[] = [];
  const lines = new Map<string, number>();
  const compiled = Object.fromEntries(
    Object.entries(bounds).map(([field, { maxLength, pattern }]) => [
      field,
      { maxLength, pattern: new RegExp(pattern, "u") },
    ]),
  ) as CompiledBounds;
  for (const { line, cells } of rows) {
    const item = itemOf(cells, header, columns, decimal);
    const { itemId } = item;
    const fault = faultOf(item, cells.length > header.length, lines.get(itemId), compiled);
    if (fault !== undefined) faults.push({ line, itemId, ...fault });
    else {
      lines.set(itemId, line);
      valid.push({ line, item });
    }
  }
  return { valid, faults };
}

type Fault = Pick<RowFault, "fault" | "values">;

function faultOf(
  item: ItemRow,
  isTooWide: boolean,
  twice: number | undefined,
  bounds: CompiledBounds,
): Fault | undefined {
  if (isTooWide) return { fault: "columns" };
  if (item.itemId === "") return { fault: "missing" };
  if (twice !== undefined) return { fault: "twice", values: { first: twice } };
  for (const [field, text] of textsOf(item)) {
    const { maxLength, pattern } = bounds[field];
    if ([...text].length > maxLength) return { fault: "long", values: { field, count: maxLength } };
    if (!pattern.test(text)) return { fault: "characters", values: { field } };
  }
  const { price } = item;
  return price === undefined || isPrice(price) ? undefined : { fault: "price", values: { value: price } };
}

function textsOf({ sics = [], properties = {}, ...texts }: ItemRow): [keyof Bounds, string][] {
  return [
    ...(Object.entries(texts) as [keyof Bounds, string][]),
    ...sics.map((code): [keyof Bounds, string] => ["sics", code]),
    ...Object.entries(properties).flatMap(([key, value]): [keyof Bounds, string][] => [
      ["propertyKey", key],
      ["property", value],
    ]),
  ];
}

/** A price that an import changes. */
export interface PriceChange {
  name: string;
  from: string;
  to: string;
}

export interface Comparison {
  /** Rows that create or change an item; the others would change nothing. */
  toSend: PlannedRow[];
  created: number;
  changed: number;
  unchanged: number;
  /** Sorted by size, the largest first. */
  prices: PriceChange[];
  /** Large changes, which a person must confirm. */
  large: PriceChange[];
}

/** Determines what an import would do to the existing items. */
export function compareRows(rows: readonly PlannedRow[], present: ReadonlyMap<string, ItemAnswer>): Comparison {
  const result: Comparison = { toSend: [], created: 0, changed: 0, unchanged: 0, prices: [], large: [] };
  for (const row of rows) {
    const { item } = row;
    const now = present.get(item.itemId);
    if (now === undefined) result.created += 1;
    else if (Object.keys(patchOf(now, item)).length > 0) {
      result.changed += 1;
      if (item.price !== undefined && item.price !== now.price)
        result.prices.push({
          name: item.itemName ?? now.itemName ?? item.itemId,
          from: now.price ?? "",
          to: item.price,
        });
    } else {
      result.unchanged += 1;
      continue;
    }
    result.toSend.push(row);
  }
  result.prices.sort((one, other) => jumpOf(other.from, other.to) - jumpOf(one.from, one.to));
  result.large = result.prices.filter(({ from, to }) => isLargeChange(from, to));
  return result;
}

/** Returns what a row changes in its item: properties are merged key by key, and a list of codes replaces the item's. */
function patchOf(now: ItemAnswer, row: ItemRow): Record<string, unknown> {
  const wanted = {
    ...now,
    ...row,
    sics: row.sics ?? now.sics,
    properties: { ...now.properties, ...row.properties },
  };
  return changesOf(now, wanted).patch;
}
