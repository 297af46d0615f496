import { tenantKey } from "../../schemas/keys.ts";
import { PLATFORM } from "../../schemas/token.ts";
import type { Permit } from "../access/verify-token.ts";

/** A session's rights to see the queues and to act on them. */
export type BoardRights = "none" | "read" | "act";

/**
 * All tenants share the queues, so pausing one affects all of them. Access therefore requires the operator's scope
 * `platform` or, in an installation with a single tenant, that tenant's `ops` and `ops:write`.
 */
export async function boardRights(permit: Permit, readTenants: () => Promise<readonly string[]>): Promise<BoardRights> {
  const { tenant, stores, scopes } = permit;
  if (scopes.has(PLATFORM)) return "act";
  if (!scopes.has("ops") || stores !== "*") return "none";
  const tenants = await readTenants();
  if (tenants.length !== 1 || tenants[0] !== tenantKey(tenant)) return "none";
  return scopes.has("ops:write") ? "act" : "read";
}

/** Why a session without rights may not see the queues. */
export const NO_RIGHTS =
  "The queues hold jobs of all tenants: access requires the operator's token (scope platform) or, if there is only one tenant, its " +
  "scope ops for all stores.";
