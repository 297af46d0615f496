import type { Db } from "mongodb";
import { chunkKey } from "../../schemas/keys.ts";
import type { Urgency } from "../../schemas/urgency.ts";
import { type AcceptedRequest, type JournaledChunk, numberedChunks, splitRequest } from "./chunks.ts";
import { type ChildRequest, isVoid, journalCollection } from "./journal.ts";
import { drawNumbers } from "./numbers.ts";
import { insertChunks, insertVoids } from "./store-chunks.ts";

/** A row's child requests: the same request in each of several other stores, small enough for one chunk. */
export interface WantedChildren {
  /** Key of the row's chunk. */
  parent: string;
  /** Stamp of the row. */
  stamp: number;
  stores: readonly string[];
  request: Omit<AcceptedRequest, "store">;
  urgency: Urgency;
}

/** Journals the child requests of a row; returns their chunks. Idempotent. */
export type AcceptChildren = (wanted: WantedChildren) => Promise<JournaledChunk[]>;

/**
 * Maximum time between reserving a child's number and journaling the child, by the database's clock. A later child is void,
 * and a new number is reserved. This is well below the 30 seconds after which a missing number is closed.
 */
const VALID_FOR_MS = 10_000;

/**
 * Each child request has a number from its store's counter. The number is stored on the row's chunk by compare-and-set before
 * the child is journaled, and a retry uses the stored number: so each child exists once, even if a process is killed at any
 * point or two processes apply the chunk at the same time. Clean-up removes a child only `RESULT_TTL` after it was applied, when
 * its parent has long been applied.
 */
export function openChildRequests(db: Db, validForMs = VALID_FOR_MS): AcceptChildren {
  const journal = journalCollection(db);

  async function readChildren(parent: string): Promise<{ children: readonly ChildRequest[]; rev: number }> {
    const chunk = await journal.findOne({ _id: parent }, { projection: { children: 1, childrenRev: 1 } });
    if (chunk === null) throw new Error(`the chunk ${parent} is no longer in the journal`);
    return { children: chunk.children ?? [], rev: chunk.childrenRev ?? 0 };
  }

  /** False if another process changed the list first. */
  async function replaceChildren(parent: string, rev: number, children: readonly ChildRequest[]): Promise<boolean> {
    const { matchedCount } = await journal.updateOne(
      { _id: parent, childrenRev: rev === 0 ? { $exists: false } : rev },
      { $set: { children: [...children], childrenRev: rev + 1 } },
    );
    return matchedCount === 1;
  }

  /** Returns the chunk's children for these stores, and reserves numbers for those that are missing. */
  async function reserve({ parent, stamp, stores, request }: WantedChildren): Promise<ChildRequest[]> {
    const isOf = (child: ChildRequest) => child.stamp === stamp && stores.includes(child.store);
    for (;;) {
      const { children, rev } = await readChildren(parent);
      const known = children.filter(isOf);
      const missing = stores.filter((store) => !known.some((child) => child.store === store));
      if (missing.length === 0) return known;
      const drawn = await drawEach(stamp, missing);
      const close = (children: readonly ChildRequest[]) => insertVoids(db, chunksOf(request, children, validForMs));
      if (drawn.refusal !== undefined) {
        await close(drawn.children);
        throw drawn.refusal;
      }
      if (await replaceChildren(parent, rev, [...children, ...drawn.children])) return [...known, ...drawn.children];
      // The other process's numbers are used. The numbers reserved here would block requests, so void chunks settle them.
      await close(drawn.children);
    }
  }

  /** Reserves a number in each store and returns the children. `refusal`: the reason, if a number could not be reserved. */
  async function drawEach(stamp: number, stores: readonly string[]) {
    const draws = stores.map(async (store): Promise<ChildRequest> => {
      const { first, drawnAt } = await drawNumbers(db, store, 1);
      return { stamp, store, number: first, drawnAt };
    });
    const drawn = await Promise.allSettled(draws);
    const failed = drawn.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
    const children = drawn.flatMap((draw) => (draw.status === "fulfilled" ? [draw.value] : []));
    return { children, refusal: failed?.reason as Error | undefined };
  }

  /** Removes void children from the chunk, so that new numbers are reserved for them. */
  async function drop(parent: string, late: ReadonlySet<string>): Promise<void> {
    const { children, rev } = await readChildren(parent);
    await replaceChildren(
      parent,
      rev,
      children.filter((child) => !late.has(keyOf(child))),
    );
  }

  return async (wanted) => {
    for (;;) {
      const children = await reserve(wanted);
      if (children.length === 0) return [];
      const urgent = chunksOf(wanted.request, children, validForMs).map((chunk) => ({
        ...chunk,
        urgency: wanted.urgency,
      }));
      await insertChunks(db, urgent);
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

/** Returns each child's chunk. */
const chunksOf = (
  request: WantedChildren["request"],
  children: readonly ChildRequest[],
  validForMs: number,
): JournaledChunk[] =>
  children.flatMap(({ store, number, drawnAt }) =>
    numberedChunks(splitRequest({ ...request, store }), number, drawnAt, validForMs),
  );
