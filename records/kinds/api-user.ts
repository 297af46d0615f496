import { type Static, Type } from "typebox";
import { recordKind } from "../kind.ts";

/** A password, as what scrypt makes of it; the costs stand beside it, so that later ones may differ. */
const PasswordHash = Type.Object({
  cost: Type.Integer(),
  blockSize: Type.Integer(),
  parallelization: Type.Integer(),
  /** Both in base64. */
  salt: Type.String(),
  hash: Type.String(),
});
export type PasswordHash = Static<typeof PasswordHash>;

/** Who may ask for tokens by name and password. The name is unique over all tenants. */
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
