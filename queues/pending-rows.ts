import type { Chunk } from "../records/journal.ts";
import type { Outcome } from "../schemas/request.ts";
import type { ChunkOperation } from "./topology.ts";

interface Row {
  itemId?: string;
  barcode?: string;
  links?: { itemId?: string; linkedItemId?: string; displayPosition?: number }[] | null;
}

/** The outcomes of a chunk's rows before they are applied: one an item, or one a link, in the order of the input. */
export function pendingOutcomes({ operation, rows }: Pick<Chunk, "operation" | "rows">): Outcome[] {
  const outcomesOf = outcomesBefore[operation as ChunkOperation];
  return (JSON.parse(rows) as Row[]).flatMap(outcomesOf);
}

const pending = { status: "PENDING" as const, errors: [] };

const ofItem = ({ itemId = "" }: Row): Outcome[] => [{ itemId, ...pending }];

const ofLabel = ({ barcode = "", links }: Row): Outcome[] =>
  links?.length
    ? links.map(({ itemId, linkedItemId, displayPosition = 0 }) => {
        return { barcode, itemId: linkedItemId || itemId || "", displayPosition, ...pending };
      })
    : [{ barcode, ...pending }];

const outcomesBefore: Record<ChunkOperation, (row: Row) => Outcome[]> = {
  "patch-items": ofItem,
  "delete-items": ofItem,
  "patch-labels": ofLabel,
};
