import { type Item, itemTexts } from "../../schemas/item.ts";
import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";
import { regularOf } from "../campaigns/offers.ts";

/**
 * Maximum size, in bytes of JSON, of what rows have set in an item. Far below the 16 MiB of a document, because workers read
 * items by the thousand (docs/integrators/calls.md#limits). Campaign offers, versions for lists and earlier prices do not
 * count: they have limits of their own, and no row is rejected because of them.
 */
export const MAX_ITEM_BYTES = 256 * 2 ** 10;

/** A control character is written as `\u0001`. */
const MAX_BYTES_PER_CHARACTER = 6;
/** Upper bound for the JSON overhead of a property or a code. */
const BYTES_PER_ELEMENT = 64;
/** Upper bound for the JSON overhead of an item without its properties and codes: names and stamps. */
const BYTES_PER_ITEM = 1_024;

/**
 * Returns the reason to reject an item whose properties and codes make it exceed the limit. Undefined if it does not exceed the
 * limit, or was larger before, so that a large item from an earlier release can be made smaller.
 */
export function tooLarge(item: Item, before: Item | undefined): RowNotice | undefined {
  const regular = regularOf(item);
  if (mostBytesOf(regular) <= MAX_ITEM_BYTES) return undefined;
  const bytes = sizeOf(regular);
  if (bytes <= MAX_ITEM_BYTES || (before !== undefined && bytes <= sizeOf(regularOf(before)))) return undefined;
  return rowNotice("ITEM_TOO_LARGE", { bytes, most: MAX_ITEM_BYTES });
}

const sizeOf = ({ offers: _, versions: __, charged: ___, prices: ____, ...item }: Item): number =>
  Buffer.byteLength(JSON.stringify(item));

/** Returns an upper bound for the size of an item without writing its JSON, because nearly all items are small. */
function mostBytesOf(item: Item): number {
  let characters = item.itemId.length;
  for (const name of itemTexts) characters += item[name]?.length ?? 0;
  for (const sic of item.sics) characters += sic.length;
  for (const { key, value } of item.properties) characters += key.length + value.length;
  const elements = item.sics.length + item.properties.length;
  return characters * MAX_BYTES_PER_CHARACTER + elements * BYTES_PER_ELEMENT + BYTES_PER_ITEM;
}
