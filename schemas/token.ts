import { type Static, Type } from "typebox";

export const scopes = [
  "items:read",
  "items:write",
  "labels:read",
  "labels:write",
  "links:read",
  "links:write",
  "design:read",
  "design:write",
  "ops",
  "ops:write",
] as const;
export type Scope = (typeof scopes)[number];

/** What an access token must claim. */
export const Claims = Type.Object({
  tenant: Type.String(),
  stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
  /** Blank-separated scopes, or `*`. */
  scope: Type.String(),
});
export type Claims = Static<typeof Claims>;
