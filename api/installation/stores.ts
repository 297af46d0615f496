import { items } from "../../records/kinds/items.ts";
import { stores as kind, labelServers } from "../../records/kinds/tenants.ts";
import { labelServerKey, storeIds, storeKey, tenantIdOf } from "../../schemas/keys.ts";
import { type Fault, faultAt } from "../../schemas/problem.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { Store, type StoreRecord } from "../../schemas/store.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { plainId } from "../../schemas/text.ts";
import { anyLabel } from "./label-uses.ts";
import { createResource, type InstallationWorld, type Resource, shownFields } from "./resource.ts";

export type ShownStore = Store & { storeId: string };

/** A tenant's stores. A store can be removed once it has no labels and no items. */
export const storeResource = (world: InstallationWorld): Resource<Store, ShownStore> =>
  createResource<StoreRecord, Store, ShownStore>(world, {
    kind,
    noun: "store",
    id: plainId("Id of the store"),
    order: Store,
    keyOf: (tenant, id) => storeKey(tenantIdOf(tenant), id),
    // A publication starts and ends the store's canary, and its price guards have their own operation.
    bodyOf: (store, _, current) => ({
      ...store,
      ...(current?.communicationPack !== undefined && { communicationPack: current.communicationPack }),
      ...(current?.priceGuards && { priceGuards: current.priceGuards }),
    }),
    answerOf: (record) => ({ storeId: storeIds(record._id).storeId, ...shownFields(Store, record) }),
    limit: () => ({ most: tenantLimits.stores, of: "A tenant" }),
    faultsOf: async (store, tenant) => [...faultsOf(store), ...(await serverFaults(world, store, tenant))],
    async whyInUse({ _id }) {
      const { storeId } = storeIds(_id);
      const label = await anyLabel(world.records, _id, () => true);
      if (label) return refusalNotice("STORE_HAS_LABELS", { store: storeId, label });
      for await (const batch of world.records.scanFields(items, `${_id}/items/`, ["itemId", "deleted"])) {
        const item = batch.find(({ deleted }) => !deleted);
        if (item) return refusalNotice("STORE_HAS_ITEMS", { store: storeId, item: item.itemId });
      }
      return undefined;
    },
  });

/** Returns a fault for each place where the store or a department names a label server that the tenant does not have. */
async function serverFaults({ records }: InstallationWorld, store: Store, tenant: string): Promise<Fault[]> {
  const named = [
    { pointer: "/labelServer", server: store.labelServer },
    ...store.linkDepartments.map(({ labelServer: server }, index) => ({
      ...{ pointer: `/linkDepartments/${index}/labelServer`, server },
    })),
  ].flatMap(({ pointer, server }) => (server === undefined ? [] : [{ pointer, server }]));
  const keyOf = ({ server }: { server: string }) => labelServerKey(tenant, server);
  const known = await records.readRevs(labelServers, [...new Set(named.map(keyOf))]);
  return named
    .filter((one) => !known.has(keyOf(one)))
    .map(({ pointer, server }) => faultAt(pointer, refusalNotice("LABEL_SERVER_UNKNOWN", { server })));
}

/** Returns faults that a schema cannot express, such as an unknown time zone, or departments that share an id or alias. */
function faultsOf({ timeZone, locale, linkDepartments, quietHours }: Store): Fault[] {
  const names = linkDepartments.flatMap(({ id, alias = id }) => [...new Set([id, alias])]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return [
    ...(isAccepted(() => new Intl.DateTimeFormat("en", { timeZone }))
      ? []
      : [faultAt("/timeZone", refusalNotice("TIME_ZONE_UNKNOWN", { zone: timeZone }))]),
    ...(isAccepted(() => new Intl.Locale(locale))
      ? []
      : [faultAt("/locale", refusalNotice("LOCALE_UNKNOWN", { locale }))]),
    ...(quietHours && quietHours.from === quietHours.to
      ? [faultAt("/quietHours/to", refusalNotice("QUIET_HOURS_EMPTY", { time: quietHours.to }))]
      : []),
    ...(twice === undefined ? [] : [faultAt("/linkDepartments", refusalNotice("DEPARTMENT_TWICE", { name: twice }))]),
  ];
}

function isAccepted(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
