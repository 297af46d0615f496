/** Maximum number of remarks in a response; one more says how many are left out. */
const MAX_REMARKS = 8;

/**
 * Returns the `Warning` header for remarks on a call that was carried out (RFC 7234, section 5.5): a value with code 299
 * for each. Characters outside ASCII are percent-encoded, because headers allow no others.
 */
export function warning(remarks: readonly string[]): string {
  const more = remarks.length - MAX_REMARKS;
  const told = more > 0 ? [...remarks.slice(0, MAX_REMARKS), `and ${more} more`] : remarks;
  return told.map((text) => `299 - "${ascii(text).replaceAll(/["\\]/g, "\\$&")}"`).join(", ");
}

const ascii = (text: string): string => text.toWellFormed().replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent);
