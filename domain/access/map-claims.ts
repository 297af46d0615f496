import { isMailAddress } from "../../schemas/mail-address.ts";
import { OPERATOR, type Role, roleNames, scopeOf } from "../../schemas/role.ts";
import type { AnyRole, RoleMap } from "../../schemas/role-map.ts";
import { PLATFORM } from "../../schemas/scope.ts";

/** How an identity provider's claims become rights: names of claims, and fixed values. */
export interface ClaimMapping {
  user: string;
  /** The claim with the tenant's id, or the tenant to which everybody belongs. */
  tenant: { claim: string } | { id: string } | undefined;
  stores: string;
  roles: string;
  roleOf: RoleMap;
}

/** A person as the claims describe them. The operator belongs to no tenant. */
export type Person = {
  subject: string;
  claims: { tenant?: string; stores?: "*" | string[]; scope: string; role?: Role };
  /** The e-mail address, if the provider has verified it. */
  address?: string;
};

/** The reason why the claims give no access, as a key of the pages' messages. */
export type ClaimFault = "noUser" | "noRole" | "noTenant" | "noStores";

const ID_PATTERN = /^[\w-]{1,64}$/;
const MAX_STORES = 1000;
const MAX_SUBJECT = 256;
/** From the widest role to the narrowest. A person with several roles has the widest of them. */
const ORDER: readonly AnyRole[] = [OPERATOR, ...roleNames.toReversed().filter((role) => role !== "till"), "till"];

/**
 * Returns the person in checked claims, or why the claims give no access. A person with several roles has the widest role. Nobody
 * gets access without a role, a tenant and stores.
 */
export function mapClaims(claims: Readonly<Record<string, unknown>>, mapping: ClaimMapping): Person | ClaimFault {
  const subject = valueAt(claims, mapping.user);
  // Some providers let a person enter any address, but nobody must be able to act under somebody else's address.
  if (mapping.user === "email" && claims.email_verified === false) return "noUser";
  if (typeof subject !== "string" || subject === "" || subject.length > MAX_SUBJECT) return "noUser";
  const roles = valueAt(claims, mapping.roles);
  // A string is one value: a single word of it never counts as a role.
  const values = typeof roles === "string" ? [roles] : textsIn(roles);
  const found = values.flatMap((text) => mapping.roleOf.get(text) ?? []);
  const role = ORDER.find((one) => found.includes(one));
  if (role === undefined) return "noRole";
  if (role === OPERATOR) return { subject, claims: { scope: PLATFORM } };
  const tenant = tenantOf(claims, mapping.tenant);
  if (tenant === undefined) return "noTenant";
  const texts = textsIn(valueAt(claims, mapping.stores));
  const stores = texts.includes("*") ? "*" : texts.filter((id) => ID_PATTERN.test(id)).slice(0, MAX_STORES);
  if (stores.length === 0) return "noStores";
  const address = claims.email_verified === true && typeof claims.email === "string" ? claims.email : "";
  return {
    ...{ subject, claims: { tenant, stores, scope: scopeOf({ role }), role } },
    ...(isMailAddress(address) && { address }),
  };
}

function tenantOf(claims: Readonly<Record<string, unknown>>, tenant: ClaimMapping["tenant"]): string | undefined {
  if (tenant === undefined) return undefined;
  const id = "id" in tenant ? tenant.id : valueAt(claims, tenant.claim);
  return typeof id === "string" && ID_PATTERN.test(id) ? id : undefined;
}

/** Returns a claim by its name or, if no claim has this name, by a path with dots, such as `realm_access.roles`. */
function valueAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      claims,
    );
}

/** Returns the strings in a claim: a list, or one string with several values. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((text) => typeof text === "string");
  return typeof value === "string" ? [value, ...value.split(/[\s,]+/)].filter((text) => text !== "") : [];
}
