import type { Db, Document } from "mongodb";

const DOCUMENTS_PER_BATCH = 1000;

/**
 * Renames collections and fields that a version before 0.1.0 stored to their current names. Idempotent. Run at each release,
 * while no process of such a version is running. Returns one sentence per change.
 */
export async function renameStored(db: Db): Promise<string[]> {
  // The outbox was named "unpublished", and the notifier's inbox was named "outbox", so the inbox is moved first.
  return [
    ...(await moveDocuments(db, "outbox", "inbox", { topic: { $exists: true } })),
    ...(await moveDocuments(db, "unpublished", "outbox")),
    ...(await moveDocuments(db, "claim", "idempotencykey", {}, ({ claimedAt, ...rest }) => ({
      ...rest,
      takenAt: claimedAt,
    }))),
    ...(await renameField(db, "journal", "claim", "deduplicationKey")),
    ...(await renameField(db, "walk", "behind", "stale")),
  ];
}

/** Upserts before it deletes, so that a run after a killed run replaces the documents that were already moved. */
async function moveDocuments(
  db: Db,
  from: string,
  to: string,
  filter: object = {},
  rename: (document: Document) => Document = (document) => document,
): Promise<string[]> {
  let moved = 0;
  for (;;) {
    const found = await db.collection(from).find(filter).limit(DOCUMENTS_PER_BATCH).toArray();
    if (found.length === 0) return moved > 0 ? [`${moved} documents of "${from}" are now in "${to}"`] : [];
    moved += found.length;
    await db.collection(to).bulkWrite(
      found.map((document) => ({
        replaceOne: { filter: { _id: document._id }, replacement: rename(document), upsert: true },
      })),
    );
    await db.collection(from).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  }
}

async function renameField(db: Db, collection: string, from: string, to: string): Promise<string[]> {
  const filter = { [from]: { $exists: true } };
  const { modifiedCount } = await db.collection(collection).updateMany(filter, { $rename: { [from]: to } });
  return modifiedCount > 0
    ? [`the field "${from}" of ${modifiedCount} documents of "${collection}" is now "${to}"`]
    : [];
}
