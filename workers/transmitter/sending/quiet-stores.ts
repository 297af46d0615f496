import { LRUCache } from "lru-cache";
import { quietUntil } from "../../../domain/labels/care/quiet-hours.ts";
import { stores } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import type { Store } from "../../../schemas/store.ts";

type Hours = Pick<Store, "quietHours" | "timeZone">;

/**
 * Returns the time until which each of these stores is quiet; undefined for a store that is not quiet. `known` holds stores
 * that the caller has just read.
 */
export type QuietStores = (
  keys: readonly string[],
  known?: ReadonlyMap<string, Hours>,
) => Promise<(store: string) => Date | undefined>;

interface Dependencies {
  records: Pick<Records, "readFields">;
  clock(): number;
  now(): Date;
}

/** Maximum time for which a process uses quiet hours that it has read. */
export const QUIET_HOURS_TTL_MS = 60_000;
const MAX_CACHED_STORES = 10_000;

/** Reads a store's quiet hours once a minute, not for each picture; a change takes effect within a minute. */
export function createQuietStores({ records, clock, now }: Dependencies): QuietStores {
  const cache = new LRUCache<string, { hours: Hours | undefined; readAt: number }>({ max: MAX_CACHED_STORES });

  function keep(keys: readonly string[], found: ReadonlyMap<string, Hours>): void {
    for (const key of keys) cache.set(key, { hours: hoursIn(found.get(key)), readAt: clock() });
  }

  return async (keys, known = new Map()) => {
    const isFresh = (key: string) =>
      clock() - (cache.get(key)?.readAt ?? Number.NEGATIVE_INFINITY) < QUIET_HOURS_TTL_MS;
    keep([...known.keys()], known);
    const unread = [...new Set(keys)].filter((key) => !isFresh(key));
    if (unread.length > 0) keep(unread, await records.readFields(stores, unread, ["quietHours", "timeZone"]));
    const hoursOf = new Map(keys.map((key) => [key, cache.get(key)?.hours]));
    return (store) => {
      const hours = hoursOf.get(store);
      return hours && quietUntil(hours, now());
    };
  };
}

/** Returns only these fields, since a store may have thousands of transceivers. */
const hoursIn = (store: Hours | undefined): Hours | undefined =>
  store?.quietHours && { quietHours: store.quietHours, timeZone: store.timeZone };
