import { communicationPacks } from "../../../records/kinds/designs.ts";
import { stores, tenants } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import { storeKey, tenantIdOf, tenantOf } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";

/** Returns the key of the pack that chooses the designs of a tenant's links. */
export const activePackKey = async (records: Records, tenant: string): Promise<string | undefined> =>
  (await records.read(tenants, [tenant])).get(tenant)?.communicationPack;

/** Returns the pack that chooses the designs of a store's links: its canary's pack, or else the tenant's active one. */
export async function readPackOfStore(records: Records, store: string): Promise<Stored<CommunicationPack> | undefined> {
  const key = (await records.readFields(stores, [store], ["communicationPack"])).get(store)?.communicationPack;
  const ofCanary = key === undefined ? undefined : (await records.read(communicationPacks, [key])).get(key);
  return ofCanary ?? readActivePack(records, tenantOf(store));
}

/** Returns the packs that choose the designs in the stores of canaries. */
export async function readCanaryPacks(records: Records, tenant: string): Promise<Stored<CommunicationPack>[]> {
  const found = await Array.fromAsync(
    records.scanFields(stores, storeKey(tenantIdOf(tenant), ""), ["communicationPack"]),
  );
  const keys = new Set(found.flat().flatMap(({ communicationPack }) => communicationPack ?? []));
  return [...(await records.read(communicationPacks, [...keys])).values()];
}

/** Returns the pack that chooses the designs of a tenant's links; undefined if none is active. */
export async function readActivePack(records: Records, tenant: string): Promise<Stored<CommunicationPack> | undefined> {
  const key = await activePackKey(records, tenant);
  return key === undefined ? undefined : (await records.read(communicationPacks, [key])).get(key);
}
