import { hash } from "node:crypto";

/** A strong tag of an answer's bytes. */
export const entityTag = (bytes: string | Buffer): string => `"${hash("sha256", bytes, "base64url")}"`;

/**
 * Whether a conditional header names the tag. Tags are compared weakly (RFC 9110, section 13.1.2), because a compressed
 * answer carries the weak form of the same tag.
 */
export function isKnown(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, opaque]) => opaque === tag);
}
