import type { Stored } from "../../../records/kind.ts";
import { communicationPacks } from "../../../records/kinds/communication-pack.ts";
import { tenants } from "../../../records/kinds/tenant.ts";
import type { Records } from "../../../records/records.ts";
import type { CommunicationPack } from "../../../schemas/design.ts";
import { type LoadedPack, packIdOf } from "../../../workers/evaluator/packs/decide-studio-link.ts";

/** Key of the pack by which a tenant's links choose their designs. */
export const activePackKey = async (records: Records, tenant: string): Promise<string | undefined> =>
  (await records.read(tenants, [tenant])).get(tenant)?.communicationPack;

/** The pack by which a tenant's links choose their designs; undefined where none is active. */
export async function readActivePack(records: Records, tenant: string): Promise<Stored<CommunicationPack> | undefined> {
  const key = await activePackKey(records, tenant);
  return key === undefined ? undefined : (await records.read(communicationPacks, [key])).get(key);
}

/** A stored pack as the thread of expressions keeps it, by its key and rev. */
export const loadedPack = ({ _id, rev, scenarios }: Stored<CommunicationPack>): LoadedPack => ({
  id: packIdOf({ _id, rev }),
  scenarios,
});
