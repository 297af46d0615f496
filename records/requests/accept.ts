import { type AnyBulkWriteOperation, type Db, type Filter, MongoBulkWriteError } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import type { Urgency } from "../../schemas/topics.ts";
import { UnavailableError } from "../client.ts";
import { type Chunk, journalCollection } from "./journal.ts";
import { counterCollection } from "./numbers.ts";
import { createRevocation } from "./revoke.ts";

/** A validated request: what it asks for is decided here to happen. */
export interface AcceptedRequest {
  store: string;
  operation: string;
  rows: readonly unknown[];
  /** As how many rows each counts, where a row stands for many. */
  weights?: readonly number[];
  /** Must it wait for every smaller number of its store? */
  ordered: boolean;
  /** Names a request that must not be in the journal twice. */
  deduplicationKey?: string;
}

export type JournaledChunk = Omit<Chunk, "journaledAt">;

const ROWS_PER_CHUNK = 1000;
const BYTES_PER_CHUNK = 4 * 2 ** 20;
const INTERACTIVE_ROWS = 100;
const DUPLICATE_KEY = 11_000;

/** Thrown where the journal has a request of this deduplication key already. */
export class DuplicateRequestError extends Error {
  override readonly name = "ClaimTakenError";
}

interface Waiting {
  request: AcceptedRequest;
  deadline: number;
  resolve(chunks: JournaledChunk[]): void;
  reject(error: Error): void;
}

/**
 * Draws a request's number and journals its rows; resolves once they are in the database's journal.
 * All requests that wait in this process at one time share one draw a store and one write.
 *
 * A request that has no confirmation after `within` milliseconds is refused, and stays without
 * effect even where the database stores it later: a chunk is void if the database stored it after
 * its caller had given up (`isVoid`), by the database's own clock; one that was stored in time and confirmed too late is
 * made void as soon as the database can be reached.
 */
export function createAcceptance(db: Db, clock: () => number, within: number) {
  const revoke = createRevocation(db);
  let waiting: Waiting[] = [];
  let committing = false;

  async function commitWaiting(): Promise<void> {
    if (committing) return;
    committing = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await commit(group).catch((error: Error) => {
        for (const { reject } of group) reject(error);
      });
    }
    committing = false;
  }

  async function commit(group: readonly Waiting[]): Promise<void> {
    const asked = clock();
    const alive = inTime(group, asked);
    if (alive.length === 0) return;
    const numbered = await draw(db, alive);
    const drawn = clock();
    const ready = new Set(inTime(alive, drawn));
    const journaled = numbered
      .filter(({ one }) => ready.has(one))
      .map(({ one, number, drawnAt }) => {
        const validFor = one.deadline - drawn;
        return { one, validFor, chunks: chunksOf(one.request, number, drawnAt, validFor) };
      });
    if (journaled.length === 0) return;
    const all = journaled.flatMap(({ chunks }) => chunks);
    const twice = await insert(db, all).catch((error: unknown) => {
      revoke(all);
      throw error;
    });
    const confirmed = clock();
    for (const { one, validFor, chunks } of journaled) {
      if (chunks.some((chunk) => twice.has(chunk)))
        one.reject(new DuplicateRequestError(`the journal has a request of ${one.request.deduplicationKey} already`));
      // The database drew after it was asked, so the chunk is certainly valid if the whole took no longer than that.
      else if (confirmed <= one.deadline && confirmed - asked <= validFor) one.resolve(chunks);
      else {
        one.reject(new UnavailableError("the journal confirmed too late"));
        revoke(chunks);
      }
    }
    const lost = journaled.filter(({ chunks }) => chunks.some((chunk) => twice.has(chunk)));
    if (lost.length > 0)
      await closeGaps(
        db,
        lost.flatMap(({ chunks }) => chunks),
      );
  }

  /** Those whose callers still wait; the others are refused. */
  function inTime(group: readonly Waiting[], now: number): Waiting[] {
    for (const one of group)
      if (one.deadline <= now) one.reject(new UnavailableError("its time was over before its turn"));
    return group.filter(({ deadline }) => deadline > now);
  }

  return (request: AcceptedRequest): Promise<JournaledChunk[]> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new UnavailableError(`no confirmation within ${within} ms`)), within);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(late);
          settle(value);
        };
      waiting.push({ request, deadline: clock() + within, resolve: settled(resolve), reject: settled(reject) });
      void commitWaiting();
    });
}

/** Numbers for a group: one draw a store, in the order in which the requests came. */
async function draw(db: Db, group: readonly Waiting[]) {
  const stores = Map.groupBy(group, ({ request }) => request.store);
  const draws = [...stores].map(async ([store, group]) => {
    const { first, drawnAt } = await drawNumbers(db, store, group.length);
    return group.map((one, index) => ({ one, number: first + index, drawnAt }));
  });
  return (await Promise.all(draws)).flat();
}

/** Draws so many numbers of a store; a number that is never journaled holds the store's ordered requests for a while. */
export async function drawNumbers(db: Db, store: string, count: number): Promise<{ first: number; drawnAt: Date }> {
  const counter = await counterCollection(db).findOneAndUpdate(
    { _id: store },
    { $inc: { number: count }, $currentDate: { drawnAt: true } },
    { upsert: true, returnDocument: "after" },
  );
  if (counter === null) throw new Error(`the counter of ${store} was neither found nor made`);
  return { first: counter.number - count + 1, drawnAt: counter.drawnAt };
}

/** A request's rows under its number, in chunks that are not journaled yet. */
export function chunksOf(
  { store, operation, rows, weights, ordered, deduplicationKey }: AcceptedRequest,
  number: number,
  drawnAt: Date,
  validFor: number,
): JournaledChunk[] {
  const parts = splitRows(rows, weights);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  // Chunks of one request must not overtake each other: the same item may stand in two of them.
  const isOrdered = ordered || parts.length > 1;
  const urgency: Urgency = size <= INTERACTIVE_ROWS ? "interactive" : "bulk";
  const shared = {
    store,
    number,
    chunks: parts.length,
    operation,
    ordered: isOrdered,
    urgency,
    drawnAt,
    validFor,
    generation: 0,
    open: true,
  };
  return parts.map((part, index) => ({
    ...shared,
    ...part,
    _id: chunkKey(store, number, index),
    index,
    ...(deduplicationKey !== undefined && { deduplicationKey: `${deduplicationKey}/${index}` }),
  }));
}

/** At most 1,000 rows and about 4 MiB of JSON a chunk, so that no document outgrows the database's limit. */
function splitRows(
  rows: readonly unknown[],
  weights: readonly number[] = [],
): Pick<Chunk, "rows" | "size" | "firstRow">[] {
  const parts: { rows: string[]; size: number; bytes: number; firstRow: number }[] = [];
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify(row);
    const bytes = Buffer.byteLength(text);
    const weight = weights[index] ?? 1;
    const last = parts.at(-1);
    if (last && last.size + weight <= ROWS_PER_CHUNK && last.bytes + bytes <= BYTES_PER_CHUNK) {
      last.rows.push(text);
      last.size += weight;
      last.bytes += bytes;
    } else {
      parts.push({ rows: [text], size: weight, bytes, firstRow: index });
    }
  }
  return parts.map(({ rows: texts, size, firstRow }) => ({ rows: `[${texts.join(",")}]`, size, firstRow }));
}

/** Puts chunks into the journal; gives back those whose deduplication key it has already. */
async function insert(db: Db, chunks: readonly JournaledChunk[]): Promise<Set<JournaledChunk>> {
  try {
    // Unordered: a deduplication key that is taken must not keep the others of its group out.
    await journalCollection(db).bulkWrite(
      chunks.map((chunk) => insertion(chunk)),
      { ordered: false },
    );
    return new Set();
  } catch (error) {
    const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return new Set(failures.flatMap(({ index }) => chunks[index] ?? []));
  }
}

/** Numbers that were drawn for nothing are closed at once: they would hold the ordered requests behind them for a while. */
async function closeGaps(db: Db, chunks: readonly JournaledChunk[]): Promise<void> {
  const operations = chunks.map(({ deduplicationKey: _, ...chunk }) =>
    insertion({ ...chunk, rows: "[]", validFor: -1 }),
  );
  await journalCollection(db).bulkWrite(operations);
}

/** An upsert, because only an update can take the time from the database's clock. `unless` refuses what is there. */
export function insertion({ _id, ...chunk }: JournaledChunk, unless: Filter<Chunk> = {}): AnyBulkWriteOperation<Chunk> {
  return {
    updateOne: {
      filter: { _id, ...unless },
      update: { $setOnInsert: chunk, $currentDate: { journaledAt: true } },
      upsert: true,
    },
  };
}
