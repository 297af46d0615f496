/** Reads the label type from a label's barcode; undefined where the barcode is not valid. */
export type BarcodeScheme = (barcode: string) => number | undefined;

/**
 * Makes the barcode scheme: a regular expression with a group `type`, and a last character that is the sum of
 * the ASCII codes of all characters before it, modulo 10. Throws for a pattern without the group.
 */
export function barcodeScheme(pattern: string): BarcodeScheme {
  const form = new RegExp(pattern);
  if (!pattern.includes("(?<type>")) throw new Error(`the barcode pattern ${pattern} has no group "type"`);
  return (barcode) => {
    const type = form.exec(barcode)?.groups?.type;
    return type !== undefined && barcode.endsWith(String(checkDigit(barcode.slice(0, -1)))) ? Number(type) : undefined;
  };
}

/** The check digit for a barcode without its last character. */
export function checkDigit(body: string): number {
  return Buffer.from(body, "ascii").reduce((sum, code) => sum + code, 0) % 10;
}
