import { type Notification, type NotificationKind, notificationScopes } from "../../schemas/notification.ts";
import { type Role, scopeOf } from "../../schemas/role.ts";
import { subjectOf } from "../access/callers.ts";
import type { Rights } from "../access/may-grant.ts";
import { rightsOfGrant } from "../access/rights-of-grant.ts";

/** The facts that decide a user's rights. */
export interface UserRights {
  tenant: string;
  stores: "*" | readonly string[];
  scope: string;
  role?: Role | undefined;
}

/** Returns a caller's user name. Undefined for a person from the identity provider. */
export function userOf(caller: string): string | undefined {
  const { isPerson, subject } = subjectOf(caller);
  return isPerson ? undefined : subject;
}

/**
 * Returns a person's current rights: the user's rights, or the rights of the last login through the identity provider, which are
 * valid for a while. Undefined if there are none, because the user was removed or the person has not logged in for a long time.
 */
export function rightsNow(
  { caller, login }: Pick<Notification, "caller" | "login">,
  tenant: string,
  user: UserRights | undefined,
  now: Date,
): Rights | undefined {
  if (userOf(caller) === undefined) return login && login.until > now ? rightsOfGrant(login) : undefined;
  if (user === undefined || user.tenant !== tenant) return undefined;
  return rightsOfGrant({ stores: user.stores, scope: scopeOf({ role: user.role, scope: user.scope }) });
}

export const mayGet = (kind: NotificationKind, store: string, rights: Rights): boolean =>
  rights.scopes.has(notificationScopes[kind]) && (rights.stores === "*" || rights.stores.has(store));

/** Returns what a person is notified about: pairs of a kind and a store, within the person's choice and rights. */
export function watchedBy(
  { chosen, stores }: Pick<Notification, "chosen" | "stores">,
  rights: Rights,
  present: readonly string[],
): { kind: NotificationKind; store: string }[] {
  const named = stores === "*" ? present : present.filter((id) => stores.includes(id));
  return chosen.flatMap((kind) =>
    named.filter((store) => mayGet(kind, store, rights)).map((store) => ({ kind, store })),
  );
}
