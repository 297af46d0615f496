/** The public part of a key, as a JSON Web Key. */
export interface PublicKey {
  kid?: string;
  kty?: string;
  crv?: string;
  x?: string;
}

/** The outcome of a check: the proof as it was signed, or why it is not genuine. */
export type Checked =
  | { is: "valid"; proof: Record<string, unknown>; keyId: string }
  | { is: "changed" | "unsigned" | "key" | "noKeys" | "browser" };

/**
 * Checks a saved proof with these public keys, using the browser's own cryptography and no network calls: the signature
 * in compact form (`jws`), and whether the readable part next to it is what was signed.
 */
export async function checkProof(text: string, keys: readonly PublicKey[]): Promise<Checked> {
  const file = fileOf(text.trim());
  if (file === undefined) return { is: "changed" };
  if (typeof file.jws !== "string") return { is: "unsigned" };
  const isWhole = Object.keys(file).every((name) => FIELDS.includes(name)) && (file.unsigned ?? null) === null;
  if (!isWhole) return { is: "changed" };
  if (keys.length === 0) return { is: "noKeys" };
  const [header = "", payload = "", signature = "", ...more] = file.jws.split(".");
  const { kid, alg, typ } = (parsed(textOf(header)) ?? {}) as { kid?: string; alg?: string; typ?: string };
  const proof = parsed(textOf(payload)) as Record<string, unknown> | undefined;
  const bytes = bytesOf(signature);
  if (alg !== "EdDSA" || typ !== "shelfwire-proof" || proof === undefined || bytes === undefined || more.length > 0)
    return { is: "changed" };
  const key = keys.find((one) => one.kid === kid);
  if (kid === undefined || key === undefined) return { is: "key" };
  const isGenuine = await verify(key, bytes, new TextEncoder().encode(`${header}.${payload}`));
  if (isGenuine === undefined) return { is: "browser" };
  const isSame = !("proof" in file) || sorted(file.proof) === sorted(proof);
  return isGenuine && isSame ? { is: "valid", proof, keyId: kid } : { is: "changed" };
}

/** The fields of a saved response. */
const FIELDS = ["proof", "jws", "unsigned"];

const fileOf = (text: string): Record<string, unknown> | undefined =>
  text.startsWith("{") ? (parsed(text) as Record<string, unknown> | undefined) : { jws: text };

/** Whether a signature was made with a key; undefined if the key is invalid, or the browser does not support Ed25519. */
async function verify(
  { kty = "", crv = "", x = "" }: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean | undefined> {
  try {
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, signature, signed);
  } catch {
    return undefined;
  }
}

/** Returns the JSON of a value with the fields of each object sorted. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Accepts only the canonical form of these bytes, so that every changed character of the text is detected. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    const written = btoa(binary)
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/={1,2}$/, "");
    return written === base64url ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function textOf(base64url: string): string | undefined {
  const bytes = bytesOf(base64url);
  return bytes && new TextDecoder().decode(bytes);
}
