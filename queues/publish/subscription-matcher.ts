import type { Stored } from "../../records/kind.ts";
import { subscriptions as kind } from "../../records/kinds/subscription.ts";
import { type Records, readAll } from "../../records/records.ts";
import { sourcesOf } from "../../schemas/events.ts";
import { storeIds, storeOf, tenantOf } from "../../schemas/keys.ts";
import type { Subscription } from "../../schemas/subscription.ts";
import type { Topic } from "../../schemas/topics.ts";

/** Who has subscribed to what, as it was at most two seconds ago. */
export interface SubscriptionMatcher {
  /** The subscriptions that hear of this topic's changes, by tenant. */
  byTenant(topic: Topic): Promise<ReadonlyMap<string, readonly Stored<Subscription>[]>>;
}

const CACHE_TTL_MS = 2_000;

/** Keeps the subscriptions in memory: they are few, and every change asks for them. */
export function createSubscriptionMatcher(records: Records, clock: () => number): SubscriptionMatcher {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<readonly Stored<Subscription>[]> = Promise.resolve([]);

  function read(): Promise<readonly Stored<Subscription>[]> {
    if (clock() - readAt < CACHE_TTL_MS) return reading;
    readAt = clock();
    reading = readAll(records, kind, "t/").then((all) => all.filter(({ stopped }) => stopped === undefined));
    reading.catch(() => {
      // Nobody may take it for an answer that there are none.
      readAt = Number.NEGATIVE_INFINITY;
    });
    return reading;
  }

  return {
    async byTenant(topic) {
      const hearing = (await read()).filter(({ topics }) => topics.some((one) => sourcesOf(one).includes(topic)));
      return Map.groupBy(hearing, ({ _id }) => tenantOf(_id));
    },
  };
}

/** Whether a subscription hears of a key: it is of its tenant, and of a store that it names. */
export function matchesKey({ _id, stores }: Pick<Stored<Subscription>, "_id" | "stores">, key: string): boolean {
  if (tenantOf(_id) !== tenantOf(key)) return false;
  const isOfStore = key.startsWith(`${tenantOf(key)}/s/`);
  return stores === undefined || !isOfStore || stores.includes(storeIds(storeOf(key)).storeId);
}
