import type { Link } from "../../schemas/link.ts";

/** How a row or a stored link identifies the item: its id, and the code that was used. */
type Named = { [Field in "itemId" | "linkedItemId"]?: Link[Field] | null | undefined };

/**
 * Whether a row repeats the item and the code that a response contained for a link. Then the link keeps its item, even
 * if the code refers to another item or to none by now: a response that is sent back must not put another product on the
 * label. A row with only the code is linked by the code.
 */
export const repeatsLink = (row: Named, link: Named | undefined): boolean =>
  link !== undefined && row.itemId === link.itemId && row.linkedItemId === link.linkedItemId;
