import { personCaller } from "../../domain/access/callers.ts";
import { keyOfPerson } from "../../domain/notifications/mail-links.ts";
import { notifications } from "../../records/kinds/notifications.ts";
import { revocations } from "../../records/kinds/tenants.ts";
import { revokedBefore } from "../../records/revocations.ts";
import { revocationKey, tenantIdOf } from "../../schemas/keys.ts";
import type { Notification } from "../../schemas/notification.ts";
import type { InstallationWorld } from "./resource.ts";

interface RevocationOrder {
  /** Revokes only tokens issued before this time, in seconds since 1970; if absent, all tokens issued so far. */
  before?: number;
  /** Whether the subject is a person from the identity provider, whose sessions end; false if absent. */
  isPerson?: boolean;
}

/**
 * Revokes everything issued to a subject of a tenant, given by the tenant's key; every process rejects it within seconds. A
 * user and a person from the identity provider with the same name have separate tokens and sessions. A person receives no more
 * e-mails until the next login.
 */
export async function revokeTokens(
  { commit }: InstallationWorld,
  tenant: string,
  subject: string,
  { before = revokedBefore(new Date()), isPerson = false }: RevocationOrder = {},
): Promise<void> {
  const revoke = (_: string, current: { before: number } | undefined) => ({
    subject,
    before: Math.max(before, current?.before ?? 0),
  });
  await commit.change(
    revocations,
    [revocationKey(tenant, subject, isPerson ? "person" : "token")],
    revoke,
    "interactive",
  );
  if (!isPerson || tenantIdOf(tenant) === "") return;
  const key = keyOfPerson({ tenant: tenantIdOf(tenant), caller: personCaller(subject) });
  const until = new Date();
  const endLogin = (_: string, current: Notification | undefined) =>
    current?.login && { ...current, login: { ...current.login, until } };
  await commit.change(notifications, [key], endLogin, "interactive");
}
