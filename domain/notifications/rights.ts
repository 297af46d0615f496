import { type Notification, type NotificationKind, notificationScopes } from "../../schemas/notification.ts";
import { type Role, scopeOf } from "../../schemas/role.ts";
import { subjectOf } from "../access/callers.ts";
import type { Rights } from "../access/may-grant.ts";
import { rightsOfGrant } from "../access/rights-of-grant.ts";

/** What decides about the rights of a user. */
export interface UserRights {
  tenant: string;
  stores: "*" | readonly string[];
  scope: string;
  role?: Role | undefined;
}

/** The name of the user that a caller is; undefined for a person of the identity provider. */
export function userOf(caller: string): string | undefined {
  const { isPerson, subject } = subjectOf(caller);
  return isPerson ? undefined : subject;
}

/**
 * The rights of a person now: those of its user, or those of its last login by the identity provider, which hold for a while. Undefined if
 * it has none: the user was removed, or the person has not logged in for long.
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

/** What a person is notified of: pairs of a kind and a store, within its choice and its rights. */
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
