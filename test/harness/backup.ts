import type { Db, Document } from "mongodb";

/** The documents of every collection, by its name. */
export type Backup = ReadonlyMap<string, Document[]>;

/** Takes a backup of a database, as `mongodump` does. */
export async function takeBackup(db: Db): Promise<Backup> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await db.collection(name).find().toArray()] as const)),
  );
}

/** Puts a database back to a backup; its indexes stay. */
export async function restoreBackup(db: Db, backup: Backup): Promise<void> {
  for (const { name } of await db.listCollections().toArray()) {
    await db.collection(name).deleteMany({});
    const documents = backup.get(name) ?? [];
    if (documents.length > 0) await db.collection(name).insertMany(documents);
  }
}
