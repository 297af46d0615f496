import type { Logger } from "pino";
import { isOfDatabase } from "../../records/client.ts";
import type { Chunk, ChunkHead, Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { PARTIAL_TTL_MS, requestState } from "../../records/requests/numbers.ts";
import { bisect } from "../../runtime/batch/bisect.ts";
import { distinctCauses, withRequests } from "../../runtime/causes.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { KeptOutcome, Outcome } from "../../schemas/request.ts";
import { stampOf } from "../../schemas/stamp.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { JobHandler } from "../topology.ts";
import type { Steps } from "../tracing/steps.ts";
import { consecutiveRuns, inOrder } from "./chunk-runs.ts";
import { pendingOutcomes } from "./operations.ts";
import type { Results } from "./results.ts";
import { createSettleChunks } from "./settle-chunks.ts";

/** A row of a request with its stamp: of two rows for one field the larger stamp wins. */
export interface StampedRow<Row> {
  row: Row;
  stamp: number;
}

/** A row that was read from the journal. */
export interface JournaledRow<Row> extends StampedRow<Row> {
  /**
   * Taken from the database's clock when the request was accepted, so a chunk that is applied twice gives the same
   * result.
   */
  acceptedAt: Date;
  /** The chunk of the row. */
  chunk: Pick<Chunk, "_id">;
}

/** Applies rows of one store, in order. Returns the outcomes of each row, in the order of the rows. */
export type ApplyRows<Row, Given extends StampedRow<Row> = StampedRow<Row>> = (
  store: string,
  rows: readonly Given[],
  urgency: Urgency,
) => Promise<readonly Outcome[][]>;

/** Applies rows that need their chunk; an outcome may refer to the request of another store that decides it. */
export type ApplyJournaledRows<Row> = (
  store: string,
  rows: readonly JournaledRow<Row>[],
  urgency: Urgency,
) => Promise<readonly KeptOutcome[][]>;

interface Dependencies {
  journal: Journal;
  numbers: Numbers;
  results: Results;
  /** Promotes the jobs of the store's next request, which inherits the urgency of the requests that wait for it. */
  promoteNext(store: string): Promise<void>;
  isUnavailable(error: unknown): boolean;
  metrics: Pick<Metrics, "count">;
  step: Steps["step"];
  log: Pick<Logger, "error">;
  now(): Date;
}

/**
 * The handler of chunks: reads the rows from the journal, applies them when it is their turn, and stores their
 * outcomes. It skips chunks that have already been applied, so a row settles once, however often its job is retried.
 * Returns the jobs whose turn has not come (docs/architecture/queues.md#requests-and-chunks).
 */
export function applyChunks<Row>(
  { journal, numbers, results, promoteNext, isUnavailable, metrics, step, log, now }: Dependencies,
  apply: ApplyJournaledRows<Row>,
  /** The outcome of a row whose `apply` failed for that row alone. */
  refuse: (row: Row, error: Error) => Outcome | readonly Outcome[],
): JobHandler<RequestChunk> {
  const settle = createSettleChunks({ journal, results, metrics });

  /**
   * Applies chunks of one store and settles them. A chunk that fails as a whole, and again alone, ends with an error for
   * each row: an open chunk would hold up all later ordered requests of its store for ever.
   */
  async function applyTogether(chunks: readonly Chunk[]): Promise<void> {
    for (const { entry: chunk, error } of await bisect(chunks, applyAndSettle, isUnavailable)) {
      log.error({ chunk: chunk._id, error }, "a chunk could not be applied");
      await settle([{ chunk, outcomes: failedOutcomes(chunk, error) }]);
    }
  }

  async function applyAndSettle(chunks: readonly Chunk[]): Promise<void> {
    const [first] = chunks;
    if (first === undefined) return;
    const rows = chunks.flatMap((chunk) =>
      (JSON.parse(chunk.rows) as Row[]).map((row, index) => ({
        row,
        stamp: stampOf(chunk.number, chunk.firstRow + index),
        acceptedAt: chunk.drawnAt,
        chunk,
      })),
    );
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

  /** Whether all smaller numbers of the store, and all earlier chunks of the request, are applied. */
  async function isNext(chunk: Chunk): Promise<boolean> {
    if ((await numbers.settledThrough(chunk.store)) < chunk.number - 1) return false;
    const request = await journal.readRequest(chunk.store, chunk.number);
    return request.every(({ index, open }) => index >= chunk.index || !open);
  }

  /**
   * Returns the chunks of requests that are whole in the journal. Requests that are void, or not whole long after their
   * time, are closed without effect.
   */
  async function findWhole(chunks: readonly Chunk[]): Promise<{ whole: Chunk[]; closed: Chunk[] }> {
    const whole: Chunk[] = [];
    const closed: Chunk[] = [];
    for (const group of Map.groupBy(chunks, ({ store, number }) => `${store}/${number}`).values()) {
      const [first] = group;
      if (first === undefined) continue;
      const request = first.chunks === 1 ? group : await journal.readRequest(first.store, first.number);
      const state = requestState(request);
      if (state === "open") whole.push(...group);
      if (state !== "void" && !(state === "partial" && isLost(group, now()))) continue;
      // This covers all of its chunks, since those without a job would stay open.
      const open = [...new Map([...group, ...request].map((chunk) => [chunk._id, chunk])).values()];
      await settle(open.filter((chunk) => chunk.open).map((chunk) => ({ chunk, outcomes: [] })));
      closed.push(...group);
    }
    return { whole, closed };
  }

  return async (jobs) => {
    const read = await journal.read(jobs.map(({ key }) => key));
    const open = [...read.values()].filter((chunk) => chunk.open);
    const { whole, closed } = await findWhole(open);
    const ready = whole.sort(inOrder);
    const unordered = ready.filter(({ ordered }) => !ordered);
    const applied = new Set(closed.map(({ _id }) => _id));
    const hurried = new Set<string>();
    for (const chunks of Map.groupBy(unordered, ({ store }) => store).values()) {
      await applyTogether(chunks);
      for (const { _id } of chunks) applied.add(_id);
    }
    for (const run of consecutiveRuns(ready.filter(({ ordered }) => ordered))) {
      if (run[0] === undefined) continue;
      if (!(await isNext(run[0]))) {
        if (run[0].urgency === "interactive") hurried.add(run[0].store);
        continue;
      }
      await applyTogether(run);
      for (const { _id } of run) applied.add(_id);
    }
    for (const { _id, store } of open) if (applied.has(_id)) hurried.add(store);
    for (const store of hurried) await promoteNext(store);
    const waiting = new Set(open.map(({ _id }) => _id).filter((key) => !applied.has(key)));
    return jobs.filter(({ key }) => waiting.has(key));
  };
}

/** How an error is reported to a caller: a database's own text is for operators. */
const tellable = (error: Error): Error =>
  isOfDatabase(error) ? new Error("the database rejected it because of an internal fault, which is logged") : error;

/** An error for each row of a chunk that cannot be applied, even if its rows cannot be read. */
function failedOutcomes(chunk: Chunk, error: Error): Outcome[] {
  const { message } = tellable(error);
  const failed = { status: "ERROR" as const, errors: [`the row could not be applied: ${message}`] };
  try {
    return pendingOutcomes(chunk).map((outcome) => ({ ...outcome, ...failed }));
  } catch {
    return [failed];
  }
}

const causesOf = (chunks: readonly Chunk[]) =>
  distinctCauses(chunks.map(({ cause, number }) => cause ?? { request: number }));

/**
 * Whether the chunks of an incomplete request were journaled so long ago that the others can only arrive void. Both
 * times are calendar times: `journaledAt` by the database's clock, `at` by that of this process.
 */
const isLost = (chunks: readonly ChunkHead[], at: Date): boolean =>
  chunks.every(({ journaledAt }) => at.getTime() - journaledAt.getTime() > PARTIAL_TTL_MS);
