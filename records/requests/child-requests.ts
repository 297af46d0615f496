import type { Db } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import type { Urgency } from "../../schemas/topics.ts";
import { duplicateKeysOf } from "../duplicate-keys.ts";
import { type AcceptedRequest, chunksOf, drawNumbers, insertion, type JournaledChunk } from "./accept.ts";
import { type ChildRequest, isVoid, journalCollection } from "./journal.ts";

/** Child requests of a row: the same request in each of some other stores, small enough for one chunk. */
export interface WantedChildren {
  /** Key of the chunk of the row. */
  parent: string;
  /** Stamp of the row. */
  stamp: number;
  stores: readonly string[];
  request: Omit<AcceptedRequest, "store">;
  urgency: Urgency;
}

/** Journals the child requests of a row; gives their chunks. Idempotent. */
export type AcceptChildren = (wanted: WantedChildren) => Promise<JournaledChunk[]>;

/**
 * Maximum time from the draw of a child's number to its journaling, by the database's clock; a later child is void, and
 * another number is drawn. Well below the 30 seconds after which a missing number counts as settled.
 */
const VALID_FOR_MS = 10_000;
/** `validFor` of a chunk that is void from the beginning. */
const VOID = -1;

/**
 * Each child request has a number of its own store. The number is stored on the row's chunk by compare-and-set before
 * the child is journaled, and a retry uses the stored number: so each child exists once, although a process is killed
 * at any point or two processes apply the chunk at the same time. Clean-up removes a child only `RESULT_TTL` after it
 * was applied, when its parent is long settled.
 */
export function openChildRequests(db: Db): AcceptChildren {
  const journal = journalCollection(db);

  async function readChildren(parent: string): Promise<{ children: readonly ChildRequest[]; rev: number }> {
    const chunk = await journal.findOne({ _id: parent }, { projection: { children: 1, childrenRev: 1 } });
    if (chunk === null) throw new Error(`the chunk ${parent} is not in the journal any more`);
    return { children: chunk.children ?? [], rev: chunk.childrenRev ?? 0 };
  }

  /** False where another process changed the list first. */
  async function replaceChildren(parent: string, rev: number, children: readonly ChildRequest[]): Promise<boolean> {
    const { matchedCount } = await journal.updateOne(
      { _id: parent, childrenRev: rev === 0 ? { $exists: false } : rev },
      { $set: { children: [...children], childrenRev: rev + 1 } },
    );
    return matchedCount === 1;
  }

  /** The children that the chunk has for these stores, with numbers drawn for those that are missing. */
  async function reserve({ parent, stamp, stores, request }: WantedChildren): Promise<ChildRequest[]> {
    const isOf = (child: ChildRequest) => child.stamp === stamp && stores.includes(child.store);
    for (;;) {
      const { children, rev } = await readChildren(parent);
      const known = children.filter(isOf);
      const missing = stores.filter((store) => !known.some((child) => child.store === store));
      if (missing.length === 0) return known;
      const draws = missing.map(async (store): Promise<ChildRequest> => {
        const { first, drawnAt } = await drawNumbers(db, store, 1);
        return { stamp, store, number: first, drawnAt };
      });
      const drawn = await Promise.all(draws);
      if (await replaceChildren(parent, rev, [...children, ...drawn])) return [...known, ...drawn];
      // The other process's numbers are used. Void chunks settle the numbers drawn here, which would block requests.
      await journalMissing(
        drawn.flatMap((child) => chunksOf({ ...request, store: child.store }, child.number, child.drawnAt, VOID)),
      );
    }
  }

  /** Removes void children from the chunk, so that new numbers are drawn for them. */
  async function drop(parent: string, late: ReadonlySet<string>): Promise<void> {
    const { children, rev } = await readChildren(parent);
    await replaceChildren(
      parent,
      rev,
      children.filter((child) => !late.has(keyOf(child))),
    );
  }

  /** Inserts chunks that are missing. An existing one is not updated: a later `journaledAt` would make it void. */
  async function journalMissing(chunks: readonly JournaledChunk[]): Promise<void> {
    const operations = chunks.map((chunk) => insertion(chunk, { journaledAt: { $exists: false } }));
    await journal.bulkWrite(operations, { ordered: false }).catch((error: unknown) => {
      if (duplicateKeysOf(error) === undefined) throw error;
    });
  }

  return async (wanted) => {
    for (;;) {
      const children = await reserve(wanted);
      if (children.length === 0) return [];
      const chunks = children.flatMap(({ store, number, drawnAt }) =>
        chunksOf({ ...wanted.request, store }, number, drawnAt, VALID_FOR_MS),
      );
      const urgent = chunks.map((chunk) => ({ ...chunk, urgency: wanted.urgency }));
      await journalMissing(urgent);
      const heads = await journal
        .find({ _id: { $in: children.map(keyOf) } }, { projection: { rows: 0, outcomes: 0 } })
        .toArray();
      const late = new Set(heads.filter(isVoid).map(({ _id }) => _id));
      if (late.size === 0) return urgent;
      await drop(wanted.parent, late);
    }
  };
}

const keyOf = ({ store, number }: ChildRequest): string => chunkKey(store, number, 0);
