import { Type } from "typebox";

/**
 * A stamp says when something took effect: the store's number of its request and its row there,
 * as one integer that sorts like the pair. Numbers have 31 bits, rows at most 20,000, so the
 * whole stays below 2^53.
 */
export const Stamp = Type.Integer({ minimum: 0 });

const ROWS = 2 ** 15;

/** The stamp of a request's row. The later stamp wins a field. */
export const stampOf = (number: number, row: number): number => number * ROWS + row;

/** The number of the request that made a stamp. */
export const numberOf = (stamp: number): number => Math.floor(stamp / ROWS);
