import { Type } from "typebox";
import { TenantOrder } from "../../schemas/tenant.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { tenantResource } from "../installation/tenants.ts";
import { resourceRoutes } from "./resource-routes.ts";

const Removal = Type.Object(
  {
    since: Type.String({ description: "When it was ordered, in UTC" }),
    due: Type.String({ description: "From when on all that the tenant has is deleted, in UTC" }),
  },
  { title: "Removal", description: "Only of a tenant that is being removed, whose own calls are refused" },
);
const TenantAnswer = Type.Object(
  { tenantId: Type.String(), ...TenantOrder.properties, removal: Type.Optional(Removal) },
  { title: "Tenant" },
);

export interface TenantsWorld extends InstallationWorld {
  /** The pattern of barcodes of tenants without a scheme of their own. */
  barcodePattern: string;
}

/** The tenants of the installation, which the operator sets up. */
export const tenants = (world: TenantsWorld) =>
  resourceRoutes({
    resource: tenantResource(world, world.barcodePattern),
    of: "platform",
    path: "/tenants/:tenantId",
    answer: TenantAnswer,
    read: PLATFORM,
    write: PLATFORM,
    operationIds: { list: "listTenants", get: "getTenant", put: "putTenant", remove: "deleteTenant" },
    summaries: {
      list: "Every tenant",
      get: "One tenant",
      put: "Make or change a tenant",
      remove: "Remove a tenant that has no stores, with everything that it has",
    },
    description:
      "Processes know of another barcode scheme within seconds. It must read the labels that there are as they were read.",
  });
