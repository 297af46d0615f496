import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";

/** Thrown where the issuer's keys cannot be fetched: the token is then neither valid nor invalid. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

/** Leaves time to answer 503 within three seconds. */
const TIMEOUT_MS = 2_000;
/** A token with an unknown key causes a fetch, but at most one in this time. */
const REFRESH_INTERVAL_MS = 5_000;

/**
 * The keys that an issuer publishes (JWKS). While the issuer cannot be reached the cached keys stay valid; a token signed
 * with another key throws an IssuerError.
 */
export function issuerKeys(url: URL, timeoutMs = TIMEOUT_MS): JWTVerifyGetKey {
  const published = createRemoteJWKSet(url, { timeoutDuration: timeoutMs, cooldownDuration: REFRESH_INTERVAL_MS });
  return async (header, token) => {
    try {
      return await published(header, token);
    } catch (error) {
      if (isOfToken(error)) throw error;
      const known = published.jwks();
      if (known === undefined) throw unreachable(url, error);
      return createLocalJWKSet(known)(header, token).catch(() => Promise.reject(unreachable(url, error)));
    }
  };
}

const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

const unreachable = ({ host }: URL, cause: unknown) =>
  new IssuerError(`the keys of the tokens' issuer cannot be had from ${host}`, { cause });
