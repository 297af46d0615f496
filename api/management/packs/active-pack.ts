import { communicationPacks } from "../../../records/kinds/designs.ts";
import { stores, tenants } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import { storeKey, tenantIdOf, tenantOf } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";

/** Key of the pack by which a tenant's links choose their designs. */
export const activePackKey = async (records: Records, tenant: string): Promise<string | undefined> =>
  (await records.read(tenants, [tenant])).get(tenant)?.communicationPack;

/** The pack by which a store's links choose their designs: that of its canary, or else the tenant's active one. */
export async function readPackOfStore(records: Records, store: string): Promise<Stored<CommunicationPack> | undefined> {
  const key = (await records.readFields(stores, [store], ["communicationPack"])).get(store)?.communicationPack;
  const ofCanary = key === undefined ? undefined : (await records.read(communicationPacks, [key])).get(key);
  return ofCanary ?? readActivePack(records, tenantOf(store));
}

/** The packs by which the stores of canaries choose. */
export async function readCanaryPacks(records: Records, tenant: string): Promise<Stored<CommunicationPack>[]> {
  const found = await Array.fromAsync(
    records.scanFields(stores, storeKey(tenantIdOf(tenant), ""), ["communicationPack"]),
  );
  const keys = new Set(found.flat().flatMap(({ communicationPack }) => communicationPack ?? []));
  return [...(await records.read(communicationPacks, [...keys])).values()];
}

/** The pack by which a tenant's links choose their designs; undefined if none is active. */
export async function readActivePack(records: Records, tenant: string): Promise<Stored<CommunicationPack> | undefined> {
  const key = await activePackKey(records, tenant);
  return key === undefined ? undefined : (await records.read(communicationPacks, [key])).get(key);
}
