import { LRUCache } from "lru-cache";

const MAX_WATCHED = 10_000;

/**
 * Decides by this process's clock whether a lease has ended: its state, such as a rev or a date, has not changed for
 * `milliseconds` since this process first saw it. The clocks need not agree: a killed process whose clock was ahead keeps its
 * leases for no longer than any other process.
 */
export type LeaseWatch = (name: string, state: string | number, milliseconds: number) => boolean;

export function createLeaseWatch(clock: () => number): LeaseWatch {
  const seen = new LRUCache<string, { state: string | number; at: number }>({ max: MAX_WATCHED });
  return (name, state, milliseconds) => {
    const before = seen.get(name);
    if (before?.state === state) return clock() - before.at >= milliseconds;
    seen.set(name, { state, at: clock() });
    return false;
  };
}
