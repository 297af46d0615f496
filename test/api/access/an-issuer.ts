import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExecutionContext } from "ava";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { createVerifier, TokenError } from "../../../api/access/verify-token.ts";
import { KEEP_ALIVE_MS, PATIENT_MS } from "../../harness/patience.ts";

/** The issuer and the audience that a token must name. */
export const NAMES = { JWT_ISSUER: "https://issuer.example", JWT_AUDIENCE: "shelfwire" };
/** The tenant, stores and scope of a token. */
export const CLAIMS = { tenant: "demo", stores: ["main"], scope: "items:read unknown:scope" };
/** The shared secret of tokens. */
export const SECRET = "a secret for tests that has its 32 characters";
/** Returns the current time in seconds, as in tokens. */
export const now = () => Math.floor(Date.now() / 1000);

type Keys = { key: CryptoKey; publicKey: CryptoKey; published: JWK };
const made = new Map<string, Promise<Keys>>();

/** Returns the key pair with this name. Each pair is made once for all issuers, since making one takes processor time. */
function keysOf(alg: string, kid: string): Promise<Keys> {
  const make = async () => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    return { key: privateKey, publicKey, published: { ...(await exportJWK(publicKey)), alg, kid } };
  };
  const keys = made.get(`${alg} ${kid}`) ?? make();
  made.set(`${alg} ${kid}`, keys);
  return keys;
}

/** Opens an issuer that publishes one key over HTTP until it is closed; `change` replaces the key. */
export async function openIssuer(t: ExecutionContext, alg = "RS256") {
  let count = 0;
  const issuer = { ...(await nextKeys()), asked: 0, answer: undefined as string | undefined };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_, response) => {
    issuer.asked += 1;
    response.end(issuer.answer ?? JSON.stringify({ keys: [issuer.published] }));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  t.teardown(() => closeServer(server));

  function nextKeys(): Promise<Keys> {
    count += 1;
    return keysOf(alg, `key-${count}`);
  }
  return {
    url: `http://127.0.0.1:${port}/keys`,
    port,
    asked: () => issuer.asked,
    answerWith: (text: string) => {
      issuer.answer = text;
    },
    publicKey: () => issuer.publicKey,
    published: () => issuer.published,
    change: async () => Object.assign(issuer, await nextKeys()),
    close: () => closeServer(server),
    sign: (claims: object = {}, key: CryptoKey | Uint8Array = issuer.key, header: object = {}) =>
      new SignJWT({ ...CLAIMS, iss: NAMES.JWT_ISSUER, aud: "shelfwire", exp: now() + 3_600, ...claims })
        .setProtectedHeader({ alg, kid: issuer.published.kid ?? "", ...header })
        .sign(key),
  };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Returns a verifier for tokens of the issuer whose keys are published at this address. */
export const verifierOf = (JWKS_URL: string, now = Date.now) => createVerifier({ ...NAMES, JWKS_URL }, now, PATIENT_MS);
/** Returns the reason why a token is refused. */
export const refusal = async (t: ExecutionContext, verified: Promise<unknown>) =>
  (await t.throwsAsync(verified, { instanceOf: TokenError }))?.message;
