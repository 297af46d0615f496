import { tenants } from "../../../records/kinds/tenant.ts";
import type { Records } from "../../../records/records.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import { Refusal } from "./command.ts";

/** Gives the key of a tenant; throws a Refusal where there is none of this id. */
export async function assertTenant(records: Pick<Records, "readRevs">, id: string): Promise<string> {
  const key = tenantKey(id);
  if (!(await records.readRevs(tenants, [key])).has(key)) throw new Refusal(`There is no tenant "${id}".`);
  return key;
}
