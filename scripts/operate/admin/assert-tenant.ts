import { tenants } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Tenant } from "../../../schemas/tenant.ts";
import { Refusal } from "./command.ts";

/** Gives the key of a tenant; throws a Refusal where there is none of this id, or where it is being removed. */
export async function assertTenant(records: Pick<Records, "read">, id: string): Promise<string> {
  const { _id, removal } = await readTenant(records, id);
  if (removal !== undefined) throw new Refusal(removedText(id, removal));
  return _id;
}

/** A tenant, one that is being removed too; throws a Refusal where there is none of this id. */
export async function readTenant(records: Pick<Records, "read">, id: string): Promise<Stored<Tenant>> {
  const tenant = (await records.read(tenants, [tenantKey(id)])).get(tenantKey(id));
  if (tenant === undefined) throw new Refusal(`The tenant "${id}" does not exist.`);
  return tenant;
}

export const removedText = (id: string, { due }: NonNullable<Tenant["removal"]>): string =>
  `Tenant "${id}" is being removed: all that it has is deleted from ${due.toISOString()} on. ` +
  `Until then it is taken back by: npm run admin -- tenant restore ${id}`;
