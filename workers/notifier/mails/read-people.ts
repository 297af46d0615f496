import type { Rights } from "../../../domain/access/may-grant.ts";
import { labelServersOf } from "../../../domain/linking/label-server-of.ts";
import { rightsNow, userOf } from "../../../domain/notifications/who-is-notified.ts";
import type { NamedStore } from "../../../domain/notifications/write-mail.ts";
import { apiUsers, stores } from "../../../records/kinds/tenants.ts";
import type { Records } from "../../../records/records.ts";
import { apiUserKey, storeIds, storeKey, tenantIdOf, tenantOf } from "../../../schemas/keys.ts";
import type { Notification } from "../../../schemas/notification.ts";
import type { Stored } from "../../../schemas/record.ts";

/** The fields of a store that notifications need. */
export type PresentStore = NamedStore & { labelServers: readonly (string | undefined)[] };

/** Reads people's current permissions, by the key of their notifications; people without permissions are left out. */
export async function readRights(
  records: Records,
  people: readonly Stored<Notification>[],
  now: Date,
): Promise<Map<string, Rights>> {
  const keyOf = ({ caller }: Notification) => apiUserKey(userOf(caller) ?? "");
  const named = people.filter(({ caller }) => userOf(caller) !== undefined);
  const users = await records.read(apiUsers, named.map(keyOf));
  return new Map(
    people.flatMap((person): [string, Rights][] => {
      const rights = rightsNow(person, tenantIdOf(tenantOf(person._id)), users.get(keyOf(person)), now);
      return rights ? [[person._id, rights]] : [];
    }),
  );
}

const SHOWN = ["name", "timeZone"] as const;
const PRESENT = [...SHOWN, "labelServer", "linkDepartments"] as const;

/** Reads a tenant's stores with these ids, by id; stores that do not exist are left out. */
export async function readNamedStores(
  records: Records,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, NamedStore>> {
  const keys = ids.map((id) => storeKey(tenantIdOf(tenant), id));
  const found = await records.readFields(stores, keys, SHOWN);
  return new Map([...found].map(([key, store]) => [storeIds(key).storeId, store]));
}

/** Reads a tenant's stores by id. */
export async function readStores(records: Records, tenant: string): Promise<Map<string, PresentStore>> {
  const found = new Map<string, PresentStore>();
  const prefix = storeKey(tenantIdOf(tenant), "");
  for await (const batch of records.scanFields(stores, prefix, PRESENT))
    for (const { _id, name, timeZone, ...store } of batch)
      found.set(storeIds(_id).storeId, { name, timeZone, labelServers: labelServersOf(store) });
  return found;
}
