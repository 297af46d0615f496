import { SignJWT } from "jose";
import { type Claims, scopes } from "../../schemas/token.ts";

export interface TokenOrder extends Claims {
  secret: string;
  issuer: string;
  audience: string;
  /** A duration for jose, such as `30d`. */
  lifetime: string;
  /** The claim `sub`. */
  subject?: string;
}

/** Signs an access token with HS256. The scope `*` is written out as every scope. */
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
