import type { Item } from "../../../schemas/item.ts";

/**
 * Maximum size of an item as it is stored, in bytes of its JSON. Far below the 16 MiB of a document: workers read items
 * by the thousand (docs/integrators.md#limits).
 */
export const MAX_ITEM_BYTES = 256 * 2 ** 10;

/**
 * Why an item may not grow to this: its size is beyond the bound. Undefined where it is within, and where it was larger
 * before, so that a large item of an older version can be made smaller.
 */
export function tooLarge(item: Item, before: Item | undefined): string | undefined {
  const bytes = sizeOf(item);
  if (bytes <= MAX_ITEM_BYTES || (before !== undefined && bytes <= sizeOf(before))) return undefined;
  return `the item would have ${bytes} bytes, of at most ${MAX_ITEM_BYTES}: remove properties or shorten them`;
}

const sizeOf = (item: Item): number => Buffer.byteLength(JSON.stringify(item));
