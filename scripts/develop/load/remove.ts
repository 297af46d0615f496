import type { System } from "../../../queues/system.ts";
import { tenants } from "../../../records/kinds/tenants.ts";
import { readAll } from "../../../records/records.ts";
import { tenantIdOf, tenantKey } from "../../../schemas/keys.ts";
import type { Tenant } from "../../../schemas/tenant.ts";
import type { Caller } from "./caller.ts";
import { LOAD_NAME } from "./set-up.ts";

const ITEMS_PER_PAGE = 1_000;

/**
 * Requests the removal of the load test's own tenants, like `npm run admin -- tenant remove` but without a grace period.
 * Clean-up then deletes all their data. Returns their ids.
 */
export async function removeTenants({ records, commit, now }: System, prefix: string): Promise<string[]> {
  const all = await readAll(records, tenants, tenantKey(""));
  const own = all.filter(
    ({ _id, name, removal }) =>
      tenantIdOf(_id).startsWith(prefix) && name.startsWith(LOAD_NAME) && removal === undefined,
  );
  const since = now();
  const remove = (_: string, current: Tenant | undefined) => current && { ...current, removal: { since, due: since } };
  const keys = own.map(({ _id }) => _id);
  await commit.change(tenants, keys, remove, "interactive");
  return keys.map(tenantIdOf);
}

/** Deletes the items of the load test's stores in a tenant that is not its own. Returns how many, and in which stores. */
export async function removeItems(
  caller: Caller,
  tenantId: string,
  prefix: string,
): Promise<{ stores: string[]; items: number }> {
  const all = await caller.obtain<{ storeId: string; name: string }[]>(
    "GET",
    `/t/${tenantId}/api/management/v1/stores`,
  );
  const stores = all
    .filter(({ storeId, name }) => storeId.startsWith(prefix) && name.startsWith(LOAD_NAME))
    .map(({ storeId }) => storeId);
  let items = 0;
  for (const storeId of stores) {
    const path = `/t/${tenantId}/s/${storeId}/api/public/core/v1/items`;
    const itemIds: string[] = [];
    for (let page = ITEMS_PER_PAGE; page === ITEMS_PER_PAGE; ) {
      const found = await caller.obtain<{ itemId: string }[]>(
        "GET",
        `${path}?projection=S&start=${itemIds.length}&limit=${ITEMS_PER_PAGE}`,
      );
      itemIds.push(...found.map(({ itemId }) => itemId));
      page = found.length;
    }
    if (itemIds.length > 0) await caller.obtain("DELETE", path, { itemIds });
    items += itemIds.length;
  }
  return { stores, items };
}
