import { SignJWT } from "jose";
import type { Role } from "../../schemas/role.ts";
import type { Claims } from "../../schemas/token.ts";
import { createVerifier, type IsRevoked, type Permit, type TokenSettings } from "./verify-token.ts";

/** The content of a ticket: whose session it is, and the rights with which it started. */
export type TicketClaims = Partial<Claims> & { role?: Role | undefined };

/**
 * Signs and verifies tickets, which stand for a session of the pages. No operation accepts a ticket as an access token,
 * because the audience differs.
 */
export interface Tickets {
  sign(subject: string, claims: TicketClaims, issuedAt: Date, until: Date): Promise<string>;
  /** Returns the rights in the ticket of a user, or of a person from the identity provider; throws a TokenError. */
  verify(ticket: string, whose: "user" | "person"): Promise<Permit>;
}

/**
 * Signs tickets with the secret that signs tokens or, if another issuer signs tokens, with the identity provider's
 * client secret. Undefined if there is neither, in which case a session requires a token.
 */
export function createTickets(
  settings: TokenSettings & { OIDC_CLIENT_SECRET?: string | undefined },
  now: () => number,
  isRevoked: IsRevoked,
): Tickets | undefined {
  const { JWKS_URL, JWT_SECRET, JWT_SECRET_OTHER, JWT_ISSUER, OIDC_CLIENT_SECRET } = settings;
  const isOwn = !JWKS_URL && JWT_SECRET !== undefined;
  const secret = isOwn ? JWT_SECRET : OIDC_CLIENT_SECRET;
  if (secret === undefined) return undefined;
  const JWT_AUDIENCE = `${settings.JWT_AUDIENCE} session`;
  const own = { JWT_SECRET: secret, JWT_SECRET_OTHER: isOwn ? JWT_SECRET_OTHER : undefined, JWT_ISSUER, JWT_AUDIENCE };
  const verifiers = {
    user: createVerifier(own, now, undefined, isRevoked),
    person: createVerifier(own, now, undefined, (token) => isRevoked({ ...token, isPerson: true })),
  };
  return {
    sign: (subject, claims, issuedAt, until) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuer(JWT_ISSUER)
        .setAudience(JWT_AUDIENCE)
        .setSubject(subject)
        .setIssuedAt(issuedAt)
        .setExpirationTime(until)
        .sign(new TextEncoder().encode(secret)),
    verify: (ticket, whose) => verifiers[whose](ticket),
  };
}
