import { type Static, Type } from "typebox";
import { recordKind } from "../kind.ts";

/** The scrypt hash of a password with its cost parameters, so that later hashes may have others. */
const PasswordHash = Type.Object({
  cost: Type.Integer(),
  blockSize: Type.Integer(),
  parallelization: Type.Integer(),
  /** Salt and hash are in base64. */
  salt: Type.String(),
  hash: Type.String(),
});
export type PasswordHash = Static<typeof PasswordHash>;

/** A user that gets tokens by name and password. The name is unique over all tenants. */
const ApiUser = Type.Object({
  name: Type.String(),
  tenant: Type.String(),
  stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]),
  /** Blank-separated, or `*`. */
  scope: Type.String(),
  password: PasswordHash,
});
export type ApiUser = Static<typeof ApiUser>;

export const apiUsers = recordKind("apiuser", ApiUser);
