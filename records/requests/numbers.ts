import type { Collection, Db } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import { type ChunkHead, isVoid, journalCollection } from "./journal.ts";

/** The counter of a store: everything that takes effect in the store has a number from it. */
interface Counter {
  _id: string;
  number: number;
  drawnAt: Date;
  /** All numbers up to this one are settled; a cache, which only grows. */
  settledThrough?: number;
  /** Numbers above `after` and up to `through` are never drawn: the command after a restore leaves them out. */
  skipped?: { after: number; through: number }[];
}

export const counterCollection = (db: Db): Collection<Counter> => db.collection<Counter>("counter");

export interface Numbers {
  /** The largest number of the store up to which all numbers are settled; 0 where none is. */
  settledThrough(store: string): Promise<number>;
  /** Whether all numbers of the store below this one are settled; without a number, all that were drawn. */
  isSettledBefore(store: string, number?: number): Promise<boolean>;
}

const NUMBERS_PER_READ = 100;

/**
 * Reads which numbers are settled, so that a later request may start (docs/architecture.md#rows-apply-in-order).
 * A number whose request is not whole in the journal counts as settled `gapTimeoutMs` after this process first
 * missed it: its caller was answered 503 long before, and chunks that are journaled after that are void.
 */
export function openNumbers(db: Db, clock: () => number, gapTimeoutMs = 30_000): Numbers {
  const journal = journalCollection(db);
  const withoutContent = { projection: { rows: 0, outcomes: 0 } };
  const missedSince = new Map<string, number>();

  const readKeys = (keys: string[]): Promise<ChunkHead[]> =>
    journal.find({ _id: { $in: keys } }, withoutContent).toArray();

  /** The journaled chunks of each number in a range. */
  async function readRange(store: string, from: number, to: number): Promise<Map<number, ChunkHead[]>> {
    const keys = Array.from({ length: to - from + 1 }, (_, index) => chunkKey(store, from + index, 0));
    const requests = (await readKeys(keys)).map(async (head): Promise<[number, ChunkHead[]]> => {
      if (head.chunks === 1) return [head.number, [head]];
      return [
        head.number,
        await readKeys(Array.from({ length: head.chunks }, (_, index) => chunkKey(store, head.number, index))),
      ];
    });
    return new Map(await Promise.all(requests));
  }

  function isDeadGap(store: string, number: number): boolean {
    const key = chunkKey(store, number, 0);
    const since = missedSince.get(key) ?? clock();
    missedSince.set(key, since);
    return clock() - since >= gapTimeoutMs;
  }

  function isSettled(store: string, number: number, chunks: ChunkHead[] | undefined): boolean {
    const state = requestState(chunks);
    const settled = state === "settled" || state === "void" || (state === "partial" && isDeadGap(store, number));
    if (settled) missedSince.delete(chunkKey(store, number, 0));
    return settled;
  }

  async function settledThrough(store: string): Promise<number> {
    const counter = await counterCollection(db).findOne({ _id: store });
    if (counter === null) return 0;
    const known = counter.settledThrough ?? 0;
    let through = skipFrom(counter, known);
    for (let from = through + 1; from <= counter.number && through === from - 1; from = through + 1) {
      const to = lastOfRead(counter, from);
      const requests = await readRange(store, from, to);
      while (through < to && isSettled(store, through + 1, requests.get(through + 1))) through += 1;
      if (through < to) break;
      through = skipFrom(counter, through);
    }
    if (through > known) await counterCollection(db).updateOne({ _id: store }, { $max: { settledThrough: through } });
    return through;
  }

  async function isSettledBefore(store: string, number?: number): Promise<boolean> {
    const counter = await counterCollection(db).findOne({ _id: store });
    return (await settledThrough(store)) >= (number === undefined ? (counter?.number ?? 0) : number - 1);
  }

  return { settledThrough, isSettledBefore };
}

/** The number itself, or the last of the skipped numbers that follow it. */
function skipFrom(counter: Counter, number: number): number {
  const skip = counter.skipped?.find(({ after }) => after === number);
  return skip === undefined ? number : skipFrom(counter, skip.through);
}

/** The last number of the read that begins with `from`: no read goes beyond skipped numbers. */
const lastOfRead = ({ number, skipped = [] }: Counter, from: number): number =>
  Math.min(from + NUMBERS_PER_READ - 1, number, ...skipped.map(({ after }) => after).filter((after) => after >= from));

/** A request whose chunks are not all in the journal after this time will never be whole. */
export const PARTIAL_TTL_MS = 60_000;

/**
 * The state of a request: `partial` while not all of its chunks are in the journal, `void` where one chunk is void
 * (half a request must not take effect), `open` until all chunks are applied.
 */
export function requestState(chunks: readonly ChunkHead[] | undefined): "partial" | "void" | "open" | "settled" {
  const [first] = chunks ?? [];
  if (first === undefined || chunks === undefined) return "partial";
  if (chunks.some(isVoid)) return "void";
  if (chunks.length < first.chunks) return "partial";
  return chunks.some(({ open }) => open) ? "open" : "settled";
}
