import { SignJWT } from "jose";
import type { Role } from "../../schemas/role.ts";
import { type Claims, type PLATFORM, scopes } from "../../schemas/token.ts";

/** The key and claims with which every token is signed. */
export interface Signer {
  secret: string;
  issuer: string;
  audience: string;
}

interface Term {
  /** A duration in jose's format, such as `30d`. */
  lifetime: string;
  /** The claim `sub`. */
  subject?: string;
}

export type TokenOrder = Signer & Term & Claims & { role?: Role | undefined };

/** Signs a tenant's access token with HS256. The scope `*` is expanded to all tenant scopes. */
export const signToken = ({ tenant, stores, scope, role, ...order }: TokenOrder): Promise<string> =>
  sign({ tenant, stores, scope: scope === "*" ? scopes.join(" ") : scope, ...(role && { role }) }, order);

/** Signs the operator's token, which belongs to no tenant. */
export const signPlatformToken = (order: Signer & Term & { scope: typeof PLATFORM }): Promise<string> =>
  sign({ scope: order.scope }, order);

function sign(claims: Partial<Claims> & { role?: Role }, order: Signer & Term): Promise<string> {
  const { secret, issuer, audience, lifetime, subject } = order;
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(lifetime);
  if (subject !== undefined) token.setSubject(subject);
  return token.sign(new TextEncoder().encode(secret));
}
