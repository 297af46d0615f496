import { createHash } from "node:crypto";
import { asciiCheckDigit } from "../../../domain/linking/barcodes/check-digits.ts";
import type { LabelPatch } from "../../../schemas/label.ts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BODY_LENGTH = 10;

/**
 * Returns rows that create a label for each item and link it. Barcodes are derived from item ids, so the same list results in
 * the same labels. Throws if two items would share a label.
 */
export function labelRowsFor(itemIds: readonly string[], labelType: string): LabelPatch[] {
  const owners = new Map<string, string>();
  return itemIds.map((itemId) => {
    const barcode = barcodeFor(itemId, labelType);
    const owner = owners.get(barcode);
    if (owner !== undefined) throw new Error(`the items "${owner}" and "${itemId}" would share the label ${barcode}`);
    owners.set(barcode, itemId);
    return { barcode, links: [{ itemId, displayPosition: 0 }] };
  });
}

/** Returns a barcode: a letter, `4`, ten characters from the item's id, the label type, and a check digit. */
export function barcodeFor(itemId: string, labelType: string): string {
  const hash = createHash("sha256").update(itemId).digest();
  const body = Array.from(hash.subarray(0, BODY_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join("");
  const barcode = `D4${body}${labelType}`;
  return barcode + asciiCheckDigit(barcode);
}
