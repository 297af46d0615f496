import type { EanLength } from "./encode-ean.ts";

/** The digits below the bars of an EAN or UPC, and the bars that extend between them, in modules from the first bar. */
export interface GuardedDigits {
  /** The first column of each digit, which is 7 modules wide, like the digit's bars. */
  columns: readonly number[];
  /** First module, and last module + 1, of the bars that are longer than the others. */
  guards: readonly (readonly [from: number, to: number])[];
}

export const DIGIT_MODULES = 7;
/** The column of a digit to the left of the bars, with a gap of one module. */
const BEFORE = -DIGIT_MODULES - 1;

const run = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index * DIGIT_MODULES);

/** In a UPC-A, the bars of the first and the last digit are also long (GS1 General Specifications, section 5.2). */
const layouts: Readonly<Record<EanLength, GuardedDigits>> = {
  8: {
    columns: [...run(3, 4), ...run(36, 4)],
    guards: [
      [0, 3],
      [31, 36],
      [64, 67],
    ],
  },
  12: {
    columns: [BEFORE, ...run(10, 5), ...run(50, 5), 96],
    guards: [
      [0, 10],
      [45, 50],
      [85, 95],
    ],
  },
  13: {
    columns: [BEFORE, ...run(3, 6), ...run(50, 6)],
    guards: [
      [0, 3],
      [45, 50],
      [92, 95],
    ],
  },
};

/** Returns the layout of the digits of an EAN or UPC with this many digits between its guard bars. */
export const guardedDigits = (length: EanLength): GuardedDigits => layouts[length];
