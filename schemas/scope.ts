/** Scopes of tenant tokens. */
export const scopes = [
  "items:read",
  "items:write",
  "prices:approve",
  "labels:read",
  "labels:write",
  "links:read",
  "links:write",
  "design:read",
  "design:write",
  "activity:read",
  "users:write",
  "ops",
  "ops:write",
] as const;
export type TenantScope = (typeof scopes)[number];

/**
 * The scope of the operator's token, which belongs to no tenant. No other token has it, and the operator's token has no other
 * scope.
 */
export const PLATFORM = "platform";
export type Scope = TenantScope | typeof PLATFORM;
