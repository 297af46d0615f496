import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** The Ed25519 private key in a setting: PKCS #8 as PEM, or its Base64 in one line; undefined if it is none. */
export const privateKeyOf = (text: string): KeyObject | undefined =>
  parsed(text, (key) => createPrivateKey({ key, format: "der", type: "pkcs8" }));

/** The Ed25519 public keys in a setting, each as SPKI in Base64; undefined if one of them is none. */
export function publicKeysOf(text: string): KeyObject[] | undefined {
  const keys = text
    .split(",")
    .map((one) => parsed(one, (key) => createPublicKey({ key, format: "der", type: "spki" })));
  const known = keys.filter((key) => key !== undefined);
  return known.length === keys.length ? known : undefined;
}

/** A key as the settings take it: its DER in Base64. */
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
