import { hash } from "node:crypto";
import { errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { type Claims, Claims as ClaimsSchema, type Scope, scopes } from "../../schemas/token.ts";
import { compileCheck } from "../../schemas/validate.ts";
import { issuerKeys } from "./issuer-keys.ts";

/** What a verified token allows. */
export interface Permit {
  /** Names the token wherever it is counted or compared; nobody can make the token of it. */
  tokenId: string;
  /** For whom it was issued. */
  subject?: string;
  tenant: string;
  stores: "*" | ReadonlySet<string>;
  scopes: ReadonlySet<string>;
}

export interface TokenSettings {
  JWT_SECRET?: string | undefined;
  JWKS_URL?: string | undefined;
  JWT_ISSUER: string;
  JWT_AUDIENCE: string;
}

/** Thrown where a token is not valid. The message may be shown, in a header too: it holds nothing that came with the token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

const TOKENS = 10_000;
/** The clock of an issuer elsewhere differs a little. */
const CLOCK_TOLERANCE_SECONDS = 5;
const checkClaims = compileCheck(ClaimsSchema);

/** Verifies tokens: by the issuer's published keys, or by the shared secret. A verified token is remembered until it expires. */
export function createVerifier(settings: TokenSettings, now: () => number): (token: string) => Promise<Permit> {
  const verify = verifierOf(settings);
  const known = new LRUCache<string, { permit: Permit; expires: number }>({ max: TOKENS });

  return async (token) => {
    const remembered = known.get(token);
    if (remembered && remembered.expires > now()) return remembered.permit;
    const payload = await verify(token).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) throw new TokenError(reasonOf(error));
      throw error;
    });
    const permit = permitOf(token, payload);
    known.set(token, { permit, expires: (payload.exp ?? 0) * 1000 });
    return permit;
  };
}

/** Each way has its own algorithms: a published key must never serve as a shared secret. */
function verifierOf(settings: TokenSettings): (token: string) => Promise<JWTPayload> {
  const { JWKS_URL, JWT_SECRET, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  const expected = { issuer, audience, requiredClaims: ["exp"] };
  if (JWKS_URL) {
    const keys = issuerKeys(new URL(JWKS_URL));
    const algorithms = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
    const options = { ...expected, algorithms, clockTolerance: CLOCK_TOLERANCE_SECONDS };
    return async (token) => (await jwtVerify(token, keys, options)).payload;
  }
  if (!JWT_SECRET) throw new Error("neither JWKS_URL nor JWT_SECRET is set: no token could be verified");
  const secret = new TextEncoder().encode(JWT_SECRET);
  return async (token) => (await jwtVerify(token, secret, { ...expected, algorithms: ["HS256"] })).payload;
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "The token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error.claim, error.reason === "missing");
  if (error instanceof errors.JOSEAlgNotAllowed) return "The token is signed in a way that is not accepted here";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "The signature of the token is not right";
  if (error instanceof errors.JWKSNoMatchingKey) return "The issuer has no such key as the token is signed with";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "The token does not say with which key it is signed";
  return "The token cannot be read";
}

/** Names of claims that are looked at; any other is the token's own text. */
const claims = ["iss", "aud", "exp", "nbf", "iat", "tenant", "stores", "scope", "sub"];
const claimReason = (claim: string, isMissing: boolean): string =>
  `The claim ${claims.find((one) => one === claim) ?? "set"} of the token is ${isMissing ? "missing" : "not right"}`;

function permitOf(token: string, payload: JWTPayload): Permit {
  const [fault] = checkClaims(payload);
  if (fault) throw new TokenError(claimReason(fault.pointer.split("/")[1] ?? "", fault.detail === "is missing"));
  const { tenant, stores, scope, sub } = payload as unknown as Claims & { sub?: unknown };
  return {
    tokenId: hash("sha256", token, "base64url"),
    ...(typeof sub === "string" && { subject: sub }),
    tenant,
    stores: stores === "*" ? "*" : new Set(stores),
    scopes: new Set(scope === "*" ? scopes : scope.split(" ").filter(isScope)),
  };
}

const isScope = (text: string): text is Scope => scopes.some((known) => known === text);
