import { Type } from "typebox";
import { Store } from "../../schemas/store.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { storeResource } from "../installation/stores.ts";
import { resourceRoutes } from "./resource-routes.ts";

const StoreAnswer = Type.Object({ storeId: Type.String(), ...Store.properties }, { title: "StoreAnswer" });

/** The stores of a tenant. PUT makes a store; its items and labels are written over its own interface. */
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
      list: "Every store of the tenant",
      get: "One store",
      put: "Make or change a store",
      remove: "Remove a store that has no labels and no items",
    },
    description:
      "Processes know of a change within seconds. Another name, zone, currency, locale or unit of unit prices has the store's labels drawn anew, " +
      "and other departments or another label server have those tried again that were not reached.",
  });
