import type { KeyObject } from "node:crypto";
import { CompactSign } from "jose";

export const PROOF_ALGORITHM = "EdDSA";
export const PROOF_TYPE = "shelfwire-proof";

/** Returns a function that signs the text of a proof with this private key; `kid` names its public key. */
export const signerOf = (key: KeyObject, kid: string) => (payload: string) =>
  new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: PROOF_ALGORITHM, kid, typ: PROOF_TYPE })
    .sign(key);
