import type { Chunk, Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { requestState } from "../../records/requests/numbers.ts";
import type { RequestChunk } from "../../schemas/jobs.ts";
import type { KeptOutcome, Outcome } from "../../schemas/request.ts";
import { stampOf } from "../../schemas/stamp.ts";
import type { Urgency } from "../../schemas/topics.ts";
import { bisect } from "../batch/bisect.ts";
import type { JobHandler } from "../topology.ts";
import type { Results } from "./results.ts";

/** A row of a request, with the stamp under which it takes effect. */
export interface StampedRow<Row> {
  row: Row;
  stamp: number;
}

/** A row as the journal has it. */
export interface JournaledRow<Row> extends StampedRow<Row> {
  /** When its request was accepted, by the database's clock: the same however often it is applied. */
  acceptedAt: Date;
  /** The chunk that it is in. */
  chunk: Pick<Chunk, "_id">;
}

/** Applies rows of one store, in order. Gives each row its outcomes, in the rows' order. */
export type ApplyRows<Row, Given extends StampedRow<Row> = StampedRow<Row>> = (
  store: string,
  rows: readonly Given[],
  urgency: Urgency,
) => Promise<readonly Outcome[][]>;

/** The same of rows that have to know where they come from, and whose outcomes may stand elsewhere. */
export type ApplyJournaledRows<Row> = (
  store: string,
  rows: readonly JournaledRow<Row>[],
  urgency: Urgency,
) => Promise<readonly KeptOutcome[][]>;

interface Dependencies {
  journal: Journal;
  numbers: Numbers;
  results: Results;
  /** Wakes the request of a store whose turn has come. */
  promoteNext(store: string): Promise<void>;
  isUnavailable(error: unknown): boolean;
  clock(): number;
}

/** A request that is not whole in the journal after this long never will be. */
const PARTIAL_TTL_MS = 60_000;

/**
 * The handler of a chunk's job: reads the rows from the journal, has them applied when it is their
 * turn, and keeps what became of them. A chunk that was applied before is left alone, so that
 * a row settles once, whatever is retried.
 */
export function applyChunks<Row>(
  { journal, numbers, results, promoteNext, isUnavailable, clock }: Dependencies,
  apply: ApplyJournaledRows<Row>,
  /** What becomes of a row that could not be applied at all. */
  refuse: (row: Row, error: Error) => Outcome | readonly Outcome[],
): JobHandler<RequestChunk> {
  async function settle(settled: readonly { chunk: Chunk; outcomes: KeptOutcome[] }[]): Promise<void> {
    const isFirst = await journal.settle(new Map(settled.map(({ chunk, outcomes }) => [chunk._id, outcomes])));
    // Where another process was first, its outcomes stand: they are made from the journal when they are asked for.
    if (isFirst) await results.keep(settled.map(({ chunk, outcomes }) => ({ ...chunk, outcomes })));
  }

  async function applyTogether(chunks: readonly Chunk[]): Promise<void> {
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
    for (const { entry, error } of await bisect(rows, work, isUnavailable))
      outcomes.set(entry, [refuse(entry.row, error)].flat());
    const byChunk = Map.groupBy(rows, ({ chunk }) => chunk);
    await settle(
      [...byChunk].map(([chunk, own]) => ({ chunk, outcomes: own.flatMap((row) => outcomes.get(row) ?? []) })),
    );
  }

  /** Whether all that must come before an ordered chunk is applied. */
  async function isNext(chunk: Chunk): Promise<boolean> {
    if ((await numbers.settledThrough(chunk.store)) < chunk.number - 1) return false;
    const request = await journal.readRequest(chunk.store, chunk.number);
    return request.every(({ index, open }) => index >= chunk.index || !open);
  }

  /** Void chunks are closed without effect; of the rest, those whose request is whole. */
  async function findWhole(chunks: readonly Chunk[]): Promise<Chunk[]> {
    const requests = Map.groupBy(chunks, ({ store, number }) => `${store}/${number}`);
    const whole: Chunk[] = [];
    for (const group of requests.values()) {
      const [
        { store, number, chunks: count, journaledAt } = { store: "", number: 0, chunks: 0, journaledAt: new Date(0) },
      ] = group;
      const request = count === 1 ? group : await journal.readRequest(store, number);
      const state = requestState(request);
      if (state === "open") whole.push(...group);
      const never = state === "partial" && clock() - journaledAt.getTime() > PARTIAL_TTL_MS;
      if (state === "void" || never) await settle(group.map((chunk) => ({ chunk, outcomes: [] })));
    }
    return whole;
  }

  return async (jobs) => {
    const read = await journal.read(jobs.map(({ key }) => key));
    const open = [...read.values()].filter((chunk) => chunk.open);
    const ready = (await findWhole(open)).sort(
      (a, b) => (a.store < b.store ? -1 : Number(a.store > b.store)) || a.number - b.number || a.index - b.index,
    );
    const unordered = ready.filter(({ ordered }) => !ordered);
    const applied = new Set<string>();
    for (const chunks of Map.groupBy(unordered, ({ store }) => store).values()) {
      await applyTogether(chunks);
      for (const { _id } of chunks) applied.add(_id);
    }
    for (const run of consecutiveRuns(ready.filter(({ ordered }) => ordered))) {
      if (run[0] === undefined || !(await isNext(run[0]))) continue;
      await applyTogether(run);
      for (const { _id } of run) applied.add(_id);
    }
    for (const store of new Set(open.filter(({ _id }) => applied.has(_id)).map((chunk) => chunk.store)))
      await promoteNext(store);
    const waiting = new Set(open.map(({ _id }) => _id).filter((key) => !applied.has(key)));
    return jobs.filter(({ key }) => waiting.has(key));
  };
}

/** Chunks in order, split where one does not directly follow the one before it in its request. */
function consecutiveRuns(chunks: readonly Chunk[]): Chunk[][] {
  const runs: Chunk[][] = [];
  for (const chunk of chunks) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    const follows = before?.store === chunk.store && before.number === chunk.number && before.index + 1 === chunk.index;
    if (last && follows) last.push(chunk);
    else runs.push([chunk]);
  }
  return runs;
}
