import type { Link } from "../../schemas/link.ts";

/** How a row or a stored link identifies the item: its id, and the code that was used. */
type Named = { [Field in "itemId" | "linkedItemId"]?: Link[Field] | null | undefined };

/**
 * Whether a row repeats the item and the code from a response about a link. The link then keeps its item, even if the code now
 * refers to a different item or to none: sending a response back must not put a different product on the label. A row with only
 * the code is linked by the code.
 */
export const repeatsLink = (row: Named, link: Named | undefined): boolean =>
  link !== undefined && row.itemId === link.itemId && row.linkedItemId === link.linkedItemId;
