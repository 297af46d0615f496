import type { Db, Document } from "mongodb";

/** The documents of every collection, by the collection's name. */
export type Backup = ReadonlyMap<string, Document[]>;

/** Backs up a database, as `mongodump` does. */
export async function takeBackup(db: Db): Promise<Backup> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await db.collection(name).find().toArray()] as const)),
  );
}

/** Restores a database from a backup; its indexes stay. */
export async function restoreBackup(db: Db, backup: Backup): Promise<void> {
  for (const { name } of await db.listCollections().toArray()) {
    await db.collection(name).deleteMany({});
    // A process that is still running may have written a document again, such as a lease.
    const writes = (backup.get(name) ?? []).map((document) => ({
      replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
    }));
    if (writes.length > 0) await db.collection(name).bulkWrite(writes);
  }
}
