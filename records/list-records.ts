import type { Db, Filter } from "mongodb";
import { keysUnder } from "../schemas/keys.ts";
import type { Envelope, Stored } from "../schemas/record.ts";
import type { RecordKind } from "./kind.ts";
import { findAtOnce } from "./mongodb/find-at-once.ts";

/** Which records of a kind to list, in key order. */
export interface Listing {
  /** Prefix of their keys. */
  prefix: string;
  /** A MongoDB filter on their fields. */
  filter?: object | undefined;
  descending?: boolean | undefined;
  /** The key after which the list begins, in the direction of the list; replaces `start`. */
  after?: string | undefined;
  /** How many records to skip. */
  start?: number | undefined;
  limit?: number | undefined;
  /** The fields to read; by default, all except an appended field. */
  fields?: readonly string[] | undefined;
  /** Maximum number of records in a batch. */
  batchSize?: number | undefined;
}

const BATCH_SIZE = 500;

/**
 * Lists records in batches. Each batch is a separate query that starts after the last key: no cursor is open in the database
 * while a slow caller reads, and no record is returned twice. Only the keys of skipped records are read.
 */
export async function* listRecords<Body>(
  db: Db,
  kind: RecordKind<Body>,
  {
    prefix,
    filter,
    descending = false,
    after,
    start = 0,
    limit = Number.POSITIVE_INFINITY,
    fields,
    batchSize: pageSize = BATCH_SIZE,
  }: Listing,
): AsyncGenerator<Stored<Body>[]> {
  const { $gte, $lt } = keysUnder(prefix);
  const sort = { _id: descending ? -1 : 1 } as const;
  const behind = (key: string) => (descending ? { $gte, $lt: key } : { $gt: key, $lt });
  let range: object = after === undefined ? { $gte, $lt } : behind(after);
  if (start > 0 && after === undefined) {
    const keys = db.collection<Envelope>(kind.name).find({ ...filter, _id: range } as Filter<Envelope>);
    const [first] = await keys.project<Pick<Envelope, "_id">>({ _id: 1 }).sort(sort).skip(start).limit(1).toArray();
    if (first === undefined) return;
    range = descending ? { $gte, $lte: first._id } : { $gte: first._id, $lt };
  }
  for (let left = limit; left > 0; ) {
    const most = Math.min(pageSize, left);
    const page = await findAtOnce<Stored<Body>>(db, kind.name, {
      filter: { ...filter, _id: range },
      projection: fields ? projectionOf(["rev", ...fields]) : kind.appended && { [kind.appended.field]: 0 },
      sort,
      limit: most,
    });
    const last = page.at(-1)?._id;
    if (last === undefined) return;
    yield page;
    if (page.length < most) return;
    left -= page.length;
    range = behind(last);
  }
}

const projectionOf = (fields: readonly string[]): Record<string, 1> =>
  Object.fromEntries(fields.map((field) => [field, 1]));
