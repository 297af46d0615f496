import { Type } from "typebox";
import { Store } from "../../schemas/store.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { storeResource } from "../installation/stores.ts";
import { resourceRoutes } from "./resource-routes.ts";

const StoreAnswer = Type.Object({ storeId: Type.String(), ...Store.properties }, { title: "StoreAnswer" });

/** Operations on a tenant's stores. PUT creates a store; its items and labels are written through the store's interface. */
export const stores = (world: InstallationWorld) =>
  resourceRoutes({
    resource: storeResource(world),
    of: "tenant",
    path: "/stores/:storeId",
    answer: StoreAnswer,
    read: "ops",
    write: "ops:write",
    operationIds: { list: "listStores", get: "getStore", put: "putStore", remove: "deleteStore" },
    summaries: {
      list: "List the tenant's stores",
      get: "Get one store",
      put: "Create or change a store",
      remove: "Delete a store that has no labels and no items",
    },
    description:
      "Changes take effect within seconds. After a change to the name, time zone, currency, locale or unit of unit prices, the store's labels are drawn again; " +
      "after a change to departments or label server, labels that could not be reached are retried.",
  });
