import { LRUCache } from "lru-cache";

const MAX_WATCHED = 10_000;

/**
 * Decides by the clock of this process whether a lease has ended: whether its state, such as a rev or a date, has been
 * the same for `milliseconds` since this process first saw it. This requires no agreement between clocks: a killed
 * process with a fast clock holds its leases no longer than any other.
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
