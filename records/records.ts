import type { Collection, Db } from "mongodb";
import pLimit from "p-limit";
import type { Cause } from "../schemas/cause.ts";
import { inBatches } from "../schemas/in-batches.ts";
import { keysUnder, ownerOf } from "../schemas/keys.ts";
import type { Envelope, Input, Stored } from "../schemas/record.ts";
import { noteRevs } from "./announced-revs.ts";
import type { RecordKind } from "./kind.ts";
import { findAtOnce, findByRange, findInAnswers, type IdRange } from "./mongodb/find-at-once.ts";
import { createReadTogether, onlyFields, type ReadTogether } from "./read-together.ts";
import { unsureOf, writeOperation } from "./write-if-unchanged.ts";

/** A write of a record, and the stored state that the write is based on. */
export interface Proposal<Body> {
  key: string;
  /** The record as it was read; undefined if it did not exist. */
  current: Stored<Body> | undefined;
  body: Body;
  inputs?: Input[];
  cause?: Cause | undefined;
}

/** Id and time of a batch of writes. */
export interface Write {
  writeId: string;
  at: Date;
}

/**
 * Reads and compare-and-set writes of records of all kinds. No other code writes to their collections, except that clean-up
 * deletes records, and the release command changes stored ones.
 */
export interface Records {
  /** Reads whole records, without the appended field. */
  read<Body>(kind: RecordKind<Body>, keys: readonly string[]): Promise<Map<string, Stored<Body>>>;
  readTogether: ReadTogether;
  /** Like `read`, in parts of a few megabytes: for kinds with large bodies, many of which would not fit into memory. */
  readInParts<Body>(kind: RecordKind<Body>, keys: readonly string[]): AsyncIterable<Stored<Body>[]>;
  /** Reads only these fields of each record, with its key and rev: for kinds with large bodies. */
  readFields<Body, Field extends keyof Body & string>(
    kind: RecordKind<Body>,
    keys: readonly string[],
    fields: readonly Field[],
  ): Promise<Map<string, Pick<Envelope, "_id" | "rev"> & Pick<Body, Field>>>;
  /** Reads only the revs; a key without a record is absent. */
  readRevs(kind: Pick<RecordKind<unknown>, "name">, keys: readonly string[]): Promise<Map<string, number>>;
  /** Counts the records under a key prefix. */
  count(kind: RecordKind<unknown>, prefix: string): Promise<number>;
  /** Reads all records under a key prefix, in key order, in batches; with `after`, only records after that key. */
  scan<Body>(kind: RecordKind<Body>, prefix: string, after?: string): AsyncIterable<Stored<Body>[]>;
  /** Like `scan`, but with only these fields of each record, and its key and rev. */
  scanFields<Body, Field extends keyof Body & string>(
    kind: RecordKind<Body>,
    prefix: string,
    fields: readonly Field[],
    after?: string,
  ): AsyncIterable<(Pick<Envelope, "_id" | "rev"> & Pick<Body, Field>)[]>;
  /** Reads the keys of all records under a prefix, in the order of `scan`. */
  scanKeys(kind: Pick<RecordKind<unknown>, "name">, prefix: string, after?: string): AsyncIterable<string[]>;
  /**
   * Writes each proposal whose record still has the rev that was read, as one batch with one `writeId`. Returns the written
   * records, and the keys that another writer changed first.
   */
  compareAndSet<Body>(
    kind: RecordKind<Body>,
    proposals: readonly Proposal<Body>[],
    write: Write,
  ): Promise<{ written: Stored<Body>[]; lost: string[] }>;
  /** Deletes each of these records if it still has the given rev; returns how many were deleted. No tombstone remains. */
  remove(kind: RecordKind<unknown>, revs: readonly { key: string; rev: number }[]): Promise<number>;
}

/**
 * An urgent change waits in the database for other commands about fifty times, and spends most of its time doing so. So only a
 * few commands run at a time, and each is small. Larger commands would save a little processor time in calls with many records.
 */
const IDS_PER_QUERY = 60;
const CONCURRENT_READS = 2;
const CONCURRENT_WRITES = 1;
const WRITES_PER_COMMAND = 40;
const RECORDS_PER_BATCH = 1000;
/**
 * Each record keeps the ids of this many of its last writes, so that a write whose outcome is unclear is recognised even after
 * later writes.
 */
const LAST_WRITES = 4;

/** `beforeStep` is awaited before each command that reads records by key or writes them by compare-and-set. */
export function openRecords(db: Db, beforeStep: () => Promise<void> = async () => {}): Records {
  const collection = (kind: RecordKind<unknown>): Collection<Envelope> => db.collection<Envelope>(kind.name);

  async function find(
    kind: Pick<RecordKind<unknown>, "name">,
    keys: readonly string[],
    projection?: object,
  ): Promise<Envelope[]> {
    const unique = [...new Set(keys)];
    const pages = await pLimit(CONCURRENT_READS).map(inBatches(unique, IDS_PER_QUERY), async (ids) => {
      await beforeStep();
      return findAtOnce<Envelope>(db, kind.name, { filter: { _id: { $in: ids } }, projection, limit: ids.length });
    });
    return pages.flat();
  }

  /** Like `find`, but also compares revs, so that handlers of changes learn which records are older than announced. */
  async function findNoted(
    kind: Pick<RecordKind<unknown>, "name">,
    keys: readonly string[],
    projection?: object,
  ): Promise<Envelope[]> {
    const found = await find(kind, keys, projection);
    noteRevs(kind.name, keys, found);
    return found;
  }

  const walk = (kind: Pick<RecordKind<unknown>, "name">, range: IdRange, projection?: object) =>
    findByRange<Envelope>(db, kind.name, { range, projection, limit: RECORDS_PER_BATCH });

  return {
    async read(kind, keys) {
      const found = await findNoted(kind, keys, kind.appended && { [kind.appended.field]: 0 });
      return new Map(found.map((record) => [record._id, record as Stored<never>]));
    },

    readTogether: createReadTogether({ db, find, beforeStep }),

    async *readInParts<Body>(kind: RecordKind<Body>, keys: readonly string[]) {
      for (const ids of inBatches([...new Set(keys)], IDS_PER_QUERY)) {
        await beforeStep();
        yield* findInAnswers<Stored<Body>>(db, kind.name, ids);
      }
    },

    async readFields<Body, Field extends keyof Body & string>(
      kind: RecordKind<Body>,
      keys: readonly string[],
      fields: readonly Field[],
    ) {
      const found = await findNoted(kind, keys, onlyFields(fields));
      return new Map(found.map((record) => [record._id, record as Stored<Body>]));
    },

    async readRevs(kind, keys) {
      const found = await findNoted(kind, keys, { rev: 1 });
      return new Map(found.map(({ _id, rev }) => [_id, rev]));
    },

    count: (kind, prefix) => collection(kind).countDocuments({ _id: keysUnder(prefix) }),

    scan<Body>(kind: RecordKind<Body>, prefix: string, after?: string) {
      return walk(kind, keysAfter(prefix, after)) as AsyncGenerator<Stored<Body>[]>;
    },

    scanFields<Body, Field extends keyof Body & string>(
      kind: RecordKind<Body>,
      prefix: string,
      fields: readonly Field[],
      after?: string,
    ) {
      return walk(kind, keysAfter(prefix, after), onlyFields(fields)) as AsyncGenerator<Stored<Body>[]>;
    },

    async *scanKeys(kind, prefix, after) {
      // Reads only the ids, which a server finds in the index.
      for await (const found of walk(kind, keysAfter(prefix, after), { _id: 1 })) yield found.map(({ _id }) => _id);
    },

    async compareAndSet(kind, proposals, write) {
      if (proposals.length === 0) return { written: [], lost: [] };
      const records = proposals.map((proposal) => ({ proposal, record: recordOf(proposal, write) }));
      const parts = await pLimit(CONCURRENT_WRITES).map(inBatches(records, WRITES_PER_COMMAND), async (part) => {
        await beforeStep();
        const operations = part.map(({ proposal: { current }, record }) => writeOperation(kind, current, record));
        const unsure = await unsureOf(collection(kind), operations);
        return part.filter((_, index) => unsure.has(index)).map(({ record }) => record._id);
      });
      const unsure = parts.flat();
      if (unsure.length === 0) return { written: records.map(({ record }) => record), lost: [] };
      const present = await find(kind, unsure, { writeId: 1 });
      const isOurs = (record: Envelope) => lastWritesOf(record).includes(write.writeId);
      const ours = new Set(present.filter(isOurs).map(({ _id }) => _id));
      const lost = new Set(unsure.filter((key) => !ours.has(key)));
      return {
        written: records.map(({ record }) => record).filter(({ _id }) => !lost.has(_id)),
        lost: records.map(({ record }) => record._id).filter((key) => lost.has(key)),
      };
    },

    async remove(kind, revs) {
      if (revs.length === 0) return 0;
      const { deletedCount } = await collection(kind).bulkWrite(
        revs.map(({ key, rev }) => ({ deleteOne: { filter: { _id: key, rev } } })),
        { ordered: false },
      );
      return deletedCount;
    },
  };
}

/** `after` may come from a caller: keys before the prefix must never be returned. */
function keysAfter(prefix: string, after: string | undefined): IdRange {
  const { $gte, $lt } = keysUnder(prefix);
  return after !== undefined && after >= $gte ? { $gt: after, $lt } : { $gte, $lt };
}

/** Reads all records under a key prefix into memory: for kinds with few records per owner. */
export async function readAll<Body>(
  records: Pick<Records, "scan">,
  kind: RecordKind<Body>,
  prefix: string,
): Promise<Stored<Body>[]> {
  const pages = await Array.fromAsync(records.scan(kind, prefix));
  return pages.flat();
}

function recordOf<Body>({ key, current, body, inputs, cause }: Proposal<Body>, { writeId, at }: Write): Stored<Body> {
  // A body that was made from a stored record may still have the cause of the earlier write.
  const { cause: _, ...written } = body as Body & Pick<Envelope, "cause">;
  return {
    ...(written as Body),
    _id: key,
    store: ownerOf(key),
    rev: nextRev(current, at),
    writeId: [writeId, ...(current ? lastWritesOf(current) : [])].slice(0, LAST_WRITES).join(" "),
    changedAt: at,
    ...(inputs && { inputs }),
    ...(cause && { cause }),
  };
}

const lastWritesOf = ({ writeId }: Pick<Envelope, "writeId">): string[] => writeId.split(" ");

/**
 * Returns a record's rev after its next write: the current time in milliseconds, or one more than the last rev if that is
 * larger. So a key's revs never repeat, even after a deletion or after MongoDB has been restored to an earlier point in time.
 */
export const nextRev = (current: Pick<Envelope, "rev"> | undefined, at: Date): number =>
  Math.max(at.getTime(), (current?.rev ?? 0) + 1);
