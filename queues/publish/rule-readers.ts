import { LRUCache } from "lru-cache";
import { CAMPAIGN_DESIGN } from "../../domain/packs/item-keys.ts";
import { communicationPacks } from "../../records/kinds/designs.ts";
import { stores, tenants } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import { ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Change } from "../../schemas/topics.ts";

/**
 * Returns the item changes that no rule reads. For these, the active pack chooses as before, so the evaluator has nothing to
 * do. Packs are read after the items are written; if a pack becomes active later, all links are evaluated again, which covers
 * the changes.
 */
export type FindUnread = (changes: readonly Change[]) => Promise<ReadonlySet<Change>>;

/** Maximum number of tenants whose active pack this process remembers, so that it can read the pack together with the tenant. */
const MAX_TENANTS = 1_000;

export function createFindUnread({
  readTogether,
  readFields,
}: Pick<Records, "readTogether" | "readFields">): FindUnread {
  const lastActive = new LRUCache<string, string>({ max: MAX_TENANTS });

  /**
   * Reads which item keys each store's pack reads. Stores without a pack, or whose pack does not list its keys, are left out.
   */
  async function readKeys(owners: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
    const ofTenants = [...new Set(owners.map(tenantOf))];
    const expected = ofTenants.flatMap((tenant) => lastActive.get(tenant) ?? []);
    const [tenantRecords, storeRecords, packs] = await readTogether([
      { kind: tenants, keys: ofTenants, fields: ["communicationPack"] },
      { kind: stores, keys: owners, fields: ["communicationPack"] },
      { kind: communicationPacks, keys: expected, fields: ["itemKeys"] },
    ]);
    for (const [tenant, { communicationPack: pack }] of tenantRecords) if (pack) lastActive.set(tenant, pack);
    const active = owners.flatMap((store) => {
      const ofTenant = tenantRecords.get(tenantOf(store))?.communicationPack;
      const pack = storeRecords.get(store)?.communicationPack ?? ofTenant;
      return pack ? [[store, pack] as const] : [];
    });
    const others = active.map(([, pack]) => pack).filter((pack) => !packs.has(pack));
    const found = new Map([
      ...packs,
      ...(others.length > 0 ? await readFields(communicationPacks, others, ["itemKeys"]) : []),
    ]);
    return new Map(
      active.flatMap(([store, pack]) => {
        const keys = found.get(pack)?.itemKeys;
        return keys === undefined ? [] : [[store, new Set(keys)] as const];
      }),
    );
  }

  return async (changes) => {
    const known = changes.filter(({ itemKeys, operation }) => itemKeys !== undefined && operation === "UPDATED");
    if (known.length === 0) return new Set();
    const keysOf = await readKeys([...new Set(known.map(({ key }) => ownerOf(key)))]);
    return new Set(
      known.filter(({ key, itemKeys = [] }) => {
        const read = keysOf.get(ownerOf(key));
        return read !== undefined && !itemKeys.some((one) => one === CAMPAIGN_DESIGN || read.has(one));
      }),
    );
  };
}
