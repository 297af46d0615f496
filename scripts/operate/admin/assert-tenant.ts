import { tenants } from "../../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { readSettings } from "../../../runtime/read-settings.ts";
import { tenantKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Tenant } from "../../../schemas/tenant.ts";
import { Refusal } from "./command.ts";

/** Returns the key of a tenant. Throws a Refusal if no tenant has this id, or if it is being removed. */
export async function assertTenant(records: Pick<Records, "read" | "scan">, id: string): Promise<string> {
  const { _id, removal } = await readTenant(records, id);
  if (removal !== undefined) throw new Refusal(removedText(id, removal));
  return _id;
}

/** Returns a tenant, even one that is being removed. Throws a Refusal if none has this id. */
export async function readTenant(records: Pick<Records, "read" | "scan">, id: string): Promise<Stored<Tenant>> {
  const tenant = (await records.read(tenants, [tenantKey(id)])).get(tenantKey(id));
  if (tenant === undefined) throw new Refusal(await noTenantText(records, id));
  return tenant;
}

/** Returns why there is no such tenant. A database without any tenant is new, or the wrong one. */
async function noTenantText(records: Pick<Records, "scan">, id: string): Promise<string> {
  const others = await readAll(records, tenants, tenantKey(""));
  if (others.length > 0) return `The tenant "${id}" does not exist.`;
  const { MONGODB_DATABASE } = readSettings(["MONGODB_DATABASE"]);
  return (
    `The tenant "${id}" does not exist, nor does any other. Create it with npm run admin -- tenant put ${id} FILE, ` +
    `or correct MONGODB_DATABASE, which is "${MONGODB_DATABASE}".`
  );
}

export const removedText = (id: string, { due }: NonNullable<Tenant["removal"]>): string =>
  `Tenant "${id}" is being removed: all its data is deleted from ${due.toISOString()} on. ` +
  `Until then, restore it with: npm run admin -- tenant restore ${id}`;
