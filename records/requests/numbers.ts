import { LRUCache } from "lru-cache";
import type { Collection, Db } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import { REPEATABLE } from "../mongodb/repeatable.ts";
import { type ChunkHead, isVoid, journalCollection } from "./journal.ts";
import { insertVoids } from "./store-chunks.ts";

/** A store's counter, which numbers everything that takes effect in the store. */
interface Counter {
  _id: string;
  number: number;
  drawnAt: Date;
  /** All numbers up to this one are settled; a cached value, which only grows. */
  settledThrough?: number;
  /** Numbers above `after` and up to `through` are never used: the command that follows a restore skips them. */
  skipped?: { after: number; through: number }[];
  /** Marks of requests held or about to be held: while there are any, numbers below the settled ones may take effect. */
  holds?: string[];
}

export const counterCollection = (db: Db): Collection<Counter> => db.collection<Counter>("counter");

interface Progress {
  settledThrough: number;
  last: number;
}

export interface Numbers {
  /** Returns the largest number up to which all of the store's numbers are settled or held; 0 if there is none. */
  settledThrough(store: string): Promise<number>;
  /** Like `settledThrough`, but also returns the last number that was reserved. */
  progress(store: string): Promise<Progress>;
  /** Returns the progress after this process has settled these requests; costs a single write if no other request is open. */
  progressAfter(store: string, settled: readonly Pick<ChunkHead, "number" | "chunks">[]): Promise<Progress>;
  /**
   * Returns a number up to which every request has taken effect; 0 while a request of the store is held. `enough` is the number
   * before a request that is being applied. Reads nothing if this process last read exactly `enough`: the number stays valid,
   * since processes end when MongoDB is restored. A larger number belongs to a removed store with the same id.
   */
  settledAtLeast(store: string, enough: number): Promise<number>;
  /** Whether all of the store's numbers below `number` are settled; without `number`, whether all reserved numbers are. */
  isSettledBefore(store: string, number?: number): Promise<boolean>;
}

/** Reserves `count` numbers of a store. A number that is never journaled blocks ordered requests for a while. */
export async function drawNumbers(db: Db, store: string, count: number): Promise<{ first: number; drawnAt: Date }> {
  const counter = await counterCollection(db).findOneAndUpdate(
    { _id: store },
    { $inc: { number: count }, $currentDate: { drawnAt: true } },
    { upsert: true, returnDocument: "after" },
  );
  if (counter === null) throw new Error(`the counter of ${store} could be neither found nor created`);
  return { first: counter.number - count + 1, drawnAt: counter.drawnAt };
}

/** Reads the last number that was reserved in a store; 0 before the first. */
export const lastNumber = async (db: Db, store: string): Promise<number> =>
  (await counterCollection(db).findOne({ _id: store }))?.number ?? 0;

/** Maximum number of stores whose progress a process remembers. */
const MAX_STORES = 10_000;
const NUMBERS_PER_READ = 100;
/** How far past the settled numbers a process reads, so that all missing numbers in this range age at the same time. */
const MAX_NUMBERS_AHEAD = 1000;

/**
 * Reads which numbers are settled, so that later requests may start (docs/architecture/guarantees.md#rows-apply-in-order). If a
 * request is incomplete in the journal, a void chunk closes the request's number `gapTimeoutMs` after this process first missed
 * it: the request's caller received 503 long before that. All missing numbers age at the same time.
 */
export function openNumbers(db: Db, clock: () => number, gapTimeoutMs = 30_000): Numbers {
  const journal = journalCollection(db);
  const withoutContent = { projection: { rows: 0, outcomes: 0, "hold.rows": 0 } };
  const gapsOf = new Map<string, Gaps>();
  const readLast = new LRUCache<string, number>({ max: MAX_STORES });

  const note = ({ _id, holds = [] }: Counter, through: number) => readLast.set(_id, holds.length > 0 ? 0 : through);
  const readKeys = (keys: string[]): Promise<ChunkHead[]> =>
    journal.find({ _id: { $in: keys } }, withoutContent).toArray();

  /** Reads the journaled chunks of each number in a range. */
  async function readRange(store: string, from: number, to: number): Promise<Map<number, ChunkHead[]>> {
    const keys = Array.from({ length: to - from + 1 }, (_, index) => chunkKey(store, from + index, 0));
    const requests = (await readKeys(keys)).map(async (head): Promise<[number, ChunkHead[]]> => {
      if (head.chunks === 1) return [head.number, [head]];
      const chunks = Array.from({ length: head.chunks }, (_, index) => chunkKey(store, head.number, index));
      return [head.number, await readKeys(chunks)];
    });
    return new Map(await Promise.all(requests));
  }

  /**
   * Closes a number: a void chunk replaces a missing chunk, so that the request is void for all processes, even if the missing
   * chunk arrives after all. An existing chunk is not changed.
   */
  async function close({ _id: store, drawnAt }: Counter, number: number, chunks: readonly ChunkHead[]): Promise<void> {
    const index = firstMissing(chunks);
    const kind = { operation: "none", ordered: true, urgency: "bulk", size: 0, firstRow: 0, generation: 0 } as const;
    const place = { _id: chunkKey(store, number, index), store, number, index, chunks: chunks[0]?.chunks ?? 1 };
    await insertVoids(db, [{ ...place, ...kind, drawnAt }]);
  }

  /** Reads a range of numbers, and closes those that have been missing for too long. */
  async function readAndClose(counter: Counter, gaps: Gaps, from: number, to: number) {
    for (;;) {
      const requests = await readRange(counter._id, from, to);
      const dead = ageGaps(gaps, requests, from, to, clock(), gapTimeoutMs);
      if (dead.length === 0) return requests;
      await Promise.all(dead.map((number) => close(counter, number, requests.get(number) ?? [])));
    }
  }

  async function progress(store: string): Promise<Progress> {
    const counter = await counterCollection(db).findOne({ _id: store });
    if (counter === null) return { settledThrough: 0, last: 0 };
    const through = await readThrough(counter);
    note(counter, through);
    return { settledThrough: through, last: counter.number };
  }

  /** Reads the journal if a request has several chunks, or if an earlier request is open. */
  async function progressAfter(store: string, settled: Parameters<Numbers["progressAfter"]>[1]): Promise<Progress> {
    const numbers = settled.map(({ number }) => number);
    const [first, through] = [Math.min(...numbers), Math.max(...numbers)];
    const isSeries = new Set(numbers).size === through - first + 1 && settled.every(({ chunks }) => chunks === 1);
    const counter =
      isSeries &&
      (await counterCollection(db).findOneAndUpdate(
        { _id: store, settledThrough: first - 1 },
        { $max: { settledThrough: through } },
        { ...REPEATABLE, returnDocument: "after" },
      ));
    if (!counter || counter.number !== through) return progress(store);
    note(counter, through);
    return { settledThrough: through, last: through };
  }

  const settledThrough = async (store: string): Promise<number> => (await progress(store)).settledThrough;

  async function readThrough(counter: Counter): Promise<number> {
    const { _id: store, number, settledThrough: known = 0 } = counter;
    const gaps = gapsOf.get(store) ?? { missingSince: new Map(), seenThrough: 0 };
    let through = skipFrom(counter, known);
    let to = through;
    for (let from = through + 1; from <= number && through === to; from = to + 1) {
      to = lastOfRead(counter, from);
      const requests = await readAndClose(counter, gaps, from, to);
      while (through < to && isSettled(requests.get(through + 1))) through += 1;
      if (through === to) through = to = skipFrom(counter, to);
    }
    for (const missing of gaps.missingSince.keys()) if (missing <= through) gaps.missingSince.delete(missing);
    if (gaps.missingSince.size === 0) gapsOf.delete(store);
    else {
      gapsOf.set(store, gaps);
      await lookAhead(counter, gaps, Math.max(to, gaps.seenThrough) + 1, Math.min(through + MAX_NUMBERS_AHEAD, number));
    }
    if (through > known)
      await counterCollection(db).updateOne({ _id: store }, { $max: { settledThrough: through } }, REPEATABLE);
    return through;
  }

  /** Reads later numbers once, so that missing numbers among them begin to age now rather than one after another. */
  async function lookAhead(counter: Counter, gaps: Gaps, first: number, last: number): Promise<void> {
    for (let from = skipFrom(counter, first - 1) + 1; from <= last; from = skipFrom(counter, gaps.seenThrough) + 1) {
      const to = Math.min(lastOfRead(counter, from), last);
      await readAndClose(counter, gaps, from, to);
      gaps.seenThrough = to;
    }
  }

  async function isSettledBefore(store: string, number?: number): Promise<boolean> {
    const { settledThrough: through, last } = await progress(store);
    return through >= (number === undefined ? last : number - 1);
  }

  return {
    ...{ settledThrough, progress, progressAfter },
    async settledAtLeast(store, enough) {
      if ((readLast.get(store) ?? 0) !== enough) await progress(store);
      return readLast.get(store) ?? 0;
    },
    isSettledBefore,
  };
}

/** Returns the number itself, or the last of the skipped numbers that follow it. */
function skipFrom(counter: Counter, number: number): number {
  const skip = counter.skipped?.find(({ after, through }) => after <= number && number < through);
  return skip === undefined ? number : skipFrom(counter, skip.through);
}

/** Returns the last number of the read that begins with `from`: a read ends before skipped numbers. */
const lastOfRead = ({ number, skipped = [] }: Counter, from: number): number =>
  Math.min(from + NUMBERS_PER_READ - 1, number, ...skipped.map(({ after }) => after).filter((after) => after >= from));

/** What a process knows about the missing numbers of a store. */
interface Gaps {
  /** When the process first missed each number. */
  missingSince: Map<number, number>;
  /** The largest number that the process has checked ahead. */
  seenThrough: number;
}

/** Records when each number in a range was first missing. Returns those missing for at least `gapTimeoutMs`. */
function ageGaps(
  { missingSince }: Gaps,
  requests: ReadonlyMap<number, ChunkHead[]>,
  from: number,
  to: number,
  now: number,
  gapTimeoutMs: number,
): number[] {
  const dead: number[] = [];
  for (let number = from; number <= to; number += 1) {
    if (requestState(requests.get(number)) !== "partial") {
      missingSince.delete(number);
      continue;
    }
    const since = missingSince.get(number) ?? now;
    missingSince.set(number, since);
    if (now - since >= gapTimeoutMs) dead.push(number);
  }
  return dead;
}

const isSettled = (chunks: readonly ChunkHead[] | undefined): boolean =>
  ["settled", "void"].includes(requestState(chunks));

/** Returns the smallest chunk index that a request lacks in the journal. */
function firstMissing(chunks: readonly ChunkHead[]): number {
  const present = new Set(chunks.map(({ index }) => index));
  let index = 0;
  while (present.has(index)) index += 1;
  return index;
}

/** If a request is not whole in the journal after this time, it never will be. */
export const PARTIAL_TTL_MS = 60_000;

/**
 * The state of a request: `partial` until all of its chunks are in the journal, `void` if one chunk is void (a request must
 * not take effect in part), `open` until all chunks have been applied.
 */
export function requestState(chunks: readonly ChunkHead[] | undefined): "partial" | "void" | "open" | "settled" {
  const [first] = chunks ?? [];
  if (first === undefined || chunks === undefined) return "partial";
  if (chunks.some(isVoid)) return "void";
  if (chunks.length < first.chunks) return "partial";
  return chunks.some(({ open }) => open) ? "open" : "settled";
}
