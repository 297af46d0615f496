import { hash } from "node:crypto";

/** The value of a body's `Repr-Digest` header (RFC 9530). */
export const reprDigest = (body: Uint8Array | string): string => `sha-256=:${hash("sha256", body, "base64")}:`;
