import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { readBounded } from "../../runtime/read-bounded.ts";

/** Thrown if the issuer's keys cannot be fetched: the token is then neither valid nor invalid. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

/** Leaves enough time to return 503 within three seconds. */
const TIMEOUT_MS = 2_000;
/** A token with an unknown key triggers a fetch, but at most one per interval. */
export const REFRESH_INTERVAL_MS = 5_000;
/** Maximum size of a response after decompression. */
export const MAX_KEYS_BYTES = 256 * 2 ** 10;

/**
 * The keys that an issuer publishes (JWKS). While the issuer cannot be reached, the cached keys stay valid, and a token
 * signed with any other key throws an IssuerError.
 */
export function issuerKeys(url: URL, timeoutMs = TIMEOUT_MS): JWTVerifyGetKey {
  const published = createRemoteJWKSet(url, {
    timeoutDuration: timeoutMs,
    cooldownDuration: REFRESH_INTERVAL_MS,
    [customFetch]: fetchBounded,
  });
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

/** Reads a response up to a maximum size, until the call's signal aborts. */
async function fetchBounded(...call: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...call);
  const body = await readBounded(answer.body, MAX_KEYS_BYTES);
  if (body === undefined) throw new Error(`the issuer's key set is larger than ${MAX_KEYS_BYTES} bytes`);
  return new Response(body, { status: answer.status });
}

const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

const unreachable = ({ host }: URL, cause: unknown) =>
  new IssuerError(`the keys of the token issuer cannot be fetched from ${host}`, { cause });
