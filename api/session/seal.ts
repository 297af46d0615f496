import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const options = { authTagLength: TAG_BYTES };

const sealingKey = (id: string): Buffer => Buffer.from(hkdfSync("sha256", id, "", "shelfwire session", 32));

/** Encrypts text with a session's id, which only the browser has. */
export function sealed(id: string, content: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sealingKey(id), iv, options);
  const text = Buffer.concat([cipher.update(content, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
}

/**
 * Returns the content; undefined if the text was not encrypted with this id, for example if it was planted or moved from
 * another session.
 */
export function opened(id: string, text: string): string | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, sealingKey(id), bytes.subarray(0, IV_BYTES), options);
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8");
  try {
    return content + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
