import { type Db, type Document, Long } from "mongodb";

interface Query {
  filter: Document;
  projection?: Document | undefined;
  sort?: Record<string, 1 | -1>;
  limit: number;
}

/**
 * By default, the driver checks every long string for invalid UTF-8, which is half the cost of decoding keys
 * (docs/decisions/records/find-command.md). A command does not inherit this option from its client.
 */
export const NOT_VALIDATED = { enableUtf8Validation: false };

/**
 * Returns a query's results in one server response. It sends the command directly: the driver's cursor unpacks each document
 * separately, which costs this process a fifth more (docs/decisions/records/find-command.md).
 */
export async function findAtOnce<Found>(db: Db, collection: string, query: Query): Promise<Found[]> {
  const { found, isCut } = await findFirst<Found>(db, collection, query);
  if (!isCut) return found;
  // Results too large for one response are read through a cursor, in as many responses as necessary.
  const { filter, projection, sort, limit } = query;
  const rest = db
    .collection(collection)
    .find(filter, { ...(projection && { projection }), ...(sort && { sort }), limit, ...NOT_VALIDATED });
  return (await rest.toArray()) as Found[];
}

/** A range of ids that starts at one id (`$gte`) or after it (`$gt`), and ends before another (`$lt`). */
export type IdRange = ({ $gte: string } | { $gt: string }) & { $lt: string };

/**
 * Reads all documents in a range of ids, in id order, in batches of at most `limit` documents and one server response. Each batch
 * is a separate query: the server keeps nothing open while the reader works, no matter how long that takes.
 */
export async function* findByRange<Found extends { _id: string }>(
  db: Db,
  collection: string,
  { range, projection, limit }: { range: IdRange; projection?: Document | undefined; limit: number },
): AsyncGenerator<Found[]> {
  for (let rest: IdRange = range; ; ) {
    const { found, isCut } = await findFirst<Found>(db, collection, {
      filter: { _id: rest },
      projection,
      sort: { _id: 1 },
      limit,
    });
    const last = found.at(-1);
    if (last === undefined) return;
    yield found;
    if (found.length < limit && !isCut) return;
    rest = { $gt: last._id, $lt: range.$lt };
  }
}

/**
 * Reads the documents with these ids, one server response at a time: at most 16 MiB are in memory, no matter how large the
 * documents are. Each id may be given only once.
 */
export async function* findInAnswers<Found extends { _id: string }>(
  db: Db,
  collection: string,
  ids: readonly string[],
): AsyncGenerator<Found[]> {
  for (let rest = ids; rest.length > 0; ) {
    const filter = { _id: { $in: rest } };
    const { found, isCut } = await findFirst<Found>(db, collection, { filter, limit: rest.length });
    if (found.length > 0) yield found;
    if (!isCut) return;
    const isFound = new Set(found.map(({ _id }) => _id));
    rest = rest.filter((id) => !isFound.has(id));
  }
}

/** Returns the documents of the first response, which holds at most 16 MiB, and whether there are more. */
async function findFirst<Found>(
  db: Db,
  collection: string,
  { filter, projection, sort, limit }: Query,
): Promise<{ found: Found[]; isCut: boolean }> {
  const command = {
    find: collection,
    filter,
    ...(projection && { projection }),
    ...(sort && { sort }),
    limit,
    // Larger than the limit, since a server that fills a batch leaves the cursor open.
    batchSize: limit + 1,
    readConcern: { level: "majority" },
  };
  const { cursor } = await db.command(command, NOT_VALIDATED);
  const id = Long.fromValue(cursor.id);
  if (!id.isZero()) await db.command({ killCursors: collection, cursors: [id] });
  return { found: cursor.firstBatch, isCut: !id.isZero() };
}
