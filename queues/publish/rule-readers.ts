import { LRUCache } from "lru-cache";
import { communicationPacks } from "../../records/kinds/designs.ts";
import { tenants } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Change } from "../../schemas/topics.ts";

/**
 * Those of the changes of items that no rule reads: the active pack chooses as before, so the evaluator has nothing to do.
 * Packs are read after the items were written: a pack that becomes active later has all links evaluated again, and so
 * sees the change.
 */
export type FindUnread = (changes: readonly Change[]) => Promise<ReadonlySet<Change>>;

/** Tenants whose active pack this process remembers, to read it together with the tenant. */
const MAX_TENANTS = 1_000;

export function createFindUnread({
  readTogether,
  readFields,
}: Pick<Records, "readTogether" | "readFields">): FindUnread {
  const lastActive = new LRUCache<string, string>({ max: MAX_TENANTS });

  /** What the active pack of each tenant reads; a tenant without one, or whose pack does not say, is left out. */
  async function readKeys(owners: readonly string[]): Promise<Map<string, ReadonlySet<string>>> {
    const expected = owners.flatMap((tenant) => lastActive.get(tenant) ?? []);
    const [tenantRecords, packs] = await readTogether([
      { kind: tenants, keys: owners, fields: ["communicationPack"] },
      { kind: communicationPacks, keys: expected, fields: ["itemKeys"] },
    ]);
    const active = [...tenantRecords].flatMap(([tenant, { communicationPack: pack }]) =>
      pack ? [[tenant, pack] as const] : [],
    );
    for (const [tenant, pack] of active) lastActive.set(tenant, pack);
    const others = active.map(([, pack]) => pack).filter((pack) => !packs.has(pack));
    const found = new Map([
      ...packs,
      ...(others.length > 0 ? await readFields(communicationPacks, others, ["itemKeys"]) : []),
    ]);
    return new Map(
      active.flatMap(([tenant, pack]) => {
        const keys = found.get(pack)?.itemKeys;
        return keys === undefined ? [] : [[tenant, new Set(keys)] as const];
      }),
    );
  }

  return async (changes) => {
    const known = changes.filter(({ itemKeys, operation }) => itemKeys !== undefined && operation === "UPDATED");
    if (known.length === 0) return new Set();
    const keysOf = await readKeys([...new Set(known.map(({ key }) => tenantOf(key)))]);
    return new Set(
      known.filter(({ key, itemKeys = [] }) => {
        const read = keysOf.get(tenantOf(key));
        return read !== undefined && !itemKeys.some((one) => read.has(one));
      }),
    );
  };
}
