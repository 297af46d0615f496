import { type Static, Type } from "typebox";
import { identifier, plainId } from "./text.ts";

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
    tokenType: Type.Literal("JWT", { description: "What it is" }),
    token: Type.String({ description: "Send it as `Authorization: Bearer <token>`", examples: ["eyJhbGciOi..."] }),
  },
  { title: "LoginAnswer" },
);
export type LoginAnswer = Static<typeof LoginAnswer>;

const grant = {
  stores: Type.Union([Type.Literal("*"), Type.Array(plainId(), { minItems: 1, maxItems: 1000, uniqueItems: true })], {
    description: "For which stores it is good, by their ids; * for all of them",
    examples: [["main"]],
  }),
  scope: Type.String({
    pattern: `^(\\*|(${scopes.join("|")})( (${scopes.join("|")}))*)$`,
    maxLength: 256,
    description: "What it allows: scopes, blank-separated; * for all scopes of a tenant",
    examples: ["items:read items:write"],
  }),
};

/** What the operator says of an API user. */
export const ApiUserOrder = Type.Object(
  {
    ...grant,
    password: Type.Optional(
      Type.String({
        minLength: 12,
        maxLength: 256,
        description:
          "Absent: that of the present user stays, and one is made for a new user and shown in this answer only",
        examples: ["a password of 12 characters"],
      }),
    ),
  },
  { title: "ApiUserOrder" },
);
export type ApiUserOrder = Static<typeof ApiUserOrder>;

const MAX_LIFETIME_SECONDS = 366 * 24 * 3600;

/** What the operator says of a token of a tenant. */
export const TokenOrder = Type.Object(
  {
    ...grant,
    lifetime: Type.Integer({
      minimum: 60,
      maximum: MAX_LIFETIME_SECONDS,
      description: "Seconds for which it is good; it cannot be taken back",
      examples: [3600],
    }),
    subject: Type.Optional(identifier(256, "Who has it: calls of one subject count together")),
  },
  { title: "TokenOrder" },
);
export type TokenOrder = Static<typeof TokenOrder>;
