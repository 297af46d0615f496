import type { Chunk } from "../records/journal.ts";
import type { Outcome } from "../schemas/request.ts";
import type { ChunkOperation } from "./topology.ts";

/** Which endpoint tells what became of a request: items-result or labels-result. */
export type ResultOf = "items" | "labels";

interface Row {
  itemId?: string;
  barcode?: string;
  sic?: string;
  links?: { itemId?: string; linkedItemId?: string; displayPosition?: number }[] | null;
}

interface OperationRow {
  resultOf: ResultOf;
  /** The outcomes of a row before it is applied: one an item, or one a link. */
  pending(row: Row): Outcome[];
}

const pending = { status: "PENDING" as const, errors: [] };

const ofItem = ({ itemId = "" }: Row): Outcome[] => [{ itemId, ...pending }];

const ofLabel = ({ barcode = "", links }: Row): Outcome[] =>
  links?.length
    ? links.map(({ itemId, linkedItemId, displayPosition = 0 }) => {
        return { barcode, itemId: linkedItemId || itemId || "", displayPosition, ...pending };
      })
    : [{ barcode, ...pending }];

/** What is told of requests, by the name of the job that applies them. */
const operations: Record<ChunkOperation, OperationRow> = {
  "patch-items": { resultOf: "items", pending: ofItem },
  "delete-items": { resultOf: "items", pending: ofItem },
  "remove-sics": { resultOf: "items", pending: ({ sic = "" }) => [{ sic, ...pending }] },
  "remove-properties": { resultOf: "items", pending: ofItem },
  // Before it is applied nobody knows how many updates are due.
  "apply-scheduled": { resultOf: "items", pending: () => [] },
  "patch-labels": { resultOf: "labels", pending: ofLabel },
};

export const resultOf = (operation: string): ResultOf | undefined => rowOf(operation)?.resultOf;

/** The outcomes of a chunk's rows before they are applied, in the order of the input. */
export const pendingOutcomes = ({ operation, rows }: Pick<Chunk, "operation" | "rows">): Outcome[] =>
  (JSON.parse(rows) as Row[]).flatMap((row) => rowOf(operation)?.pending(row) ?? []);

const rowOf = (operation: string): OperationRow | undefined =>
  Object.hasOwn(operations, operation) ? operations[operation as ChunkOperation] : undefined;
