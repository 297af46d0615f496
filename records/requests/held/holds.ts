import type { Db, Filter } from "mongodb";
import type { Hold, HoldState } from "../../../schemas/held-request.ts";
import { chunkKey, EVERY_KEY, keysUnder } from "../../../schemas/keys.ts";
import type { KeptOutcome } from "../../../schemas/request.ts";
import type { FindFirst } from "../../mongodb/find-first-together.ts";
import type { Among } from "../../owners.ts";
import { type Chunk, type ChunkHead, journalCollection } from "../journal.ts";
import { requestState } from "../numbers.ts";

/** A request that is or was held. */
export interface HeldRecord {
  store: string;
  number: number;
  chunks: number;
  drawnAt: Date;
  /** How many rows the request has. */
  size: number;
  hold: Hold;
}

/** A place in a list of held requests. */
interface Listing {
  state?: HoldState | undefined;
  start: number;
  limit: number;
}

type Head = ChunkHead & { hold: Hold };

const withoutContent = { rows: 0, outcomes: 0 } as const;
const withoutRows = { ...withoutContent, "hold.rows": 0 } as const;
/** Each of these filters has its own index, which contains only the requests that match. */
const isHeld = { hold: { $exists: true } } as const;
const isOpen = { "hold.open": true } as const;

/** Finds a held request, of any store, with something left to do. */
export const firstOpenHold: FindFirst = {
  collection: "journal",
  filter: { ...isOpen, store: EVERY_KEY },
  projection: { _id: 1 },
};

/** Held requests are in the journal: each has a number, but its chunks are not open. Approving the request opens them. */
export function openHolds(db: Db) {
  const journal = journalCollection(db);
  const keysOf = ({ store, number, chunks }: Pick<HeldRecord, "store" | "number" | "chunks">) =>
    Array.from({ length: chunks }, (_, index) => chunkKey(store, number, index));

  /** Reads the chunks of a request that are in the journal, without their content, in order. */
  const readHeads = async (request: Pick<HeldRecord, "store" | "number" | "chunks">): Promise<ChunkHead[]> =>
    (await journal.find({ _id: { $in: keysOf(request) } }, { projection: withoutRows }).toArray()).sort(
      (a, b) => a.index - b.index,
    );

  /** Returns the requests that are whole in the journal, with their number of rows. */
  async function whole(found: readonly Head[]): Promise<HeldRecord[]> {
    const judged = found.map(async (first): Promise<HeldRecord[]> => {
      const heads = first.chunks === 1 ? [first] : await readHeads(first);
      if (["void", "partial"].includes(requestState(heads))) return [];
      const { store, number, chunks, drawnAt, hold } = first;
      return [{ store, number, chunks, drawnAt, hold, size: heads.reduce((sum, { size }) => sum + size, 0) }];
    });
    return (await Promise.all(judged)).flat();
  }

  return {
    /** Lists a store's requests that are or were held, newest first, without their rows. */
    async list(store: string, { state, start, limit }: Listing): Promise<HeldRecord[]> {
      const filter: Filter<Chunk> = { ...isHeld, store, ...(state && { "hold.state": state }) };
      const found = journal.find(filter, { projection: withoutRows }).sort({ number: -1 });
      return whole((await found.skip(start).limit(limit).toArray()) as Head[]);
    },

    /**
     * Reads the items whose prices are awaiting a decision: for each request, the items in the `MAX_HELD_ROWS` rows with the
     * largest jumps.
     */
    async heldItems(store: string): Promise<Set<string>> {
      const waiting = { ...isHeld, store, "hold.state": "WAITING" } as const;
      const found = journal.find(waiting, { projection: { "hold.rows.itemId": 1 } }).sort({ number: -1 });
      const items = new Set<string>();
      for await (const { hold } of found) for (const { itemId } of hold?.rows ?? []) items.add(itemId);
      return items;
    },

    /** Reads a request with its held rows. */
    async read(store: string, number: number): Promise<HeldRecord | undefined> {
      const first = await journal.findOne({ _id: chunkKey(store, number, 0) }, { projection: withoutContent });
      return first?.hold === undefined ? undefined : (await whole([first as Head]))[0];
    },

    /** Reads the requests in these partitions with something left to do, and whether each is whole. */
    async readOpen(partitions: readonly Among[]): Promise<{ first: Head; isWhole: boolean }[]> {
      const found: Head[] = [];
      for (const store of partitions)
        found.push(...((await journal.find({ ...isOpen, store }, { projection: withoutRows }).toArray()) as Head[]));
      const known = new Set((await whole(found)).map(({ store, number }) => `${store}/${number}`));
      return found.map((first) => ({ first, isWhole: known.has(`${first.store}/${first.number}`) }));
    },

    /** Counts a tenant's requests that are awaiting a decision, or whose decision is being carried out. */
    countWaiting: (tenant: string): Promise<number> =>
      journal.countDocuments({ ...isOpen, store: keysUnder(`${tenant}/`) }),

    /**
     * Reads a store's smallest number that is held, or that was held and is perhaps not applied yet; undefined if there is none.
     */
    async firstUnapplied(store: string): Promise<number | undefined> {
      const projection = { number: 1 };
      return (
        await journal
          .find({ ...isOpen, store }, { projection })
          .sort({ number: 1 })
          .limit(1)
          .toArray()
      )[0]?.number;
    },

    /** Changes fields of a waiting request; false if it was decided or checked again in the meantime. */
    async change(store: string, number: number, { digest }: Hold, changes: Partial<Hold>): Promise<boolean> {
      const waiting = { _id: chunkKey(store, number, 0), "hold.state": "WAITING", "hold.digest": digest } as const;
      const $set = Object.fromEntries(Object.entries(changes).map(([field, value]) => [`hold.${field}`, value]));
      return (await journal.updateOne(waiting, { $set })).matchedCount === 1;
    },

    /** Opens the chunks of an approved request and returns them. Idempotent. */
    async open(request: Pick<HeldRecord, "store" | "number" | "chunks">): Promise<ChunkHead[]> {
      const update = { $set: { open: true }, $unset: { held: "" } } as const;
      await journal.updateMany({ _id: { $in: keysOf(request) }, held: true }, update);
      return readHeads(request);
    },

    /** Closes a chunk of a request that was not approved, and stores its outcomes. */
    async close(key: string, outcomes: readonly KeptOutcome[], at: Date): Promise<void> {
      const update = { $set: { appliedAt: at, outcomes: JSON.stringify(outcomes) }, $unset: { held: "" } } as const;
      await journal.updateOne({ _id: key, held: true }, update);
    },

    /**
     * Records that nothing is left to do for a request that was held. If the request was decided, its outcome is then added to
     * the activity log.
     */
    async end(store: string, number: number, isDecided: boolean): Promise<void> {
      // A repeated call changes nothing, so the outcome is logged once.
      const first = { _id: chunkKey(store, number, 0), "hold.open": true } as const;
      const entering = isDecided && { $set: { "hold.entered": 0 } };
      await journal.updateOne(first, { $unset: { "hold.open": "" }, ...entering });
    },

    readHeads,
  };
}
export type Holds = ReturnType<typeof openHolds>;
