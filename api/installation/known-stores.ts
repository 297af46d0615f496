import { stores as kind } from "../../records/kinds/tenants.ts";
import type { Records } from "../../records/records.ts";
import { storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { type Fault, faultAt } from "../../schemas/problem.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";

/** Returns a fault for each id that belongs to no store of the tenant. */
export async function unknownStores(
  records: Records,
  tenant: string,
  stores: "*" | readonly string[],
): Promise<Fault[]> {
  if (stores === "*") return [];
  const keys = stores.map((id) => storeKey(tenantIdOf(tenant), id));
  const known = await records.readRevs(kind, keys);
  return keys.flatMap((key, index) =>
    known.has(key)
      ? []
      : [faultAt(`/stores/${index}`, refusalNotice("STORE_OF_USER_UNKNOWN", { store: stores[index] ?? "" }))],
  );
}
