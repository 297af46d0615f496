import type { Value } from "./label-fields.ts";

/** A label of a sorted list: its barcode and its sort value. */
export interface Entry {
  barcode: string;
  value: Value;
}

/** Up to this many entries are collected before the first trim: trimming fewer saves nothing. */
const MIN_CAPACITY = 5_000;

type Compare = (one: Entry, other: Entry) => number;

/**
 * Sorts labels by a value: dates by time, numbers by size, strings by code point, null last in both directions. Labels with
 * equal values are sorted by barcode, so that the order is total and pages neither repeat nor skip a label.
 */
export function orderBy(isDescending: boolean): Compare {
  return ({ value: one, barcode }, { value: other, barcode: otherBarcode }) => {
    if (one === null || other === null) {
      if (one !== other) return one === null ? 1 : -1;
    } else {
      const order = compareValues(one, other);
      if (order !== 0) return isDescending ? -order : order;
    }
    return compareTexts(barcode, otherBarcode);
  };
}

/** Collects entries and keeps only the first `count` in order: memory is bounded by `count`, not by the number of labels. */
export function collectFirst<One extends Entry>(count: number, compare: Compare, minCapacity = MIN_CAPACITY) {
  const capacity = Math.max(2 * count, minCapacity);
  let collected: One[] = [];
  const trim = () => {
    collected = collected.sort(compare).slice(0, count);
  };
  return {
    add(entries: readonly One[]): void {
      for (const entry of entries) collected.push(entry);
      if (collected.length > capacity) trim();
    },
    /** Returns the first `count` entries, in order. */
    end(): One[] {
      trim();
      return collected;
    },
  };
}

function compareValues(one: string | number | Date, other: string | number | Date): number {
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other);
  return Number(one) - Number(other);
}

/** Compares by code point, as the database orders keys; `<` compares UTF-16 units. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const unit = one.charCodeAt(index);
    const otherUnit = other.charCodeAt(index);
    if (unit !== otherUnit) return rank(unit) - rank(otherUnit);
  }
  return one.length - other.length;
}

/** Surrogates sort after all other units, because they encode the highest code points. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit);
