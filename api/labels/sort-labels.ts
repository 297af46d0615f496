import type { Value } from "./label-facts.ts";

/** A label in a sorted list: its barcode, and the value that it is sorted by. */
export interface Entry {
  barcode: string;
  value: Value;
}

/** Below this it is not worth to sort before the end. */
const MIN_CAPACITY = 5_000;

type Compare = (one: Entry, other: Entry) => number;

/**
 * Orders labels by a value: dates by time, texts by code point, unknown ones last in both directions. Equal values are
 * in order of barcodes, so that every label has one place and pages neither repeat nor skip.
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

/**
 * Collects entries and keeps the first `count` in order, so that a short page of a long list costs the memory of a
 * short list.
 */
export function keepFirst(count: number, compare: Compare, leastRoom = MIN_CAPACITY) {
  const room = Math.max(2 * count, leastRoom);
  let kept: Entry[] = [];
  const trim = () => {
    kept = kept.sort(compare).slice(0, count);
  };
  return {
    add(entries: readonly Entry[]): void {
      for (const entry of entries) kept.push(entry);
      if (kept.length > room) trim();
    },
    /** The first ones in order. */
    end(): Entry[] {
      trim();
      return kept;
    },
  };
}

function compareValues(one: string | Date, other: string | Date): number {
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other);
  return Number(one) - Number(other);
}

/** By code point, as the database orders keys; `<` alone orders by UTF-16 units. */
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

/** Surrogates stand for code points above all other units. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit);
