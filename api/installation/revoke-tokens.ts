import { revocations } from "../../records/kinds/tenants.ts";
import { revokedBefore } from "../../records/revocations.ts";
import { revocationKey } from "../../schemas/keys.ts";
import type { InstallationWorld } from "./resource.ts";

/**
 * Revokes all tokens issued to a subject of a tenant, given by its key, until now: every process rejects them within
 * seconds.
 */
export async function revokeTokens({ commit }: InstallationWorld, tenant: string, subject: string): Promise<void> {
  const key = revocationKey(tenant, subject);
  await commit.change(revocations, [key], () => ({ subject, before: revokedBefore(new Date()) }), "interactive");
}
