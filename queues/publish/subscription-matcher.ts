import { subscriptions as kind } from "../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../records/records.ts";
import { sourcesOf } from "../../schemas/events.ts";
import { storeIds, storeOf, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Subscription } from "../../schemas/subscription.ts";
import type { Topic } from "../../schemas/topics.ts";

/** The active subscriptions, as MongoDB had them at most two seconds ago. */
export interface SubscriptionMatcher {
  /** The subscriptions to this topic's changes, by tenant. */
  byTenant(topic: Topic): Promise<ReadonlyMap<string, readonly Stored<Subscription>[]>>;
}

const CACHE_TTL_MS = 2_000;

/** Caches all subscriptions in memory: they are few, and are read for every published change. */
export function createSubscriptionMatcher(records: Records, clock: () => number): SubscriptionMatcher {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<readonly Stored<Subscription>[]> = Promise.resolve([]);

  function read(): Promise<readonly Stored<Subscription>[]> {
    if (clock() - readAt < CACHE_TTL_MS) return reading;
    readAt = clock();
    reading = readAll(records, kind, "t/").then((all) => all.filter(({ stopped }) => stopped === undefined));
    reading.catch(() => {
      // A failed read is not cached: the next call reads again.
      readAt = Number.NEGATIVE_INFINITY;
    });
    return reading;
  }

  return {
    async byTenant(topic) {
      const matching = (await read()).filter(({ topics }) => topics.some((named) => sourcesOf(named).includes(topic)));
      return Map.groupBy(matching, ({ _id }) => tenantOf(_id));
    },
  };
}

/**
 * Whether a subscription covers a key of its tenant: the key of a store must belong to one of its `stores`, if it has any. The
 * tenant's own keys are always covered.
 */
export function matchesKey({ _id, stores }: Pick<Stored<Subscription>, "_id" | "stores">, key: string): boolean {
  if (tenantOf(_id) !== tenantOf(key)) return false;
  const isOfStore = key.startsWith(`${tenantOf(key)}/s/`);
  return stores === undefined || !isOfStore || stores.includes(storeIds(storeOf(key)).storeId);
}
