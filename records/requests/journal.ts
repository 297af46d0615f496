import type { Collection, Db } from "mongodb";
import type { Cause } from "../../schemas/cause.ts";
import { chunkKey } from "../../schemas/keys.ts";
import type { KeptOutcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { batchesOf } from "../mongodb/batches-of.ts";
import { deleteInBatches } from "../mongodb/delete-in-batches.ts";

/** Part of an accepted request: at most 1,000 of its rows, and their outcomes once it is applied. */
export interface Chunk {
  _id: string;
  store: string;
  number: number;
  index: number;
  /** How many chunks the request has. */
  chunks: number;
  /** Name of the job that applies it. */
  operation: string;
  ordered: boolean;
  urgency: Urgency;
  /** JSON, because a row may hold keys that MongoDB does not store. */
  rows: string;
  /** How many rows it counts as. */
  size: number;
  /** Index of the chunk's first row in its request. */
  firstRow: number;
  /** When the number was drawn and when the chunk was stored, by the database's clock. */
  drawnAt: Date;
  journaledAt: Date;
  /** A chunk with more milliseconds from `drawnAt` to `journaledAt` is void: its caller was answered 503. */
  validFor: number;
  /** The call that the request came with; absent where Shelfwire made the request itself. */
  cause?: Cause;
  /** Of a call with an Idempotency-Key. Unique over all chunks. */
  deduplicationKey?: string;
  /** Of a chunk that draws an uploaded image: how many pixels it has. */
  pixels?: number;
  /** Set where a repetition of the call was accepted: the chunk must not become void any more. */
  kept?: true;
  /** How many times the sweep has enqueued it again. */
  generation: number;
  /** True until every row has an outcome. */
  open: boolean;
  appliedAt?: Date;
  /** JSON of the outcomes of its rows. */
  outcomes?: string;
  /** Child requests of its rows in other stores, and the rev of that list. */
  children?: ChildRequest[];
  childrenRev?: number;
}

/** A request that a row makes in another store. */
export interface ChildRequest {
  /** Stamp of the row. */
  stamp: number;
  store: string;
  number: number;
  drawnAt: Date;
}

/** A chunk without its rows and their outcomes. */
export type ChunkHead = Omit<Chunk, "rows" | "outcomes">;

export interface Journal {
  read(keys: readonly string[]): Promise<Map<string, Chunk>>;
  /** All chunks of a request that are journaled, in order; none where the number is unknown. */
  readRequest(store: string, number: number): Promise<ChunkHead[]>;
  /** As `readRequest`, with the outcomes of the rows. */
  readOutcomes(store: string, number: number): Promise<(ChunkHead & Pick<Chunk, "outcomes">)[]>;
  /** Stores outcomes and closes chunks. The first call for a chunk wins. False: another call was first for a chunk. */
  settle(outcomes: ReadonlyMap<string, KeptOutcome[]>): Promise<boolean>;
  /** Begins the next generation of the jobs of chunks; those that were applied meanwhile are left as they are. */
  beginNextGeneration(chunks: readonly Pick<Chunk, "_id" | "generation">[]): Promise<void>;
  /**
   * Deletes chunks that were applied before `before`, and void chunks of that age, while `goOn` allows it; gives their
   * number.
   */
  forget(before: Date, goOn?: () => Promise<boolean>): Promise<number>;
}

export const journalCollection = (db: Db): Collection<Chunk> => db.collection<Chunk>("journal");

/** `validFor` of a chunk that is void whatever its dates are: no time is as short. */
export const VOID = -1;

/**
 * Whether a chunk must never take effect, because its caller was answered 503. One that was stored before it was drawn
 * shows that the database's clock was set back meanwhile: how long it took is not known, so it is void as well
 * (docs/architecture.md#accepted-is-never-lost).
 */
export function isVoid({ drawnAt, journaledAt, validFor }: Pick<Chunk, "drawnAt" | "journaledAt" | "validFor">) {
  const took = journaledAt.getTime() - drawnAt.getTime();
  return took < 0 || took > validFor;
}

/** The outcomes of a chunk's rows; undefined while it is open. */
export const outcomesOf = ({ outcomes }: Pick<Chunk, "outcomes">): KeptOutcome[] | undefined =>
  outcomes === undefined ? undefined : JSON.parse(outcomes);

const HEADS_PER_BATCH = 1000;

export function openJournal(db: Db, now: () => Date): Journal {
  const chunks = journalCollection(db);

  async function readParts(store: string, number: number, projection: object): Promise<Omit<Chunk, "rows">[]> {
    const head = await chunks.findOne({ _id: chunkKey(store, number, 0) }, { projection });
    if (head === null || head.chunks === 1) return head === null ? [] : [head];
    const further = Array.from({ length: head.chunks - 1 }, (_, index) => chunkKey(store, number, index + 1));
    const found = await chunks.find({ _id: { $in: further } }, { projection }).toArray();
    return [head, ...found].sort((a, b) => a.index - b.index);
  }

  /** Deletes the chunks that are open and void: those of refused calls. The others that are open are few, and stay. */
  async function forgetVoids(before: Date, goOn: () => Promise<boolean> = async () => true): Promise<number> {
    let forgotten = 0;
    for (const urgency of ["interactive", "bulk"] as const) {
      const expired = { open: true, urgency, drawnAt: { $lt: before } };
      const heads = chunks
        .find(expired, { projection: { drawnAt: 1, journaledAt: 1, validFor: 1 } })
        .sort({ drawnAt: 1, _id: 1 });
      for await (const found of batchesOf(heads, HEADS_PER_BATCH)) {
        const voids = found.filter(isVoid);
        const { deletedCount } = await chunks.deleteMany({ _id: { $in: voids.map(({ _id }) => _id) }, open: true });
        forgotten += deletedCount;
        if (!(await goOn())) break;
      }
    }
    return forgotten;
  }

  return {
    async read(keys) {
      const found = await chunks.find({ _id: { $in: [...keys] } }).toArray();
      return new Map(found.map((chunk) => [chunk._id, chunk]));
    },

    readRequest: (store, number) => readParts(store, number, { rows: 0, outcomes: 0 }),
    readOutcomes: (store, number) => readParts(store, number, { rows: 0 }),

    async settle(outcomes) {
      if (outcomes.size === 0) return true;
      const appliedAt = now();
      const operations = [...outcomes].map(([key, rows]) => ({
        updateOne: {
          filter: { _id: key, open: true },
          update: { $set: { open: false, appliedAt, outcomes: JSON.stringify(rows) } },
        },
      }));
      const { matchedCount } = await chunks.bulkWrite(operations, { ordered: false });
      return matchedCount === outcomes.size;
    },

    async beginNextGeneration(current) {
      if (current.length === 0) return;
      const operations = current.map(({ _id, generation }) => ({
        updateOne: { filter: { _id, open: true }, update: { $max: { generation: generation + 1 } } },
      }));
      await chunks.bulkWrite(operations, { ordered: false });
    },

    async forget(before, goOn) {
      const isApplied = { appliedAt: { $lt: before } };
      const applied = await deleteInBatches(chunks, isApplied, { sort: { appliedAt: 1 }, ...(goOn && { goOn }) });
      return applied + (await forgetVoids(before, goOn));
    },
  };
}
