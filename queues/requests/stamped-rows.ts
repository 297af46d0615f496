import type { Chunk } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { KeptOutcome, Outcome } from "../../schemas/request.ts";
import { numberOf } from "../../schemas/stamp.ts";
import type { Urgency } from "../../schemas/urgency.ts";

/** A row of a request with its stamp: of two rows for one field, the row with the larger stamp wins. */
export interface StampedRow<Row> {
  row: Row;
  stamp: number;
  /** The price list that the row belongs to. */
  list?: string | undefined;
  /** The number of that list's first request, if it is known. */
  first?: number | undefined;
}

/** A row that was read from the journal. */
export interface JournaledRow<Row> extends StampedRow<Row> {
  /**
   * Taken from the database's clock when the request was accepted, so a chunk that is applied twice gives the same
   * result.
   */
  acceptedAt: Date;
  /** The row's chunk. */
  chunk: Pick<Chunk, "_id" | "cause">;
}

/** Applies rows of one store, in order. Returns the outcomes of each row, in the order of the rows. */
export type ApplyRows<Row, Given extends StampedRow<Row> = StampedRow<Row>> = (
  store: string,
  rows: readonly Given[],
  urgency: Urgency,
) => Promise<readonly Outcome[][]>;

/** Applies rows that need their chunk. An outcome may refer to another store's request, which then decides the outcome. */
export type ApplyJournaledRows<Row> = (
  store: string,
  rows: readonly JournaledRow<Row>[],
  urgency: Urgency,
) => Promise<readonly KeptOutcome[][]>;

/**
 * Reads whether a stamp of a store is the latest, that is, whether no request with a smaller number can still take effect. If
 * so, an unchanged value needs no new stamp. A held request can still take effect, once it is approved. Must be called before
 * the records are read, so that they reflect every settled request; otherwise, a value that an earlier request has replaced
 * could look unchanged.
 */
export async function readIsLatest(
  { settledAtLeast }: Pick<Numbers, "settledAtLeast">,
  store: string,
  rows: readonly StampedRow<unknown>[],
): Promise<(stamp: number) => boolean> {
  const settled = await settledAtLeast(store, numberOf(rows[0]?.stamp ?? 0) - 1);
  return (stamp) => numberOf(stamp) <= settled + 1;
}
