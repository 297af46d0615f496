import type { Link } from "../../schemas/link.ts";

/** What a row and a stored link say of the item: its id, and the code that was used. */
type Named = { [Field in "itemId" | "linkedItemId"]?: Link[Field] | null | undefined };

/**
 * Whether a row repeats what an answer said of a link: its item and its code. Then the link keeps its item, also where the
 * code stands for another item or for none by now: an answer that is sent back must not put another product on the label.
 * A row that gives the code alone is linked by it.
 */
export const repeatsLink = (row: Named, link: Named | undefined): boolean =>
  link !== undefined && row.itemId === link.itemId && row.linkedItemId === link.linkedItemId;
