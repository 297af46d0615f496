/**
 * Maximum difference between the clocks of processes, in milliseconds. A decision that depends on a time stored by
 * another process treats that time as uncertain by this amount.
 */
export const CLOCKS_APART_MS = 30_000;
