import { revocations } from "../../records/kinds/tenants.ts";
import { revokedBefore } from "../../records/revocations.ts";
import { revocationKey } from "../../schemas/keys.ts";
import type { InstallationWorld } from "./resource.ts";

/** Ends all tokens that a subject of a tenant, by its key, has been given until now: every process knows it within seconds. */
export async function revokeTokens({ commit }: InstallationWorld, tenant: string, subject: string): Promise<void> {
  const key = revocationKey(tenant, subject);
  await commit.change(revocations, [key], () => ({ subject, before: revokedBefore(new Date()) }), "interactive");
}
