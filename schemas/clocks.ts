/**
 * Maximum difference between the clocks of processes, in milliseconds. A decision that depends on a time stored by
 * another process treats that time as uncertain by this amount.
 */
export const CLOCKS_APART_MS = 30_000;

/**
 * Maximum difference between the database's time in two processes, in milliseconds
 * (docs/decisions/records/database-time.md): each reading may be off by half a second, and clocks drift between readings.
 */
export const DATABASE_CLOCKS_APART_MS = 5_000;
