import { type Static, Type } from "typebox";
import { PLATFORM, scopes, type TenantScope } from "./scope.ts";

const linker = ["items:read", "labels:read", "labels:write", "links:read"] as const satisfies readonly TenantScope[];
const shop = [...linker, "items:write"] as const;
const manager = [...shop, "prices:approve", "activity:read"] as const;

/** The scopes of each role that a tenant's user may have. If a later release adds scopes to a role, its users get them too. */
export const roleScopes = {
  linker,
  shop,
  manager,
  "head-office": scopes,
  till: ["items:read", "items:write"],
} as const satisfies Record<string, readonly TenantScope[]>;

export const roleNames = Object.keys(roleScopes) as (keyof typeof roleScopes)[];
/** The role above all tenants. No user of a tenant has it. */
export const OPERATOR = "operator";

const [first, ...others] = roleNames;
/** The role of a user, as an alternative to individual scopes. */
export const Role = Type.Enum([first as keyof typeof roleScopes, ...others], {
  description: "The user's role, as an alternative to individual scopes",
  examples: ["shop"],
});
export type Role = Static<typeof Role>;

export const isRole = (text: unknown): text is Role => roleNames.some((name) => name === text);

/** The scopes, separated by spaces, of a user that has a role or individual scopes. */
export const scopeOf = ({ role, scope = "" }: { role?: Role | undefined; scope?: string | undefined }): string =>
  role === undefined ? scope : roleScopes[role].join(" ");

/** The scopes of any role, the operator's included. */
export const scopesOfRole = (role: Role | typeof OPERATOR): readonly string[] =>
  role === OPERATOR ? [PLATFORM] : roleScopes[role];
