import { Type } from "typebox";

/**
 * A stamp orders writes: the number of a request in its store and the index of a row in it, as one integer that
 * sorts like the pair. Numbers have 31 bits and a request at most 20,000 rows, so a stamp stays below 2^53.
 */
export const Stamp = Type.Integer({ minimum: 0 });

const ROWS_PER_NUMBER = 2 ** 15;
/** Later than the stamp of any write, for a write that is only tried. */
export const LAST_STAMP = Number.MAX_SAFE_INTEGER;

/** Returns the stamp of a request's row. Of two writes to a field, the write with the larger stamp wins. */
export const stampOf = (number: number, row: number): number => number * ROWS_PER_NUMBER + row;

/** Returns the index of a stamp's row in its request. */
export const rowOf = (stamp: number): number => stamp % ROWS_PER_NUMBER;

/** Returns the number of a stamp's request. */
export const numberOf = (stamp: number): number => Math.floor(stamp / ROWS_PER_NUMBER);
