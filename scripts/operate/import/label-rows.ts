import { createHash } from "node:crypto";
import { checkDigit } from "../../../records/linking/barcode.ts";
import type { LabelPatch } from "../../../schemas/label.ts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BODY_LENGTH = 10;

/**
 * A label for each item, linked to it. The barcode is made from the item's id: the same list again means the
 * same labels. Throws where two items would share one.
 */
export function labelRowsFor(itemIds: readonly string[], labelType: string): LabelPatch[] {
  const owners = new Map<string, string>();
  return itemIds.map((itemId) => {
    const barcode = barcodeFor(itemId, labelType);
    const other = owners.get(barcode);
    if (other !== undefined) throw new Error(`the items "${other}" and "${itemId}" would share the label ${barcode}`);
    owners.set(barcode, itemId);
    return { barcode, links: [{ itemId, displayPosition: 0 }] };
  });
}

/** A letter, `4`, ten characters from the item's id, the label type, a check digit (design, section 6). */
export function barcodeFor(itemId: string, labelType: string): string {
  const hash = createHash("sha256").update(itemId).digest();
  const body = Array.from(hash.subarray(0, BODY_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join("");
  const barcode = `D4${body}${labelType}`;
  return barcode + checkDigit(barcode);
}
