import { isDeepStrictEqual } from "node:util";
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import type { Proof } from "../../schemas/proof.ts";
import { PROOF_ALGORITHM, PROOF_TYPE } from "./sign-proof.ts";

const CHANGED = "the signature does not match: the file was changed, or it is incomplete";
/** The fields of a saved response. */
const FIELDS = ["proof", "jws", "unsigned"];

/** Thrown for a file that is not a proof, or not the one that was signed. The message says why. */
export class ProofError extends Error {
  override readonly name = "ProofError";
}

/**
 * Verifies a proof as it was saved: the interface's response, or only the signature in compact form. Returns what was
 * signed, and the key's id. Nothing is fetched: the public keys come from a JSON Web Key Set that the caller has.
 */
export async function verifyProof(text: string, keys: JSONWebKeySet): Promise<{ proof: Proof; keyId: string }> {
  const { jws, beside } = partsOf(text.trim());
  const [, , signature = ""] = jws.split(".");
  // Other strings decode to the same bytes, so without this check a changed character would not be detected.
  if (Buffer.from(signature, "base64url").toString("base64url") !== signature) throw new ProofError(CHANGED);
  try {
    const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys), {
      algorithms: [PROOF_ALGORITHM],
    });
    if (protectedHeader.typ !== PROOF_TYPE)
      throw new ProofError(`the signature is of type "${protectedHeader.typ}", not of a proof ("${PROOF_TYPE}")`);
    const proof: Proof = JSON.parse(new TextDecoder().decode(payload));
    if (beside !== undefined && !isDeepStrictEqual(beside, proof))
      throw new ProofError('the readable part "proof" was changed: it differs from what was signed');
    return { proof, keyId: protectedHeader.kid ?? "" };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      throw new ProofError("none of the given public keys signed it: get the key set of the installation that made it");
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) throw new ProofError(CHANGED);
    throw error;
  }
}

/** Returns the signature in a file, and the readable proof next to it, if there is one. */
function partsOf(text: string): { jws: string; beside?: unknown } {
  if (!text.startsWith("{")) return { jws: text };
  const file = parsed(text);
  const isWhole = Object.keys(file ?? {}).every((name) => FIELDS.includes(name)) && (file?.unsigned ?? null) === null;
  if (file !== undefined && typeof file.jws === "string" && !isWhole) throw new ProofError(CHANGED);
  if (typeof file?.jws === "string") return { jws: file.jws, ...("proof" in file && { beside: file.proof }) };
  throw new ProofError(
    file === undefined
      ? "the file is neither JSON nor a signature: it was changed, or it is incomplete"
      : 'the file has no signature in "jws": the installation that made it had no key',
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
