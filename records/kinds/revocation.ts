import { type Static, Type } from "typebox";
import { recordKind } from "../kind.ts";

/** The tokens of a tenant's subject that are no longer good, whatever they say themselves. */
const Revocation = Type.Object({
  subject: Type.String(),
  /** Tokens that were issued before it are revoked; in seconds, as the claim `iat`. */
  before: Type.Integer(),
});
export type Revocation = Static<typeof Revocation>;

export const revocations = recordKind("revocation", Revocation);
