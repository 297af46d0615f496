import { Tenant } from "../../schemas/tenant.ts";
import { recordKind } from "../kind.ts";

export const tenants = recordKind("tenant", Tenant);
