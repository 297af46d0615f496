import type { AnyBulkWriteOperation, Db } from "mongodb";
import { duplicateKeysOf, isDuplicateKey } from "../mongodb/duplicate-keys.ts";
import { findAtOnce } from "../mongodb/find-at-once.ts";
import type { JournaledChunk } from "./chunks.ts";
import { type Chunk, isVoid, journalCollection, VOID } from "./journal.ts";

/** Keys of the chunks that will not take effect; all other chunks are stored permanently and take effect. */
export interface StoredChunks {
  /** Not stored, because their deduplication key, or their own key, is already in the journal. */
  duplicates: ReadonlySet<string>;
  /** Stored, but void because of the dates that the database assigned. */
  voids: ReadonlySet<string>;
}

type Dates = Pick<Chunk, "_id" | "drawnAt" | "journaledAt" | "validFor">;
const dates = { drawnAt: 1, journaledAt: 1, validFor: 1 } as const;

/**
 * Stores chunks and reads back the dates that the database assigned. The dates never change, and nothing else decides whether
 * a chunk is void: so a chunk that is valid here stays valid, even if the database's clock is changed. `onWritten` is called
 * before the dates are read back.
 */
export async function storeChunks(
  db: Db,
  chunks: readonly JournaledChunk[],
  onWritten: () => void = () => {},
): Promise<StoredChunks> {
  const [chunk] = chunks;
  const single = chunks.length === 1 && chunk !== undefined ? await insertOne(db, chunk) : undefined;
  const duplicates = single?.duplicates ?? (await insertChunks(db, chunks));
  onWritten();
  const stored = chunks.map(({ _id }) => _id).filter((key) => !duplicates.has(key));
  const found = single?.found ?? (await readDates(db, stored));
  const valid = new Set(found.filter((chunk) => !isVoid(chunk)).map(({ _id }) => _id));
  return { duplicates, voids: new Set(stored.filter((key) => !valid.has(key))) };
}

/** Inserts one chunk with a command that also returns the dates, so that no read is needed. */
async function insertOne(
  db: Db,
  { _id, ...chunk }: JournaledChunk,
): Promise<{ duplicates: Set<string>; found: Dates[] }> {
  try {
    const { filter, update } = upsertOf({ _id, ...chunk });
    const options = { upsert: true, returnDocument: "after", projection: dates } as const;
    const stored = await journalCollection(db).findOneAndUpdate(filter, update, options);
    return { duplicates: new Set(), found: stored === null ? [] : [stored] };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return { duplicates: new Set([_id]), found: [] };
  }
}

async function readDates(db: Db, keys: readonly string[]): Promise<Dates[]> {
  if (keys.length === 0) return [];
  return findAtOnce(db, "journal", { filter: { _id: { $in: keys } }, projection: dates, limit: keys.length });
}

/** Inserts chunks that the journal does not contain; returns the keys of chunks that were rejected because a key is taken. */
export async function insertChunks(db: Db, chunks: readonly JournaledChunk[]): Promise<Set<string>> {
  try {
    // Unordered, so that a duplicate does not stop the inserts of other requests.
    await journalCollection(db).bulkWrite(chunks.map(insertion), { ordered: false });
    return new Set();
  } catch (error) {
    const refused = duplicateKeysOf(error) ?? [];
    if (refused.length === 0) throw error;
    return new Set(refused.flatMap(({ index }) => chunks[index]?._id ?? []));
  }
}

/**
 * Inserts void chunks if the journal has none, so that a number without a request is settled, and a chunk with the same key
 * that is still in transit is rejected when it arrives. An existing chunk is not changed.
 */
export async function insertVoids(
  db: Db,
  chunks: readonly Omit<JournaledChunk, "rows" | "validFor" | "open">[],
): Promise<void> {
  await insertChunks(
    db,
    chunks.map(({ deduplicationKey: _, ...chunk }) => ({
      ...chunk,
      rows: "[]",
      validFor: VOID,
      // Closed from the beginning, so that clean-up removes it like an applied chunk.
      open: false,
      appliedAt: chunk.drawnAt,
    })),
  );
}

const insertion = (chunk: JournaledChunk): AnyBulkWriteOperation<Chunk> => ({
  updateOne: { ...upsertOf(chunk), upsert: true },
});

/**
 * Uses an upsert, because only an update can take the time from the database's clock. An existing chunk does not match, and
 * causes a duplicate key error: `journaledAt` is written once.
 */
const upsertOf = ({ _id, ...chunk }: JournaledChunk) => ({
  filter: { _id, journaledAt: { $exists: false } },
  update: { $setOnInsert: chunk, $currentDate: { journaledAt: true } } as const,
});
