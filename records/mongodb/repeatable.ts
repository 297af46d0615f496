/**
 * The options of a write that is made again if a failover undoes it: a sweep, an audit or the next caller finds that it is
 * missing. It waits for the primary alone; every other write waits for a majority.
 */
export const REPEATABLE = { writeConcern: { w: 1, journal: false } } as const;
