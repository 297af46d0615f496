import type { Chunk } from "../../records/requests/journal.ts";
import { storeIds as idsOf, partsOfLinkId } from "../../schemas/keys.ts";
import type { Outcome } from "../../schemas/request.ts";
import type { ChunkOperation } from "../topology.ts";

/** The endpoint that reports the outcomes of a request: items-result, labels-result or none. */
export type ResultOf = "items" | "labels" | "none";

interface Row {
  itemId?: string;
  barcode?: string;
  sic?: string;
  links?: { itemId?: string; linkedItemId?: string; displayPosition?: number }[] | null;
  linkId?: string;
  displayPosition?: number;
  storeIds?: string[];
  itemIds?: string[];
}

interface OperationRow {
  resultOf: ResultOf;
  /** Set if each link of a row is applied separately, and has its own outcome or error. */
  hasLinks?: true;
  /**
   * Returns the PENDING outcomes of a row: one per item or link, but only one for a label without links or for an unlink, whose
   * links are not known yet.
   */
  pending(row: Row, store: string): Outcome[];
}

const pending = { status: "PENDING" as const, errors: [] };

const ofItem = ({ itemId = "" }: Row): Outcome[] => [{ itemId, ...pending }];

const ofLabel = ({ barcode = "", links }: Row): Outcome[] =>
  links?.length
    ? links.map(({ itemId, linkedItemId, displayPosition = 0 }) => {
        return { barcode, itemId: linkedItemId || itemId || "", displayPosition, ...pending };
      })
    : [{ barcode, ...pending }];

const ofLink = ({ linkId = "" }: Row): Outcome[] => [{ ...partsOfLinkId(linkId), ...pending }];

const ofUnlink = ({ linkId: _, ...named }: Row): Outcome[] => [{ ...named, ...pending }];

const ofPairs = ({ storeIds = [], itemIds = [] }: Row): Outcome[] =>
  storeIds.flatMap((storeId) => itemIds.map((itemId) => ({ storeId, itemId, ...pending })));
/**
 * For requests without a result: the caller gets a response immediately, and the request is journaled only so that it is not
 * lost.
 */
const withoutResult: OperationRow = { resultOf: "none", pending: () => [] };

/** How requests are reported, by the name of the job that applies them. */
const operations: Record<ChunkOperation, OperationRow> = {
  "patch-items": { resultOf: "items", hasLinks: true, pending: ofItem },
  "campaign-items": { resultOf: "items", pending: ofItem },
  "delete-items": { resultOf: "items", pending: ofItem },
  "remove-sics": { resultOf: "items", pending: ({ sic = "" }) => [{ sic, ...pending }] },
  "remove-properties": { resultOf: "items", pending: ofItem },
  // The number of due updates is known only when the request is applied.
  "apply-scheduled": { resultOf: "items", pending: () => [] },
  "undo-list": { resultOf: "items", pending: ofItem },
  "cancel-scheduled": { resultOf: "items", pending: ofItem },
  "set-pages": { resultOf: "items", pending: ofItem },
  "draw-pages": { resultOf: "items", pending: ofItem },
  "remove-pages": { resultOf: "items", pending: ofItem },
  "patch-labels": { resultOf: "labels", hasLinks: true, pending: ofLabel },
  "patch-links": { resultOf: "labels", pending: ofLink },
  unlink: { resultOf: "labels", pending: ofUnlink },
  "store-links": { resultOf: "labels", pending: (row, store) => ofPairs({ ...row, storeIds: [idsOf(store).storeId] }) },
  "bulk-links": { resultOf: "labels", pending: ofPairs },
  "position-labels": withoutResult,
  "refresh-labels": withoutResult,
};

/** Returns the endpoint that reports an operation; undefined if the operation is unknown. */
export const resultOf = (operation: string): ResultOf | undefined => rowOf(operation)?.resultOf;

/** Returns the outcomes of a chunk's rows before they are applied, in the order of the input. */
export const pendingOutcomes = ({ store, operation, rows }: Pick<Chunk, "store" | "operation" | "rows">): Outcome[] =>
  (JSON.parse(rows) as Row[]).flatMap((row) => rowOf(operation)?.pending(row, store) ?? []);

/** Counts the links in each row of a request; undefined for an operation without links. */
export const countLinks = (operation: string, rows: readonly unknown[]): number[] | undefined =>
  rowOf(operation)?.hasLinks && rows.map((row) => (row as Row).links?.length ?? 0);

const rowOf = (operation: string): OperationRow | undefined =>
  Object.hasOwn(operations, operation) ? operations[operation as ChunkOperation] : undefined;
