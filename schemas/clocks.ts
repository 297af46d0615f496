/**
 * By how much clocks of processes may differ, in milliseconds. Where a time that another process stored decides, it is
 * taken to be uncertain by this.
 */
export const CLOCKS_APART_MS = 30_000;
