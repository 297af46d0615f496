import type { Collection, Db } from "mongodb";
import type { RequestChunk } from "../../schemas/jobs.ts";
import { chunkKey } from "../../schemas/keys.ts";
import type { KeptOutcome } from "../../schemas/request.ts";
import type { Urgency } from "../../schemas/topics.ts";

/** Part of an accepted request: at most 1,000 of its rows, kept until every row has an outcome. */
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
  /** JSON, because a row may hold keys that no record may. */
  rows: string;
  /** As how many rows it counts. */
  size: number;
  /** Place of the chunk's first row in its request. */
  firstRow: number;
  /** When the number was drawn and when the chunk was stored, by the database's clock. */
  drawnAt: Date;
  journaledAt: Date;
  /** Milliseconds from one to the other after which the chunk is void: its caller was told 503. */
  validFor: number;
  /** Names the chunk of a call that must not happen twice: no two chunks have the same. */
  deduplicationKey?: string;
  /** A repetition of that call was told that it happens, so it must not become void any more. */
  kept?: true;
  /** How often the sweep has enqueued it again. */
  generation: number;
  /** True until every row has an outcome. */
  open: boolean;
  appliedAt?: Date;
  /** JSON of what became of the rows. */
  outcomes?: string;
  /** Requests of other stores that this one brings about, and how often that list was changed. */
  children?: ChildRequest[];
  childrenRev?: number;
}

/** A request that another store applies for a row. */
export interface ChildRequest {
  /** Of the row. */
  stamp: number;
  store: string;
  number: number;
  drawnAt: Date;
}

/** A chunk without what it says and what came of it. */
export type ChunkHead = Omit<Chunk, "rows" | "outcomes">;

export interface Journal {
  read(keys: readonly string[]): Promise<Map<string, Chunk>>;
  /** Every chunk of a request, in order; none where the number is unknown. */
  readRequest(store: string, number: number): Promise<ChunkHead[]>;
  /** The same, with what came of the rows. */
  readOutcomes(store: string, number: number): Promise<(ChunkHead & Pick<Chunk, "outcomes">)[]>;
  /** Gives rows their outcomes. The first call for a chunk decides: a row settles once. False: another was first for one. */
  settle(outcomes: ReadonlyMap<string, KeptOutcome[]>): Promise<boolean>;
  /** Claims the next generation of a chunk's job; false where the chunk was applied meanwhile. */
  nextGeneration(chunk: Pick<Chunk, "_id" | "generation">): Promise<boolean>;
  /** Drops chunks that were applied before `before`, and void ones that are as old. */
  forget(before: Date): Promise<number>;
}

export const journalCollection = (db: Db): Collection<Chunk> => db.collection<Chunk>("journal");

/** A chunk that was stored after its caller had been told 503 must never take effect. */
export const isVoid = ({
  drawnAt,
  journaledAt,
  validFor,
}: Pick<Chunk, "drawnAt" | "journaledAt" | "validFor">): boolean =>
  journaledAt.getTime() - drawnAt.getTime() > validFor;

/** What became of a chunk's rows; undefined while it is open. */
export const outcomesOf = ({ outcomes }: Pick<Chunk, "outcomes">): KeptOutcome[] | undefined =>
  outcomes === undefined ? undefined : JSON.parse(outcomes);

/** The job that carries a chunk. */
export const jobOf = ({ _id, store, number, index, ordered, size }: Omit<ChunkHead, "journaledAt">): RequestChunk => ({
  key: _id,
  store,
  number,
  index,
  ordered,
  size,
});

export function openJournal(db: Db, now: () => Date): Journal {
  const chunks = journalCollection(db);

  async function readParts(store: string, number: number, projection: object): Promise<Omit<Chunk, "rows">[]> {
    const head = await chunks.findOne({ _id: chunkKey(store, number, 0) }, { projection });
    if (head === null || head.chunks === 1) return head === null ? [] : [head];
    const others = Array.from({ length: head.chunks - 1 }, (_, index) => chunkKey(store, number, index + 1));
    const found = await chunks.find({ _id: { $in: others } }, { projection }).toArray();
    return [head, ...found].sort((a, b) => a.index - b.index);
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

    async nextGeneration({ _id, generation }) {
      const { matchedCount } = await chunks.updateOne({ _id, open: true }, { $max: { generation: generation + 1 } });
      return matchedCount === 1;
    },

    async forget(before) {
      const old = chunks.find({ open: true, drawnAt: { $lt: before } }, { projection: { rows: 0, outcomes: 0 } });
      const voided = (await old.toArray()).filter(isVoid).map(({ _id }) => _id);
      const applied = await chunks.deleteMany({ appliedAt: { $lt: before } });
      const { deletedCount } = await chunks.deleteMany({ _id: { $in: voided } });
      return applied.deletedCount + deletedCount;
    },
  };
}
