import type { Db, Filter } from "mongodb";
import { chunkKey, keysUnder } from "../../schemas/keys.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { type Chunk, type ChunkHead, journalCollection } from "./journal.ts";
import { PARTIAL_TTL_MS, requestState } from "./numbers.ts";

/** A place in the order of open chunks: by the time at which the number was reserved, then by key. */
export type OpenChunksCursor = Pick<Chunk, "drawnAt" | "_id">;

/** The urgencies in the order in which open chunks are examined. */
export const urgenciesInOrder = ["interactive", "bulk"] as const satisfies readonly Urgency[];

/** Some open chunks in order. `next`: the start of the next page; undefined after the last page. */
export interface OpenChunksPage {
  chunks: OpenChunk[];
  /**
   * Keys of chunks that will never take effect, because a chunk of their request is void, or has been missing for so long that
   * it can only become void. A process that is killed while it journals a large request leaves such chunks.
   */
  dead: string[];
  next?: OpenChunksCursor;
}

/** An open chunk whose request is whole in the journal. */
export interface OpenChunk extends ChunkHead {
  /** When the last chunk of its request was stored, by the database's clock. */
  wholeAt: Date;
}

export interface OpenChunks {
  /** Reads a page of at most `limit` chunks of an urgency across all stores, oldest first. */
  readPage(urgency: Urgency, after: OpenChunksCursor | undefined, limit: number): Promise<OpenChunksPage>;
  /**
   * Finds the tenant's next store after `after` with bulk chunks, and reads the first of them in number order. Leaves out
   * chunks with a key in `present`. `chunks` is empty if the store's requests are void or not whole. Undefined if no store
   * follows.
   */
  readNextStore(
    tenant: string,
    after: string,
    present: readonly string[],
    limit: number,
  ): Promise<{ store: string; chunks: OpenChunk[] } | undefined>;
  /**
   * Reads the first bulk chunks that interactive requests of the tenant's stores wait for: an ordered request starts when all
   * smaller numbers of its store are settled. Leaves out chunks with a key in `present`, and reads at most `limit` per store.
   */
  readAwaited(tenant: string, present: readonly string[], limit: number): Promise<OpenChunk[]>;
  /** Whether an ordered interactive request waits for this number of its store to be settled. */
  isAwaited(store: string, number: number): Promise<boolean>;
  /** Reads the open chunks of all stores, page by page. */
  scan(): AsyncGenerator<OpenChunk[]>;
  /** The current time by the clock that dates the chunks. */
  databaseTime(): Promise<Date>;
}

const CHUNKS_PER_PAGE = 1000;
/** Number of stores whose awaited chunks are read at a time. It is small, since few interactive requests must wait. */
const STORES_WITH_AWAITED = 16;
/** More interactive requests than a tenant can have in progress, since the rest of its rows are bulk. */
const INTERACTIVE_PER_READ = 1000;
/** Number of a store's open chunks that are read in addition to `limit`, in case the first are void or incomplete. */
const FURTHER_CHUNKS = 200;
const withoutContent = { rows: 0, outcomes: 0 } as const;

/**
 * Reads open chunks from an index that contains only open chunks, so the cost does not depend on the number of stores or settled
 * requests.
 */
export function openOpenChunks(
  db: Db,
  databaseTime = async (): Promise<Date> => (await db.command({ isMaster: 1 })).localTime,
): OpenChunks {
  const journal = journalCollection(db);

  /** Reads all journaled chunks of these chunks' requests, by request. */
  async function readRequests(heads: readonly ChunkHead[]): Promise<Map<string, ChunkHead[]>> {
    const requests = Map.groupBy(heads, requestOf);
    const keys = [...requests.values()].flatMap(([{ store, number, chunks } = { store: "", number: 0, chunks: 0 }]) =>
      chunks === 1 ? [] : Array.from({ length: chunks }, (_, index) => chunkKey(store, number, index)),
    );
    if (keys.length === 0) return requests;
    const found = await journal.find({ _id: { $in: keys } }, { projection: withoutContent }).toArray();
    return new Map([...requests, ...Map.groupBy(found, requestOf)]);
  }

  /** Separates the chunks whose requests are whole and may take effect from the chunks whose requests never will. */
  async function judge(heads: readonly ChunkHead[]): Promise<Pick<OpenChunksPage, "chunks" | "dead">> {
    const requests = await readRequests(heads);
    const judged = heads.map((head) => {
      const request = requests.get(requestOf(head)) ?? [];
      const newest = Math.max(...request.map(({ journaledAt }) => journaledAt.getTime()));
      return { head, state: requestState(request), newest };
    });
    const isPartial = judged.some(({ state }) => state === "partial");
    const lostBefore = isPartial ? (await databaseTime()).getTime() - PARTIAL_TTL_MS : 0;
    const isDead = ({ state, newest }: (typeof judged)[number]) =>
      state === "void" || (state === "partial" && newest < lostBefore);
    return {
      chunks: judged
        .filter(({ state }) => state === "open")
        .map(({ head, newest }): OpenChunk => ({ ...head, wholeAt: new Date(newest) })),
      dead: judged.filter(isDead).map(({ head }) => head._id),
    };
  }

  /** Reads the first matching chunks of whole requests, in number order. */
  async function readFirst(filter: Filter<Chunk>, limit: number): Promise<OpenChunk[]> {
    const sort = { store: 1, number: 1, index: 1 } as const;
    let chunks: OpenChunk[] = [];
    for (let skip = 0, count = limit; chunks.length < limit; skip += count, count = FURTHER_CHUNKS) {
      const options = { projection: withoutContent, sort, skip, limit: count };
      const heads: ChunkHead[] = await journal.find(filter, options).toArray();
      chunks = [...chunks, ...(await judge(heads)).chunks];
      if (heads.length < count) break;
    }
    return chunks.slice(0, limit);
  }

  /** Reads, for each of the tenant's stores, the largest number of an interactive request that waits for smaller numbers. */
  async function readWaiting(tenant: string): Promise<Map<string, number>> {
    const largest = new Map<string, number>();
    for (const { store, number } of await readOrdered({ store: keysUnder(`${tenant}/`) }))
      largest.set(store, Math.max(number, largest.get(store) ?? 0));
    return largest;
  }

  /** Reads the open interactive requests that start only when all smaller numbers of their store are settled. */
  async function readOrdered(where: Filter<Chunk>): Promise<Pick<Chunk, "store" | "number">[]> {
    const options = { projection: { store: 1, number: 1, ordered: 1 }, limit: INTERACTIVE_PER_READ };
    const found = await journal.find({ open: true, urgency: "interactive", ...where }, options).toArray();
    return found.filter(({ ordered }) => ordered);
  }

  const openChunks: OpenChunks = {
    async readPage(urgency, after, limit) {
      const filter: Filter<Chunk> = { open: true, urgency, ...(after && behind(after)) };
      const options = { projection: withoutContent, sort: { drawnAt: 1, _id: 1 }, limit } as const;
      const heads: ChunkHead[] = await journal.find(filter, options).toArray();
      const last = heads.at(-1);
      return {
        ...(await judge(heads)),
        ...(heads.length === limit && last && { next: { drawnAt: last.drawnAt, _id: last._id } }),
      };
    },

    async readNextStore(tenant, after, present, limit) {
      const waiting = { open: true, urgency: "bulk", _id: { $nin: [...present] } } as const;
      const { $gte, $lt } = keysUnder(`${tenant}/`);
      const sort = { store: 1, number: 1, index: 1 } as const;
      const ofTenant: Filter<Chunk> = { ...waiting, store: after < $gte ? { $gte, $lt } : { $gt: after, $lt } };
      const next = await journal.findOne(ofTenant, { projection: { store: 1 }, sort });
      if (next === null) return undefined;
      const { store } = next;
      return { store, chunks: await readFirst({ ...waiting, store }, limit) };
    },

    async readAwaited(tenant, present, limit) {
      const waiting = [...(await readWaiting(tenant))].slice(0, STORES_WITH_AWAITED);
      const bulk = { open: true, urgency: "bulk", _id: { $nin: [...present] } } as const;
      const reads = waiting.map(([store, number]) => readFirst({ ...bulk, store, number: { $lt: number } }, limit));
      return (await Promise.all(reads)).flat();
    },

    isAwaited: async (store, number) => (await readOrdered({ store, number: { $gt: number } })).length > 0,

    async *scan() {
      for (const urgency of urgenciesInOrder) {
        for (let next: OpenChunksCursor | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
          const page = await openChunks.readPage(urgency, next, CHUNKS_PER_PAGE);
          yield page.chunks;
          next = page.next;
        }
      }
    },

    databaseTime,
  };
  return openChunks;
}

const requestOf = ({ store, number }: ChunkHead): string => `${store}/${number}`;

const behind = ({ drawnAt, _id }: OpenChunksCursor): Filter<Chunk> => ({
  $or: [{ drawnAt: { $gt: drawnAt } }, { drawnAt, _id: { $gt: _id } }],
});

/**
 * If a request became whole more recently than this, the process that journaled it may still enqueue its chunks or make them
 * void.
 */
const GRACE_MS = 5000;

/**
 * Returns a time in milliseconds. If a chunk's request became whole (`wholeAt`) before this time, the process that journaled
 * the request has abandoned the chunk. The time is read from the clock that dated the chunks, which may differ from this
 * process's clock.
 */
export const readGraceEnd = async ({ databaseTime }: Pick<OpenChunks, "databaseTime">): Promise<number> =>
  (await databaseTime()).getTime() - GRACE_MS;
