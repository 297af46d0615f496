import type { Db } from "mongodb";
import type { Envelope, Stored } from "../schemas/record.ts";
import { noteRevs } from "./announced-revs.ts";
import type { RecordKind } from "./kind.ts";
import { type FindById, findTogether } from "./mongodb/find-together.ts";

/** The keys to read of one kind. With `fields`, only these fields of each record are read, and its key and rev. */
export interface KeyedRead<Body> {
  kind: RecordKind<Body>;
  keys: readonly string[];
  fields?: readonly (keyof Body & string)[] | undefined;
}

/** The result of each read, by key. */
export type FoundTogether<Reads extends readonly KeyedRead<never>[]> = {
  -readonly [Index in keyof Reads]: Reads[Index] extends KeyedRead<infer Body> ? Map<string, Stored<Body>> : never;
};

/**
 * Reads records of several kinds, the first kind before the others: a few keys with one command, many keys with separate
 * commands for each kind. Only for kinds whose bodies are at most a few hundred kilobytes.
 */
export type ReadTogether = <const Reads extends readonly KeyedRead<never>[]>(
  reads: Reads,
) => Promise<FoundTogether<Reads>>;

/** Number of keys read with one command: this many of the largest items fit into one response. */
const IDS_TOGETHER = 48;

interface Dependencies {
  db: Db;
  find(kind: Pick<RecordKind<unknown>, "name">, keys: readonly string[], projection?: object): Promise<Envelope[]>;
  beforeStep(): Promise<void>;
}

export function createReadTogether({ db, find, beforeStep }: Dependencies): ReadTogether {
  async function findAll(finds: readonly FindById[]): Promise<Envelope[][]> {
    if (finds.length > 1 && finds.reduce((sum, { ids }) => sum + ids.length, 0) <= IDS_TOGETHER) {
      await beforeStep();
      return findTogether<Envelope>(db, finds);
    }
    const findOne = ({ collection, ids, projection }: FindById) => find({ name: collection }, ids, projection);
    const [first, ...others] = finds;
    return first ? [await findOne(first), ...(await Promise.all(others.map(findOne)))] : [];
  }

  return async <const Reads extends readonly KeyedRead<never>[]>(reads: Reads) => {
    const finds = reads.map(({ kind, keys, fields }) => ({
      collection: kind.name,
      ids: [...new Set(keys)],
      projection: fields ? onlyFields(fields) : kind.appended && { [kind.appended.field]: 0 },
    }));
    const some = finds.filter(({ ids }) => ids.length > 0);
    const answers = await findAll(some);
    const maps = finds.map((one) => {
      const found = answers[some.indexOf(one)] ?? [];
      noteRevs(one.collection, one.ids, found);
      return new Map(found.map((record) => [record._id, record]));
    });
    return maps as unknown as FoundTogether<Reads>;
  };
}

/** The projection of these fields, with the key and the rev. */
export const onlyFields = (fields: readonly string[]): object =>
  Object.fromEntries(["rev", ...fields].map((field) => [field, 1]));
