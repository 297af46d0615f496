import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { JSONWebKeySet } from "jose";
import { openProofKeys } from "../../../../api/proofs/proof-keys.ts";
import { ProofError, verifyProof } from "../../../../api/proofs/verify-proof.ts";
import { readSettings } from "../../../../runtime/read-settings.ts";
import type { Proof } from "../../../../schemas/proof.ts";
import { keyText } from "../../../../schemas/proof-key.ts";
import { command, Refusal } from "../command.ts";
import { readJsonFile } from "../read-json-file.ts";

/** `proof-key`: creates an installation's key. Nothing is stored: the operator keeps the key with other secrets. */
export const proofKeyCommand = command({
  name: "proof-key",
  arguments: [],
  means: "create a private key for PROOF_KEY, which signs proofs, and show its public key for PROOF_OLD_KEYS later",
  options: {},
  async run() {
    const { privateKey } = generateKeyPairSync("ed25519");
    const [secret, known] = [keyText(privateKey), keyText(createPublicKey(privateKey))];
    const { published } = await openProofKeys({ PROOF_KEY: secret, PROOF_OLD_KEYS: undefined });
    const keyId = published.keys[0]?.kid;
    return {
      data: { keyId, privateKey: secret, publicKey: known },
      lines: [`PROOF_KEY=${secret}`, `# public key ${keyId}, for PROOF_OLD_KEYS once it is replaced: ${known}`],
    };
  },
});

/** `verify-proof` opens no database and no connection. */
export const verifyProofCommand = command({
  name: "verify-proof",
  arguments: ["FILE"],
  means: "verify a saved proof of what a label showed, without a network",
  options: {
    keys: {
      takes: "FILE",
      means: "public keys as saved from /api/proofs/keys.json; those of PROOF_KEY and PROOF_OLD_KEYS if absent",
    },
  },
  async run({ arguments: [file = ""], options: { keys } }) {
    const text = await readFile(file, "utf8").catch((error: Error) => {
      throw new Refusal(`${file} cannot be read: ${error.message}`);
    });
    try {
      const { proof, keyId } = await verifyProof(text, await keysFrom(keys));
      return {
        data: { keyId, proof: { ...proof } },
        lines: [`The proof is genuine, signed by the key ${keyId}.`, ...linesOf(proof)],
      };
    } catch (error) {
      if (!(error instanceof ProofError)) throw error;
      return {
        data: { reason: error.message },
        lines: [`The proof is not genuine: ${error.message}.`],
        hasFailed: true,
      };
    }
  },
});

async function keysFrom(file: string | undefined): Promise<JSONWebKeySet> {
  if (file === undefined) {
    const { published } = await openProofKeys(readSettings(["PROOF_KEY", "PROOF_OLD_KEYS"]));
    if (published.keys.length > 0) return published as JSONWebKeySet;
    throw new Refusal("--keys is missing, and PROOF_KEY is not set: save the public keys from /api/proofs/keys.json");
  }
  const keys = (await readJsonFile(file)) as Partial<JSONWebKeySet> | null;
  if (Array.isArray(keys?.keys)) return { keys: keys.keys };
  throw new Refusal(`${file} is not a JSON Web Key Set: it must be an object with a list "keys"`);
}

function linesOf({ barcode, page, storeId, at, localTime, timeZone, certainty, shown }: Proof): string[] {
  const items = shown?.items.map(({ itemId, price }) => (price === null ? itemId : `${itemId} at ${price}`)).join(", ");
  return [
    `Label ${barcode}, page ${page}, in store ${storeId}, at ${localTime} (${timeZone}, ${at}):`,
    shown === null
      ? "unknown"
      : `${items || "its background"}, since ${shown.since}${shown.until ? ` until ${shown.until}` : ""}`,
    `certainty: ${certainty}`,
  ];
}
