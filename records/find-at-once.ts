import { type Db, type Document, Long } from "mongodb";

interface Query {
  filter: Document;
  projection?: Document | undefined;
  sort?: Record<string, 1 | -1>;
  limit: number;
}

/**
 * What a query finds, in one answer of the server. By the command itself: a cursor of the driver unpacks each document
 * by itself, which costs this process a fifth more (docs/decisions.md, "Reads send the find command").
 */
export async function findAtOnce<Found>(
  db: Db,
  collection: string,
  { filter, projection, sort, limit }: Query,
): Promise<Found[]> {
  const { cursor } = await db.command({
    find: collection,
    filter,
    ...(projection && { projection }),
    ...(sort && { sort }),
    limit,
    // One more than can be found: a server that fills a batch leaves its cursor open.
    batchSize: limit + 1,
    readConcern: { level: "majority" },
  });
  const id = Long.fromValue(cursor.id);
  if (id.isZero()) return cursor.firstBatch;
  // An answer holds 16 MiB at most. What is larger is read by a cursor, in as many answers as it takes.
  await db.command({ killCursors: collection, cursors: [id] });
  const rest = db
    .collection(collection)
    .find(filter, { ...(projection && { projection }), ...(sort && { sort }), limit });
  return (await rest.toArray()) as Found[];
}
