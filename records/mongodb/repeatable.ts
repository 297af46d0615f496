/**
 * The options of a write that is repeated if a failover undoes it: a sweep, an audit or the next caller notices that it is
 * missing. Such a write waits only for the primary; every other write waits for a majority.
 */
export const REPEATABLE = { writeConcern: { w: 1, journal: false } } as const;
