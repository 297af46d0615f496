import { revocations } from "../../records/kinds/tenants.ts";
import { revokedBefore } from "../../records/revocations.ts";
import { revocationKey } from "../../schemas/keys.ts";
import type { InstallationWorld } from "./resource.ts";

/**
 * Revokes all tokens issued to a subject of a tenant, given by its key, until now, or before the second
 * `before` since 1970: every process rejects them within seconds.
 */
export async function revokeTokens(
  { commit }: InstallationWorld,
  tenant: string,
  subject: string,
  before = revokedBefore(new Date()),
): Promise<void> {
  const revoke = (_: string, current: { before: number } | undefined) => ({
    subject,
    before: Math.max(before, current?.before ?? 0),
  });
  await commit.change(revocations, [revocationKey(tenant, subject)], revoke, "interactive");
}
