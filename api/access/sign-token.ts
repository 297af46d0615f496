import { SignJWT } from "jose";
import { type Claims, scopes } from "../../schemas/token.ts";

export interface TokenOrder extends Claims {
  secret: string;
  issuer: string;
  audience: string;
  /** Such as `30d`. */
  lifetime: string;
  /** For whom it is. */
  subject?: string;
}

/** Signs an access token. The scope `*` stands for all. */
export function signToken(order: TokenOrder): Promise<string> {
  const { secret, issuer, audience, lifetime, subject, tenant, stores, scope } = order;
  const granted = scope === "*" ? scopes.join(" ") : scope;
  const token = new SignJWT({ tenant, stores, scope: granted })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(lifetime);
  if (subject !== undefined) token.setSubject(subject);
  return token.sign(new TextEncoder().encode(secret));
}
