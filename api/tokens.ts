import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { type Claims, Claims as ClaimsSchema, type Scope, scopes } from "../schemas/token.ts";
import { compileCheck } from "../schemas/validate.ts";

/** What a verified token allows. */
export interface Permit {
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

/** Thrown where a token is not valid; the message may be shown. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

const TOKENS = 10_000;
const checkClaims = compileCheck(ClaimsSchema);

/** Verifies tokens: by the issuer's published keys, or by the shared secret. A verified token is remembered until it expires. */
export function createVerifier(settings: TokenSettings, now: () => number): (token: string) => Promise<Permit> {
  const { JWKS_URL, JWT_SECRET, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  if (!JWKS_URL && !JWT_SECRET) throw new Error("neither JWKS_URL nor JWT_SECRET is set: no token could be verified");
  const known = new LRUCache<string, { permit: Permit; expires: number }>({ max: TOKENS });
  const verify = JWKS_URL
    ? verifyByKeys(createRemoteJWKSet(new URL(JWKS_URL)), { issuer, audience })
    : verifyBySecret(new TextEncoder().encode(JWT_SECRET), { issuer, audience });

  return async (token) => {
    const remembered = known.get(token);
    if (remembered && remembered.expires > now()) return remembered.permit;
    const payload = await verify(token).catch((error: unknown) => {
      if (error instanceof errors.JOSEError) throw new TokenError(`the token is not valid: ${error.message}`);
      throw error;
    });
    const permit = permitOf(payload);
    known.set(token, { permit, expires: (payload.exp ?? 0) * 1000 });
    return permit;
  };
}

type Expected = { issuer: string; audience: string };

const verifyBySecret = (secret: Uint8Array, expected: Expected) => async (token: string) =>
  (await jwtVerify(token, secret, { ...expected, algorithms: ["HS256"], requiredClaims: ["exp"] })).payload;

const verifyByKeys = (keys: ReturnType<typeof createRemoteJWKSet>, expected: Expected) => async (token: string) =>
  (
    await jwtVerify(token, keys, {
      ...expected,
      algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
      requiredClaims: ["exp"],
    })
  ).payload;

function permitOf(payload: JWTPayload): Permit {
  const [fault] = checkClaims(payload);
  if (fault) throw new TokenError(`the token's claims are not complete: ${fault.pointer.slice(1)} ${fault.detail}`);
  const { tenant, stores, scope } = payload as unknown as Claims;
  return {
    tenant,
    stores: stores === "*" ? "*" : new Set(stores),
    scopes: new Set(scope === "*" ? scopes : scope.split(" ").filter(isScope)),
  };
}

const isScope = (text: string): text is Scope => scopes.some((known) => known === text);
