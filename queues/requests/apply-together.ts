import type { Logger } from "pino";
import { isOfDatabase } from "../../records/mongodb/unavailable.ts";
import type { Chunk } from "../../records/requests/journal.ts";
import { bisect } from "../../runtime/batch/bisect.ts";
import { distinctCauses, withRequests } from "../../runtime/causes.ts";
import type { KeptOutcome, Outcome } from "../../schemas/request.ts";
import { rowErrors, rowNotice } from "../../schemas/row-notice.ts";
import { stampOf } from "../../schemas/stamp.ts";
import type { Steps } from "../tracing/steps.ts";
import { pendingOutcomes } from "./operations.ts";
import type { SettledChunk } from "./settle-chunks.ts";
import type { ApplyJournaledRows, StampedRow } from "./stamped-rows.ts";

/** How an operation's rows are handled. */
export interface RowHandlers<Row> {
  apply: ApplyJournaledRows<Row>;
  /** Returns the outcome of a row for which `apply` failed individually. */
  refuse(row: Row, error: Error): Outcome | readonly Outcome[];
}

interface Dependencies {
  settle(chunks: readonly SettledChunk[]): Promise<void>;
  isUnavailable(error: unknown): boolean;
  step: Steps["step"];
  log: Pick<Logger, "error">;
}

/**
 * Applies chunks of one store and settles them. If a chunk fails in a batch and again on its own, it ends with an error for
 * each row, because an open chunk would block all later ordered requests of its store forever.
 */
export function createApplyTogether<Row>(
  { settle, isUnavailable, step, log }: Dependencies,
  { apply, refuse }: RowHandlers<Row>,
): (chunks: readonly Chunk[]) => Promise<void> {
  async function applyAndSettle(chunks: readonly Chunk[]): Promise<void> {
    const [first] = chunks;
    if (first === undefined) return;
    const rows = chunks.flatMap((chunk) => rowsOf<Row>(chunk));
    const outcomes = new Map<StampedRow<Row>, readonly KeptOutcome[]>();
    const work = async (part: typeof rows) => {
      const applied = await apply(first.store, part, first.urgency);
      for (const [index, row] of part.entries()) outcomes.set(row, applied[index] ?? []);
    };
    const causes = causesOf(chunks);
    const attributes = { store: first.store, operation: first.operation, chunks: chunks.length, rows: rows.length };
    const failed = await step("apply", causes, attributes, () =>
      withRequests(causes, () => bisect(rows, work, isUnavailable)),
    );
    for (const { entry, error } of failed) {
      if (isOfDatabase(error)) log.error({ chunk: entry.chunk._id, error }, "a row could not be applied");
      outcomes.set(entry, [refuse(entry.row, tellable(error))].flat());
    }
    const byChunk = Map.groupBy(rows, ({ chunk }) => chunk);
    await settle(
      [...byChunk].map(([chunk, own]) => ({ chunk, outcomes: own.flatMap((row) => outcomes.get(row) ?? []) })),
    );
  }

  return async (chunks) => {
    for (const { entry: chunk, error } of await bisect(chunks, applyAndSettle, isUnavailable)) {
      log.error({ chunk: chunk._id, error }, "a chunk could not be applied");
      await settle([{ chunk, outcomes: failedOutcomes(chunk, error) }]);
    }
  };
}

const rowsOf = <Row>(chunk: Chunk) =>
  (JSON.parse(chunk.rows) as Row[]).map((row, index) => ({
    row,
    stamp: stampOf(chunk.number, chunk.firstRow + index),
    acceptedAt: chunk.drawnAt,
    list: chunk.list,
    chunk,
  }));

/** Returns an error as it is reported to a caller, without a database's own message, which is for operators. */
const tellable = (error: Error): Error =>
  isOfDatabase(error) ? new Error("the database rejected it because of an internal fault, which is logged") : error;

/** Returns an error for each row of a chunk that cannot be applied; only one error if its rows cannot be read. */
function failedOutcomes(chunk: Chunk, error: Error): Outcome[] {
  const { message } = tellable(error);
  const failed = { status: "ERROR" as const, ...rowErrors(rowNotice("CHUNK_FAILED", { detail: message })) };
  try {
    return pendingOutcomes(chunk).map((outcome) => ({ ...outcome, ...failed }));
  } catch {
    return [failed];
  }
}

const causesOf = (chunks: readonly Chunk[]) =>
  distinctCauses(chunks.map(({ cause, number }) => cause ?? { request: number }));
