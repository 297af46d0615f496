import { createPublicKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import { privateKeyOf, publicKeysOf } from "../../schemas/proof-key.ts";
import { PROOF_ALGORITHM, signerOf } from "./sign-proof.ts";

/** The keys for proofs. */
export interface ProofKeys {
  /** Signs the text of a proof; undefined if no private key is configured. */
  sign: ((payload: string) => Promise<string>) | undefined;
  /** The public keys as a JSON Web Key Set, the current key first. */
  published: { keys: JWK[] };
}

interface KeySettings {
  PROOF_KEY: string | undefined;
  PROOF_OLD_KEYS: string | undefined;
}

/** Reads the keys from the settings, which have been checked. A key's id is its thumbprint (RFC 7638). */
export async function openProofKeys({ PROOF_KEY = "", PROOF_OLD_KEYS }: KeySettings): Promise<ProofKeys> {
  const key = privateKeyOf(PROOF_KEY);
  const old = PROOF_OLD_KEYS === undefined ? [] : (publicKeysOf(PROOF_OLD_KEYS) ?? []);
  const all = await Promise.all([...(key ? [createPublicKey(key)] : []), ...old].map(jwkOf));
  const keys = [...new Map(all.map((jwk) => [jwk.kid, jwk])).values()];
  const kid = keys[0]?.kid;
  if (key === undefined || kid === undefined) return { sign: undefined, published: { keys } };
  return { sign: signerOf(key, kid), published: { keys } };
}

async function jwkOf(key: KeyObject): Promise<JWK> {
  const jwk = await exportJWK(key);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: PROOF_ALGORITHM, use: "sig" };
}
