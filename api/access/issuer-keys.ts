import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";

/** Thrown where the issuer's keys are needed and cannot be had: that says nothing of the token. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

/** Well inside the time in which a caller must be told. */
const TIMEOUT_MS = 2_000;
/** A key that is not known is looked for at the issuer, but not more often than this. */
const REFRESH_INTERVAL_MS = 5_000;

/**
 * The keys that an issuer publishes. While it cannot be reached those that were known go on; a token of a key that is
 * not among them cannot be judged then.
 */
export function issuerKeys(url: URL): JWTVerifyGetKey {
  const published = createRemoteJWKSet(url, { timeoutDuration: TIMEOUT_MS, cooldownDuration: REFRESH_INTERVAL_MS });
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
