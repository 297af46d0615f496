import { Type } from "typebox";
import { privateKeyOf, publicKeysOf } from "../proof-key.ts";
import { matching, rate, type Setting, seconds, text, url } from "./setting.ts";

/** Where the API is served, which callers it accepts, and how often they may call. */
export const api = {
  BASE_PATH: {
    schema: matching("^(/[\\w.~-]+)+$", 'must be a path such as "/shelfwire"'),
    optional: true,
    means: "Path under which a proxy serves the web process, such as /shelfwire; the origin's root if absent",
  },
  BASE_DOMAIN: { schema: text, optional: true, means: "Also serve each store at {storeId}.{tenantId}.BASE_DOMAIN" },
  JWT_SECRET: {
    schema: Type.String({ minLength: 32 }),
    optional: true,
    secret: true,
    means: "Shared secret of HS256 tokens; either this or JWKS_URL is required",
  },
  JWT_SECRET_OTHER: {
    schema: Type.String({ minLength: 32 }),
    optional: true,
    secret: true,
    means: "A second secret by which tokens are accepted while JWT_SECRET is being replaced; never used for signing",
  },
  JWKS_URL: {
    schema: url,
    optional: true,
    means: "Where the token issuer publishes its keys; takes precedence over JWT_SECRET",
  },
  JWT_ISSUER: { schema: text, initial: "shelfwire", means: "Issuer that tokens must name" },
  JWT_AUDIENCE: { schema: text, initial: "shelfwire", means: "Audience that tokens must name" },
  TOKEN_LIFETIME: { schema: seconds, initial: 3_600, means: "Lifetime of login tokens, in seconds" },
  BASIC_AUTH: {
    schema: Type.Enum(["on", "off"]),
    initial: "on",
    means: "Whether API users may send their name and password with every request; never if JWKS_URL is set",
  },
  TRUSTED_PROXIES: {
    schema: Type.Integer({ minimum: 0, maximum: 10 }),
    initial: 0,
    means: "Number of trusted proxies in front of the API (X-Forwarded-For)",
  },
  CORS_ORIGINS: {
    schema: matching(
      "^(\\*|https?://[^\\s,/*]+( *, *https?://[^\\s,/*]+)*)$",
      'must be * or origins such as "https://shop.example", comma-separated',
    ),
    optional: true,
    means: "Origins whose pages may call the API from a browser, comma-separated, or *; none if absent",
  },
  RATE_LIMIT: {
    schema: rate,
    initial: 100,
    means: "Requests per second that the subject of a token may make; 0: unlimited",
  },
  RATE_BURST: {
    schema: rate,
    initial: 300,
    means: "Requests that the subject of a token may make in a burst after a pause; at least RATE_LIMIT",
  },
  TENANT_RATE_LIMIT: {
    schema: rate,
    initial: 1_000,
    means:
      "Requests per second that all tokens of a tenant may make together, with bursts of three times as many; 0: unlimited",
  },
  ADDRESS_RATE_LIMIT: {
    schema: rate,
    initial: 50,
    means:
      "Requests per second that an address may make without a valid token, with bursts of three times as many; 0: unlimited",
  },
  PROOF_KEY: {
    schema: text,
    right: "an Ed25519 private key in PKCS #8, as PEM or its Base64 in one line, from `npm run admin -- proof-key`",
    isRight: (value) => privateKeyOf(value) !== undefined,
    optional: true,
    secret: true,
    means: "Private key (Ed25519) that signs proofs of what labels showed; proofs are not signed if absent",
  },
  PROOF_OLD_KEYS: {
    schema: text,
    right: "Ed25519 public keys (SPKI) in Base64, comma-separated",
    isRight: (value) => publicKeysOf(value) !== undefined,
    optional: true,
    means:
      "Public keys of earlier values of PROOF_KEY, comma-separated: they stay published, so that old proofs can be verified",
  },
  METRICS_TOKEN: {
    schema: matching("^[\\x21-\\x7e]{16,}$", "must have at least 16 visible ASCII characters and no spaces"),
    optional: true,
    secret: true,
    means:
      "Bearer token for /metrics, which covers all tenants; at least 16 characters; /metrics is disabled if absent",
  },
} as const satisfies Record<string, Setting>;
