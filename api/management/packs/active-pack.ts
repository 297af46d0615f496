import { communicationPacks } from "../../../records/kinds/designs.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import type { Stored } from "../../../schemas/record.ts";

/** Key of the pack by which a tenant's links choose their designs. */
export const activePackKey = async (records: Records, tenant: string): Promise<string | undefined> =>
  (await records.read(tenants, [tenant])).get(tenant)?.communicationPack;

/** The pack by which a tenant's links choose their designs; undefined if none is active. */
export async function readActivePack(records: Records, tenant: string): Promise<Stored<CommunicationPack> | undefined> {
  const key = await activePackKey(records, tenant);
  return key === undefined ? undefined : (await records.read(communicationPacks, [key])).get(key);
}
