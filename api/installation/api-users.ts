import { randomBytes } from "node:crypto";
import { Type } from "typebox";
import { subjectCaller } from "../../domain/access/callers.ts";
import { isWithin } from "../../domain/access/may-grant.ts";
import { keyOfPerson } from "../../domain/notifications/mail-links.ts";
import { notifications } from "../../records/kinds/notifications.ts";
import { type ApiUser, apiUsers as kind, type PasswordHash } from "../../records/kinds/tenants.ts";
import { apiUserKey, tenantIdOf, tenantKey } from "../../schemas/keys.ts";
import { type Fault, faultAt } from "../../schemas/problem.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { type Role, scopeOf } from "../../schemas/role.ts";
import { tenantLimits } from "../../schemas/tenant-limits.ts";
import { ApiUserOrder } from "../../schemas/token.ts";
import { hashPassword } from "../access/login/passwords.ts";
import { permitOf } from "../access/verify-user.ts";
import { unknownStores } from "./known-stores.ts";
import { createResource, type InstallationWorld, type Resource } from "./resource.ts";
import { revokeTokens } from "./revoke-tokens.ts";

/**
 * A user name has no colon, which ends the name in a basic authentication header. It does not consist only of dots,
 * because clients remove `.` and `..` from a path.
 */
export const UserName = Type.String({
  pattern: "^\\.*[A-Za-z0-9_@-][A-Za-z0-9_.@-]*$",
  maxLength: 64,
  errorMessage: "must consist of 1 to 64 letters A to Z, digits, _ . @ or -, and not only of dots",
  description: "Name of the user",
  examples: ["till-7"],
});

export interface ShownApiUser {
  name: string;
  stores: ApiUser["stores"];
  scope: string;
  role?: Role;
  /** Only in the response to the call that generated it. */
  password?: string;
}

interface Made {
  tenant: string;
  password: string;
  hash: PasswordHash;
}

const MADE_PASSWORD_BYTES = 24;

/** A tenant's users, who log in for tokens. User names are unique across all tenants. */
export const apiUserResource = (world: InstallationWorld): Resource<ApiUserOrder, ShownApiUser> =>
  createResource<ApiUser, ApiUserOrder, ShownApiUser, Made>(world, {
    kind,
    noun: "API user",
    id: UserName,
    order: ApiUserOrder,
    keyOf: (_, name) => apiUserKey(name),
    isOf: ({ tenant }, owner) => tenant === tenantIdOf(owner),
    async make({ password = randomBytes(MADE_PASSWORD_BYTES).toString("base64url") }, owner) {
      return { tenant: tenantIdOf(owner), password, hash: await hashPassword(password) };
    },
    bodyOf: ({ stores, role, scope, password }, name, current, { tenant, hash }) => ({
      ...(password === undefined && invitationKept(current, { name, tenant, stores, scope: scopeOf({ role, scope }) })),
      ...(current?.seenAt !== undefined && { seenAt: current.seenAt }),
      name,
      tenant,
      stores,
      scope: scopeOf({ role, scope }),
      ...(role && { role }),
      // An invited user who has not chosen a password still has none.
      ...(password === undefined && current ? current.password && { password: current.password } : { password: hash }),
    }),
    shownOnce: ({ password }, order, made) =>
      order.password === undefined && password?.hash === made.hash.hash ? { password: made.password } : {},
    answerOf: ({ name, stores, role, scope }) => ({
      name,
      stores,
      scope: scopeOf({ role, scope }),
      ...(role && { role }),
    }),
    // A later user with the same name is somebody else, who must neither receive nor control this user's notifications.
    async removeParts({ tenant, name }) {
      await revokeTokens(world, tenantKey(tenant), name);
      const key = keyOfPerson({ tenant, caller: subjectCaller(name) });
      for (const { _id, rev } of (await world.records.read(notifications, [key])).values())
        await world.records.remove(notifications, [{ key: _id, rev }]);
    },
    limit: () => ({ most: tenantLimits.apiUsers, of: "A tenant" }),
    faultsOf: async (order, tenant) => [
      ...rightsFaults(order),
      ...(await unknownStores(world.records, tenant, order.stores)),
    ],
  });

/**
 * Returns the pending invitation of a user whose rights change. The invitation ends if the user gains rights, because
 * whoever invited the user may lack the right to grant them.
 */
function invitationKept(current: ApiUser | undefined, next: ApiUser): Pick<ApiUser, "invitation"> {
  if (current?.invitation === undefined || !isWithin(permitOf(next), permitOf(current))) return {};
  return { invitation: current.invitation };
}

/** Returns a fault unless an order states either a role or scopes. */
export const rightsFaults = ({ role, scope }: Pick<ApiUserOrder, "role" | "scope">): Fault[] =>
  (role === undefined) === (scope === undefined) ? [faultAt("/role", refusalNotice("ROLE_OR_SCOPE", {}))] : [];
