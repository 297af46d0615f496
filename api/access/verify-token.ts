import { hash } from "node:crypto";
import { errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { subjectCaller } from "../../domain/access/callers.ts";
import { rightsOfGrant } from "../../domain/access/rights-of-grant.ts";
import type { RevocableToken } from "../../records/revocations.ts";
import { isRole, type Role } from "../../schemas/role.ts";
import { type Claims, Claims as ClaimsSchema, PLATFORM } from "../../schemas/token.ts";
import { compileCheck } from "../../schemas/validate.ts";
import { issuerKeys } from "./issuer-keys.ts";

/** The rights of a verified token, or of a user whose name and password were sent with the call. */
export interface Permit {
  /**
   * Identifies the caller by the first of these that is present: the `sub` claim, the client (`client_id` or `azp`),
   * `jti`, or a hash of what the issuer signed. Never the text of the token, which can be spelled in several ways.
   */
  caller: string;
  /** The claim `sub`. */
  subject?: string;
  /** Id of the token's tenant; empty for the operator's token, which belongs to no tenant. */
  tenant: string;
  stores: "*" | ReadonlySet<string>;
  scopes: ReadonlySet<string>;
  /** The user's role, if the rights come from a role. */
  role?: Role;
  /** Set for a person from the identity provider, who is not the user with the same name. */
  isPerson?: true;
  /** Set for a user whose password was checked when the session started. */
  isUser?: true;
  /** Set for a browser session, in which somebody uses the pages. */
  hasSession?: true;
}

export interface TokenSettings {
  JWT_SECRET?: string | undefined;
  JWT_SECRET_OTHER?: string | undefined;
  JWKS_URL?: string | undefined;
  JWT_ISSUER: string;
  JWT_AUDIENCE: string;
}

/** Thrown for an invalid token. Its message goes into the response and a header, so it never quotes the token's contents. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

/** Whether the tokens issued to a subject before this time have been revoked. */
export type IsRevoked = (token: RevocableToken) => Promise<boolean>;

interface Verified {
  permit: Permit;
  /** The claim `iat`. */
  issuedAt: number | undefined;
  expires: number;
}

const MAX_CACHED_TOKENS = 10_000;
/** A verified token is verified again after this time, because the issuer may have withdrawn its key. */
const REMEMBERED_MS = 60_000;
/** Tolerated difference from an external issuer's clock. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** How far the clock that dates tokens may be ahead of this machine's. */
const MAX_CLOCK_LEAD_MS = 60_000;
const checkClaims = compileCheck(ClaimsSchema);

/**
 * Verifies tokens by the issuer's published keys (JWKS_URL) or by the shared secret (JWT_SECRET, or JWT_SECRET_OTHER). A
 * verified token is cached for a minute, or until it expires if that is sooner. Throws a TokenError, or an IssuerError if
 * the keys cannot be fetched.
 */
export function createVerifier(
  settings: TokenSettings,
  now: () => number,
  issuerTimeoutMs?: number,
  isRevoked: IsRevoked = async () => false,
): (token: string) => Promise<Permit> {
  const verify = verifierOf(settings, now, issuerTimeoutMs);
  const verified = new LRUCache<string, Verified>({ max: MAX_CACHED_TOKENS });

  async function verifyOnce(token: string): Promise<Verified> {
    const cached = verified.get(token);
    if (cached && cached.expires > now()) return cached;
    if (!isCompact(token)) throw new TokenError("The token cannot be decoded");
    const payload = await verify(token).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) throw new TokenError(reasonOf(error));
      throw error;
    });
    // Revocations are compared with this time, so a token dated in the future would outlive its revocation.
    if ((payload.iat ?? 0) * 1000 > now() + MAX_CLOCK_LEAD_MS) throw new TokenError(claimReason("iat", false));
    if (!["string", "undefined"].includes(typeof payload.sub)) throw new TokenError(claimReason("sub", false));
    const expires = Math.min((payload.exp ?? 0) * 1000, now() + REMEMBERED_MS);
    const found = { permit: permitOf(token, payload), issuedAt: payload.iat, expires };
    verified.set(token, found);
    return found;
  }

  return async (token) => {
    const { permit, issuedAt } = await verifyOnce(token);
    if (await isRevoked({ tenant: permit.tenant, subject: permit.subject, issuedAt }))
      throw new TokenError("The token has been revoked");
    return permit;
  };
}

/** Each kind of key has its own algorithms, because a public key must never be accepted as an HMAC secret. */
function verifierOf(
  settings: TokenSettings,
  now: () => number,
  issuerTimeoutMs?: number,
): (token: string) => Promise<JWTPayload> {
  const { JWKS_URL, JWT_SECRET, JWT_SECRET_OTHER, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  const expected = () => ({ issuer, audience, requiredClaims: ["exp"], currentDate: new Date(now()) });
  if (JWKS_URL) {
    const keys = issuerKeys(new URL(JWKS_URL), issuerTimeoutMs);
    const algorithms = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
    const options = { algorithms, clockTolerance: CLOCK_TOLERANCE_SECONDS };
    return async (token) => (await jwtVerify(token, keys, { ...expected(), ...options })).payload;
  }
  if (!JWT_SECRET) throw new Error("neither JWKS_URL nor JWT_SECRET is set, so no token can be verified");
  const verifyWith = async (token: string, secret: string): Promise<JWTPayload> => {
    const options = { ...expected(), algorithms: ["HS256"] };
    return (await jwtVerify(token, new TextEncoder().encode(secret), options)).payload;
  };
  return (token) =>
    verifyWith(token, JWT_SECRET).catch((error: unknown) => {
      if (JWT_SECRET_OTHER === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      return verifyWith(token, JWT_SECRET_OTHER);
    });
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "The token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error.claim, error.reason === "missing");
  if (error instanceof errors.JOSEAlgNotAllowed)
    return "The token is signed with an algorithm that is not accepted here";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "The signature of the token is invalid";
  if (error instanceof errors.JWKSNoMatchingKey) return "The issuer does not have the key that signed the token";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "The token does not name the key that signed it";
  return "The token cannot be decoded";
}

/** Claims that a message may name; any other name would be text from the token. */
const claimNames = ["iss", "aud", "exp", "nbf", "iat", "tenant", "stores", "scope", "sub"];
const claimReason = (claim: string, isMissing: boolean): string =>
  `The claim ${claimNames.find((name) => name === claim) ?? "set"} of the token is ${isMissing ? "missing" : "invalid"}`;

function permitOf(token: string, payload: JWTPayload): Permit {
  const subject = typeof payload.sub === "string" ? { subject: payload.sub } : {};
  const who = {
    caller: callerOf(token, payload),
    ...subject,
    ...(isRole(payload.role) && { role: payload.role }),
  };
  // A token with a tenant never gets the platform's scope, even if its claims contain it.
  if (payload.tenant === undefined && payload.scope === PLATFORM)
    return { ...who, tenant: "", stores: new Set(), scopes: new Set([PLATFORM]) };
  const [fault] = checkClaims(payload);
  if (fault) throw new TokenError(claimReason(fault.pointer.split("/")[1] ?? "", fault.detail === "is missing"));
  return { ...who, ...grantOf(payload as unknown as Claims) };
}

/** The rights in a tenant that follow from claims, or from an API user's settings. */
export const grantOf = ({ tenant, ...grant }: Claims): Pick<Permit, "tenant" | "stores" | "scopes"> => ({
  tenant,
  ...rightsOfGrant(grant),
});

/** The hash excludes the signature, since anyone can compute a second valid ECDSA signature. */
function callerOf(token: string, { sub, client_id, azp, jti }: JWTPayload): string {
  if (typeof sub === "string") return subjectCaller(sub);
  // A program's renewed tokens name the same client (RFC 9068, section 2.2; OpenID Connect Core, section 2).
  if (typeof client_id === "string") return `client ${client_id}`;
  if (typeof azp === "string") return `client ${azp}`;
  if (typeof jti === "string") return `jti ${jti}`;
  return `signed ${hash("sha256", token.slice(0, token.lastIndexOf(".")), "base64url")}`;
}

/** A JWS in compact serialization (RFC 7515, section 7.1): three parts in base64url without padding. */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether each part is canonical base64url, since decoders ignore spaces, padding and unused bits. */
const isCompact = (token: string): boolean =>
  COMPACT_JWS.test(token) &&
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
