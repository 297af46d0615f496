import { LRUCache } from "lru-cache";
import { stores } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import type { PriorPriceRules } from "../../schemas/charged.ts";
import type { ItemWorld } from "./world.ts";

const CACHE_TTL_MS = 5_000;
const MAX_CACHED_STORES = 10_000;

/**
 * Finds stores' rules for prior prices. The rules are cached, so that price changes need no additional read; a change to the
 * rules takes effect within CACHE_TTL_MS.
 */
export function createPriorPriceRules(records: Records, clock: () => number): ItemWorld["priorPriceRulesOf"] {
  const known = new LRUCache<string, { rules: PriorPriceRules; readAt: number }>({ max: MAX_CACHED_STORES });
  return async (store) => {
    const cached = known.get(store);
    if (cached && clock() - cached.readAt < CACHE_TTL_MS) return cached.rules;
    const found = (await records.readFields(stores, [store], ["priorPrice"])).get(store)?.priorPrice ?? {};
    const { perishable: _, ...rules } = found;
    known.set(store, { rules, readAt: clock() });
    return rules;
  };
}
