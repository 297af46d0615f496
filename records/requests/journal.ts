import type { AnyBulkWriteOperation, Collection, Db } from "mongodb";
import type { Cause } from "../../schemas/cause.ts";
import type { Hold } from "../../schemas/held-request.ts";
import { chunkKey } from "../../schemas/keys.ts";
import type { KeptOutcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { readPartsOf, splitOutcomes, storeParts } from "./outcome-parts.ts";

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
  /** JSON, because a row may have keys that MongoDB does not store. */
  rows: string;
  /** The number of rows that the chunk counts as. */
  size: number;
  /** Cost of applying the chunk, in rows, if that is more than its `size` because its rows are large or have many links. */
  weight?: number;
  /** Index of the chunk's first row in its request. */
  firstRow: number;
  /** When the number was reserved and when the chunk was stored, by the database's clock. */
  drawnAt: Date;
  journaledAt: Date;
  /** Maximum milliseconds from `drawnAt` to `journaledAt`; after a longer time, the chunk is void and its caller received 503. */
  validFor: number;
  /** The call that made the request; absent if Shelfwire made the request itself. */
  cause?: Cause;
  /** The price list that its changes belong to. */
  list?: string;
  /** Only for calls with an Idempotency-Key, and for campaigns. Unique across all chunks. */
  deduplicationKey?: string;
  /** Only for chunks that draw an uploaded image: its number of pixels. */
  pixels?: number;
  /** Set once a repetition of the call has been accepted. The chunk can then no longer become void. */
  kept?: true;
  /** How many times the sweep has enqueued the chunk again. */
  generation: number;
  /** True until every row has an outcome; false while the request is held. */
  open: boolean;
  /** True while the request is held because it hit price guards. It must not take effect until somebody approves it. */
  held?: true;
  /** Only on the first chunk of a request that is or was held: the reason, and the decision. */
  hold?: Hold;
  appliedAt?: Date;
  /** JSON of its rows' outcomes. */
  outcomes?: string;
  /** Keys of the outcomes' parts, if the outcomes do not fit into the document; empty until the parts are stored. */
  outcomeParts?: string[];
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

/** A chunk without its rows, with their outcomes once it is applied. */
export type ChunkResult = ChunkHead & { outcomes?: KeptOutcome[] };

export interface Journal {
  read(keys: readonly string[]): Promise<Map<string, Chunk>>;
  /** Reads all journaled chunks of a request, in order; none if the number is unknown. */
  readRequest(store: string, number: number): Promise<ChunkHead[]>;
  /** Like `readRequest`, with the outcomes of the rows. */
  readOutcomes(store: string, number: number): Promise<ChunkResult[]>;
  /**
   * Stores outcomes and closes chunks. Outcomes that do not fit into a document are stored in parts. The first call for a chunk
   * wins. Returns false if another call was first for any of the chunks.
   */
  settle(outcomes: ReadonlyMap<string, KeptOutcome[]>): Promise<boolean>;
  /** Begins the next generation of these chunks' jobs. Chunks that were applied in the meantime do not change. */
  beginNextGeneration(chunks: readonly Pick<Chunk, "_id" | "generation">[]): Promise<void>;
}

export const journalCollection = (db: Db): Collection<Chunk> => db.collection<Chunk>("journal");

/** `validFor` of a chunk that is void regardless of its dates, since no duration is this short. */
export const VOID = -1;

/**
 * Whether a chunk must never take effect, because its caller received 503. If a chunk's dates say that it was stored before
 * its number was reserved, the database's clock was set back in between. The real duration is unknown, so such a chunk is void
 * as well (docs/architecture/guarantees.md#accepted-is-never-lost).
 */
export function isVoid({ drawnAt, journaledAt, validFor }: Pick<Chunk, "drawnAt" | "journaledAt" | "validFor">) {
  const took = journaledAt.getTime() - drawnAt.getTime();
  return took < 0 || took > validFor;
}

export function openJournal(db: Db, now: () => Date): Journal {
  const chunks = journalCollection(db);

  async function readParts(store: string, number: number, projection: object): Promise<Omit<Chunk, "rows">[]> {
    const head = await chunks.findOne({ _id: chunkKey(store, number, 0) }, { projection });
    if (head === null || head.chunks === 1) return head === null ? [] : [head];
    const further = Array.from({ length: head.chunks - 1 }, (_, index) => chunkKey(store, number, index + 1));
    const found = await chunks.find({ _id: { $in: further } }, { projection }).toArray();
    return [head, ...found].sort((a, b) => a.index - b.index);
  }

  /**
   * Returns the update that closes a chunk with these outcomes. The parts are stored before the chunk refers to them, so a
   * reader finds all of them.
   */
  async function kept(
    key: string,
    outcomes: readonly KeptOutcome[],
  ): Promise<Pick<Chunk, "outcomes" | "outcomeParts">> {
    const parts = splitOutcomes(outcomes);
    const [whole = "[]"] = parts;
    if (parts.length <= 1) return { outcomes: whole };
    // Set first, so that clean-up finds the parts if this process is killed before it closes the chunk.
    await chunks.updateOne({ _id: key, open: true }, { $set: { outcomeParts: [] } });
    return { outcomeParts: await storeParts(db, key, parts) };
  }

  return {
    async read(keys) {
      const found = await chunks.find({ _id: { $in: [...keys] } }).toArray();
      return new Map(found.map((chunk) => [chunk._id, chunk]));
    },

    readRequest: (store, number) => readParts(store, number, { rows: 0, outcomes: 0 }),
    async readOutcomes(store, number) {
      const read = await readParts(store, number, { rows: 0 });
      return Promise.all(
        read.map(async ({ outcomes, ...head }): Promise<ChunkResult> => {
          const { outcomeParts = [] } = head;
          if (outcomes !== undefined) return { ...head, outcomes: JSON.parse(outcomes) };
          return outcomeParts.length > 0 ? { ...head, outcomes: await readPartsOf(db, outcomeParts) } : head;
        }),
      );
    },

    async settle(outcomes) {
      if (outcomes.size === 0) return true;
      const operations: AnyBulkWriteOperation<Chunk>[] = [];
      for (const [key, rows] of outcomes) {
        const update = { $set: { open: false, appliedAt: now(), ...(await kept(key, rows)) } };
        operations.push({ updateOne: { filter: { _id: key, open: true }, update } });
      }
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
  };
}
