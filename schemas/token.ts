import { type Static, Type } from "typebox";

/** Scopes of tokens that are for a tenant. */
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

/** The scope of the operator's token, which is for no tenant. No other token has it, and it has no other scope. */
export const PLATFORM = "platform";
export type Scope = (typeof scopes)[number] | typeof PLATFORM;

/** The claims of an access token that is for a tenant. */
export const Claims = Type.Object({
  tenant: Type.String(),
  stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
  /** Blank-separated scopes, or `*`. */
  scope: Type.String(),
});
export type Claims = Static<typeof Claims>;

/** Answer to a login. */
export const LoginAnswer = Type.Object(
  {
    token: Type.String({ description: "Send it as `Authorization: Bearer <token>`", examples: ["eyJhbGciOi..."] }),
    tokenType: Type.Literal("JWT", { description: "What it is" }),
  },
  { title: "LoginAnswer" },
);
export type LoginAnswer = Static<typeof LoginAnswer>;
