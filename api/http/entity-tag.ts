import { hash } from "node:crypto";

/** Returns the strong entity tag for a response's bytes. */
export const entityTag = (bytes: string | Buffer): string => `"${hash("sha256", bytes, "base64url")}"`;

/**
 * Whether If-None-Match names the tag. Tags are compared weakly (RFC 9110, section 13.1.2), because a compressed response
 * carries the weak form of the same tag.
 */
export const isKnown = (ifNoneMatch: string, tag: string): boolean =>
  names(ifNoneMatch, ({ opaque }) => opaque === tag);

/** Whether If-Match names the tag. Tags are compared strongly (section 13.1.1): a weak tag never matches. */
export const isMatched = (ifMatch: string, tag: string): boolean =>
  names(ifMatch, ({ opaque, isWeak }) => opaque === tag && !isWeak);

/** A tag in a list of tags; a tag may contain commas (section 8.8.3). */
const TAG = /(?<=^|,)\s*(W\/)?("[^"]*")\s*(?=,|$)/g;

/** Whether the header has a matching tag; `*` matches every tag. */
function names(header: string, isMatching: (tag: { opaque: string; isWeak: boolean }) => boolean): boolean {
  if (header.trim() === "*") return true;
  return header.matchAll(TAG).some(([, weak, opaque = ""]) => isMatching({ opaque, isWeak: weak !== undefined }));
}
