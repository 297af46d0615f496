import type { Db } from "mongodb";
import { itemVariables } from "../../domain/expression/variables.ts";
import { createPropertyCounts } from "../../domain/items/count-properties.ts";
import { items } from "../../records/kinds/items.ts";
import { stores } from "../../records/kinds/tenants.ts";
import { listRecords } from "../../records/list-records.ts";
import type { Records } from "../../records/records.ts";
import { exists } from "../../schemas/item.ts";
import { ItemProperties } from "../../schemas/item-properties.ts";
import { storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { requireScope } from "../access/authorize.ts";
import { tenantRoute } from "../http/route.ts";

/** Counts the properties and other fields of a tenant's items. */
export type ReadItemProperties = (tenant: string) => Promise<ItemProperties>;

export interface ItemPropertiesWorld {
  readItemProperties: ReadItemProperties;
}

interface SampleWorld {
  db: Db;
  records: Pick<Records, "scanKeys">;
  /** Milliseconds of a monotonic clock. */
  clock(): number;
}

/** Bounds of a sample: the number of stores, and of items across all of them. */
export const sampleLimits = { stores: 100, items: 10_000 };
const FEWEST_OF_STORE = 100;
const CACHE_TTL_MS = 60_000;
const MAX_CACHED = 100;

/** Returns a function that reads a sample of the items in a tenant's stores, at most once a minute. */
export function createReadItemProperties({ db, records, clock }: SampleWorld): ReadItemProperties {
  const cached = new Map<string, { at: number; found: Promise<ItemProperties> }>();

  async function sample(tenant: string): Promise<ItemProperties> {
    const all = (await Array.fromAsync(records.scanKeys(stores, storeKey(tenantIdOf(tenant), "")))).flat();
    const chosen = all.slice(0, sampleLimits.stores);
    const limit = Math.max(FEWEST_OF_STORE, Math.floor(sampleLimits.items / Math.max(1, chosen.length)));
    const counts = createPropertyCounts();
    let [sampled, isWhole] = [0, chosen.length === all.length];
    for (const store of chosen) {
      let ofStore = 0;
      for await (const batch of listRecords(db, items, { prefix: `${store}/items/`, limit })) {
        ofStore += batch.length;
        for (const item of batch.filter(exists)) {
          sampled += 1;
          counts.add(itemVariables(item));
        }
      }
      isWhole &&= ofStore < limit;
    }
    return { sampled, isWhole, properties: counts.result() };
  }

  return (tenant) => {
    const known = cached.get(tenant);
    if (known && clock() - known.at < CACHE_TTL_MS) return known.found;
    if (cached.size >= MAX_CACHED) cached.clear();
    const found = sample(tenant);
    cached.set(tenant, { at: clock(), found });
    // A failed read is not cached.
    found.catch(() => cached.delete(tenant));
    return found;
  };
}

/** The catalogue of values that rules and designs can name. */
export const itemProperties = ({ readItemProperties }: ItemPropertiesWorld) => [
  tenantRoute({
    method: "GET",
    path: "/item-properties",
    operationId: "listItemProperties",
    summary: "List the fields of the tenant's items, with their frequency and values",
    description:
      "At most 10,000 items of at most 100 stores are read, at most once a minute. It also requires the scope `items:read`.",
    scope: "design:read",
    answers: { 200: ItemProperties },
    async handle({ tenant, permit }) {
      requireScope(permit, "items:read", ", which values of items require");
      return { status: 200, body: await readItemProperties(tenant) };
    },
  }),
];
