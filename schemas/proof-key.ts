import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/**
 * Reads an Ed25519 private key from a setting: PKCS #8 as PEM, or its Base64 in one line; undefined if the text is not valid.
 */
export const privateKeyOf = (text: string): KeyObject | undefined =>
  parsed(text, (key) => createPrivateKey({ key, format: "der", type: "pkcs8" }));

/** Reads Ed25519 public keys from a setting, each as SPKI in Base64; undefined if one of them is not valid. */
export function publicKeysOf(text: string): KeyObject[] | undefined {
  const keys = text
    .split(",")
    .map((one) => parsed(one, (key) => createPublicKey({ key, format: "der", type: "spki" })));
  const known = keys.filter((key) => key !== undefined);
  return known.length === keys.length ? known : undefined;
}

/** Returns a key as the settings expect it: its DER in Base64. */
export const keyText = (key: KeyObject): string =>
  (key.type === "private"
    ? key.export({ format: "der", type: "pkcs8" })
    : key.export({ format: "der", type: "spki" })
  ).toString("base64");

function parsed(text: string, parse: (der: Buffer) => KeyObject): KeyObject | undefined {
  try {
    const key = parse(Buffer.from(text.replace(/-----[^-]+-----|\s/g, ""), "base64"));
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
