import type { AnyBulkWriteOperation, Db, Filter } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import type { Urgency } from "../../schemas/topics.ts";
import { UnavailableError } from "../client.ts";
import { duplicateKeysOf } from "../duplicate-keys.ts";
import { type Chunk, journalCollection } from "./journal.ts";
import { counterCollection } from "./numbers.ts";
import { createRevocation } from "./revoke.ts";

/** A validated request, which takes effect once it is journaled. */
export interface AcceptedRequest {
  store: string;
  operation: string;
  rows: readonly unknown[];
  /** How many rows each row counts as; 1 where absent. */
  weights?: readonly number[];
  /** Whether it waits until all smaller numbers of its store are settled. */
  ordered: boolean;
  /** Of a request that draws an uploaded image: how many pixels it has. */
  pixels?: number;
  /** The journal takes only one request with this key. */
  deduplicationKey?: string;
}

export type JournaledChunk = Omit<Chunk, "journaledAt">;

const ROWS_PER_CHUNK = 1000;
const BYTES_PER_CHUNK = 4 * 2 ** 20;
const INTERACTIVE_ROWS = 100;

/** Thrown where the journal already has a request with this deduplication key. */
export class DuplicateRequestError extends Error {
  override readonly name = "DuplicateRequestError";
}

/** A request that waits for its confirmation, until its caller's deadline. */
interface Waiting {
  request: AcceptedRequest;
  deadline: number;
  resolve(chunks: JournaledChunk[]): void;
  reject(error: Error): void;
}

/**
 * Draws a request's number and journals its rows; resolves once the database has journaled them. Requests that
 * wait in this process at the same time share one draw for each store and one write.
 *
 * A request without a confirmation after `timeoutMs` is refused, and never takes effect even where the database
 * stores it later: a chunk that was stored after its caller was refused is void (`isVoid`), by the database's
 * clock; one that was stored in time but confirmed too late is made void as soon as the database can be reached
 * (docs/architecture.md#accepted-is-never-lost).
 */
export function createAcceptance(db: Db, clock: () => number, timeoutMs: number) {
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
    const begunAt = clock();
    const alive = refuseLate(group, begunAt);
    if (alive.length === 0) return;
    const numbered = await draw(db, alive);
    const drawnAfter = clock();
    const ready = new Set(refuseLate(alive, drawnAfter));
    const journaled = numbered
      .filter(({ caller }) => ready.has(caller))
      .map(({ caller, number, drawnAt }) => {
        const validFor = caller.deadline - drawnAfter;
        return { caller, validFor, chunks: chunksOf(caller.request, number, drawnAt, validFor) };
      });
    if (journaled.length === 0) return;
    const all = journaled.flatMap(({ chunks }) => chunks);
    const duplicates = await insert(db, all).catch((error: unknown) => {
      revoke(all);
      throw error;
    });
    const confirmedAt = clock();
    for (const { caller, validFor, chunks } of journaled) {
      if (chunks.some((chunk) => duplicates.has(chunk)))
        caller.reject(
          new DuplicateRequestError(`the journal has a request of ${caller.request.deduplicationKey} already`),
        );
      // The database drew and stored between `begunAt` and `confirmedAt`: where that span is valid, the chunk is.
      else if (confirmedAt <= caller.deadline && confirmedAt - begunAt <= validFor) caller.resolve(chunks);
      else {
        caller.reject(new UnavailableError("the journal confirmed too late"));
        revoke(chunks);
      }
    }
    const lost = journaled.filter(({ chunks }) => chunks.some((chunk) => duplicates.has(chunk)));
    if (lost.length > 0)
      await closeGaps(
        db,
        lost.flatMap(({ chunks }) => chunks),
      );
  }

  /** The requests whose callers still wait; all others are refused. */
  function refuseLate(group: readonly Waiting[], now: number): Waiting[] {
    for (const { deadline, reject } of group)
      if (deadline <= now) reject(new UnavailableError("its time was over before its turn"));
    return group.filter(({ deadline }) => deadline > now);
  }

  return (request: AcceptedRequest): Promise<JournaledChunk[]> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new UnavailableError(`no confirmation within ${timeoutMs} ms`)), timeoutMs);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          settle(value);
        };
      waiting.push({ request, deadline: clock() + timeoutMs, resolve: settled(resolve), reject: settled(reject) });
      void commitWaiting();
    });
}

/** Numbers for a group of requests, in their order, with one draw for each store. */
async function draw(db: Db, group: readonly Waiting[]) {
  const stores = Map.groupBy(group, ({ request }) => request.store);
  const draws = [...stores].map(async ([store, group]) => {
    const { first, drawnAt } = await drawNumbers(db, store, group.length);
    return group.map((caller, index) => ({ caller, number: first + index, drawnAt }));
  });
  return (await Promise.all(draws)).flat();
}

/** Draws `count` numbers of a store. A number that is never journaled blocks ordered requests for a while. */
export async function drawNumbers(db: Db, store: string, count: number): Promise<{ first: number; drawnAt: Date }> {
  const counter = await counterCollection(db).findOneAndUpdate(
    { _id: store },
    { $inc: { number: count }, $currentDate: { drawnAt: true } },
    { upsert: true, returnDocument: "after" },
  );
  if (counter === null) throw new Error(`the counter of ${store} was neither found nor made`);
  return { first: counter.number - count + 1, drawnAt: counter.drawnAt };
}

/** The chunks of a request with its number; they are not journaled yet. */
export function chunksOf(
  { store, operation, rows, weights, ordered, pixels, deduplicationKey }: AcceptedRequest,
  number: number,
  drawnAt: Date,
  validFor: number,
): JournaledChunk[] {
  const parts = splitRows(rows, weights);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  // The same item may be in two chunks, so chunks of one request must be applied in order.
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
    ...(pixels !== undefined && { pixels }),
  };
  return parts.map((part, index) => ({
    ...shared,
    ...part,
    _id: chunkKey(store, number, index),
    index,
    ...(deduplicationKey !== undefined && { deduplicationKey: `${deduplicationKey}/${index}` }),
  }));
}

/** Splits rows into chunks of at most 1,000 rows and 4 MiB of JSON; a row that is larger is a chunk of its own. */
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

/** Inserts chunks into the journal; gives those whose deduplication key it already has. */
async function insert(db: Db, chunks: readonly JournaledChunk[]): Promise<Set<JournaledChunk>> {
  try {
    // Unordered, so that a duplicate does not stop the inserts of other requests.
    await journalCollection(db).bulkWrite(
      chunks.map((chunk) => insertion(chunk)),
      { ordered: false },
    );
    return new Set();
  } catch (error) {
    const refused = duplicateKeysOf(error) ?? [];
    if (refused.length === 0) throw error;
    return new Set(refused.flatMap(({ index }) => chunks[index] ?? []));
  }
}

/** Journals void chunks for numbers that no request uses, since these would block ordered requests for a while. */
async function closeGaps(db: Db, chunks: readonly JournaledChunk[]): Promise<void> {
  const operations = chunks.map(({ deduplicationKey: _, ...chunk }) =>
    insertion({ ...chunk, rows: "[]", validFor: -1 }),
  );
  await journalCollection(db).bulkWrite(operations);
}

/**
 * An upsert, because only an update can take the time from the database's clock. With `unless`, a chunk that exists and
 * does not match it gives a duplicate key error instead of an update.
 */
export function insertion({ _id, ...chunk }: JournaledChunk, unless: Filter<Chunk> = {}): AnyBulkWriteOperation<Chunk> {
  return {
    updateOne: {
      filter: { _id, ...unless },
      update: { $setOnInsert: chunk, $currentDate: { journaledAt: true } },
      upsert: true,
    },
  };
}
