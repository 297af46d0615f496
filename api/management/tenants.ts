import { Type } from "typebox";
import { TenantOrder } from "../../schemas/tenant.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { InstallationWorld } from "../installation/resource.ts";
import { tenantResource } from "../installation/tenants.ts";
import { resourceRoutes } from "./resource-routes.ts";

const Removal = Type.Object(
  {
    since: Type.String({ description: "When the removal was ordered, in UTC" }),
    due: Type.String({ description: "When the deletion of the tenant's data begins, in UTC" }),
  },
  {
    title: "Removal",
    description: "Present only while a tenant is being removed; during that time its own calls are rejected",
  },
);
const TenantAnswer = Type.Object(
  { tenantId: Type.String(), ...TenantOrder.properties, removal: Type.Optional(Removal) },
  { title: "Tenant" },
);

export interface TenantsWorld extends InstallationWorld {
  /** The barcode pattern for tenants without their own scheme. */
  barcodePattern: string;
}

/** Operations on the installation's tenants, which the operator sets up. */
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
      list: "List the tenants",
      get: "Get one tenant",
      put: "Create or change a tenant",
      remove: "Remove a tenant that has no stores, with all its data",
    },
    description:
      "A new barcode scheme takes effect within seconds. It must interpret the barcodes of existing labels as the previous one did.",
  });
