import { type Static, Type } from "typebox";
import { Role } from "./role.ts";
import { scopes } from "./scope.ts";
import { identifier, plainId } from "./text.ts";

export { PLATFORM, type Scope, scopes } from "./scope.ts";

/** The claims of a tenant's access token. */
export const Claims = Type.Object({
  tenant: Type.String(),
  stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
  /** Scopes separated by spaces, or `*`. */
  scope: Type.String(),
});
export type Claims = Static<typeof Claims>;

/** Response to a login. */
export const LoginAnswer = Type.Object(
  {
    tokenType: Type.Literal("JWT", { description: "Type of the token" }),
    token: Type.String({ description: "Send it as `Authorization: Bearer <token>`", examples: ["eyJhbGciOi..."] }),
  },
  { title: "LoginAnswer" },
);
export type LoginAnswer = Static<typeof LoginAnswer>;

const storesGranted = {
  stores: Type.Union([Type.Literal("*"), Type.Array(plainId(), { minItems: 1, maxItems: 1000, uniqueItems: true })], {
    description: "Ids of the stores for which the token is valid; * for all",
    examples: [["main"]],
  }),
};

const grant = {
  ...storesGranted,
  scope: Type.String({
    pattern: `^(\\*|(${scopes.join("|")})( (${scopes.join("|")}))*)$`,
    errorMessage: `must be * or scopes separated by single spaces; the scopes are ${scopes.join(", ")}`,
    maxLength: 256,
    description: "The scopes granted, separated by spaces; * for all scopes of a tenant",
    examples: ["items:read items:write"],
  }),
};

/** The user's stores and permissions: a role or, for advanced use, individual scopes. */
export const UserGrant = {
  ...storesGranted,
  role: Type.Optional(Role),
  scope: Type.Optional(
    Type.String({
      ...grant.scope,
      description:
        "The scopes granted instead of a role, for advanced use: separated by spaces; * for all scopes of a tenant",
    }),
  ),
};

/** An API user as the operator configures it. */
export const ApiUserOrder = Type.Object(
  {
    ...UserGrant,
    password: Type.Optional(
      Type.String({
        minLength: 12,
        maxLength: 256,
        description:
          "If absent, an existing user keeps its password; for a new user one is generated and shown in this response only",
        examples: ["a password of 12 characters"],
      }),
    ),
  },
  { title: "ApiUserOrder" },
);
export type ApiUserOrder = Static<typeof ApiUserOrder>;

const MAX_LIFETIME_SECONDS = 366 * 24 * 3600;

/** An order to sign a token for a tenant. */
export const TokenOrder = Type.Object(
  {
    ...grant,
    lifetime: Type.Integer({
      minimum: 60,
      maximum: MAX_LIFETIME_SECONDS,
      description: "Lifetime in seconds; a token without a `subject` cannot be revoked",
      examples: [3600],
    }),
    subject: Type.Optional(identifier(256, "Who uses it: rate limits apply to all calls of one subject together")),
  },
  { title: "TokenOrder" },
);
export type TokenOrder = Static<typeof TokenOrder>;
