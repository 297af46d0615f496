import { stores } from "../../../records/kinds/tenants.ts";
import { type Records, readAll } from "../../../records/records.ts";
import { storeIds, tenantKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import type { Store } from "../../../schemas/store.ts";
import { assertTenant } from "./assert-tenant.ts";
import { Refusal } from "./command.ts";

/** Options of a command for one store. */
export const storeOptions = {
  tenant: { takes: "TENANT", means: "tenant of the store, if there are several" },
  store: { takes: "STORE", means: "id of the store, if there are several" },
} as const;

const MAX_NAMED = 5;

/** Returns the store named by the options, or the only one. Throws a Refusal if there is none or more than one. */
export async function chooseStore(
  records: Records,
  { tenant, store }: { tenant: string | undefined; store: string | undefined },
): Promise<Stored<Store>> {
  if (tenant !== undefined) await assertTenant(records, tenant);
  const ofTenant = await readAll(records, stores, tenant === undefined ? tenantKey("") : `${tenantKey(tenant)}/s/`);
  const found = ofTenant.filter(({ _id }) => store === undefined || storeIds(_id).storeId === store);
  const [only] = found;
  if (only === undefined) throw new Refusal(`${noStoreText(tenant, store)}.`);
  if (found.length === 1) {
    await assertTenant(records, storeIds(only._id).tenantId);
    return only;
  }
  const some = found.slice(0, MAX_NAMED).map(({ _id }) => `${storeIds(_id).tenantId}/${storeIds(_id).storeId}`);
  const more = found.length > MAX_NAMED ? ", ..." : "";
  throw new Refusal(
    `There are ${found.length} stores. Choose one with --tenant and --store: ${some.join(", ")}${more}`,
  );
}

const noStoreText = (tenant: string | undefined, store: string | undefined): string =>
  ["There is no store", store !== undefined && ` "${store}"`, tenant !== undefined && ` of tenant "${tenant}"`]
    .filter(Boolean)
    .join("");
