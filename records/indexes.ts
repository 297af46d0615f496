import type { Db } from "mongodb";
import type { RecordKind } from "./kind.ts";

/** The version that the database reports. */
export const describeDatabase = async (db: Db): Promise<string> =>
  String((await db.admin().command({ buildInfo: 1 })).version);

/** Makes every index. Idempotent; run at each release, before the new processes start. */
export async function makeIndexes(db: Db, kinds: readonly RecordKind<unknown>[]): Promise<void> {
  for (const { name, indexes } of kinds) {
    const collection = db.collection(name);
    for (const { keys, sparse = false } of indexes) await collection.createIndex(keys, { sparse });
  }
  await db.collection("journal").createIndex({ appliedAt: 1 }, { sparse: true });
  // Uploads that wait to be drawn, by store: an index of the few chunks that draw an image and are open.
  await db
    .collection("journal")
    .createIndex({ store: 1 }, { partialFilterExpression: { pixels: { $exists: true }, open: true } });
  // Holds open chunks only: their number is small, and that of all chunks is not.
  const isOpen = { partialFilterExpression: { open: true } };
  await db.collection("journal").createIndex({ urgency: 1, drawnAt: 1, _id: 1 }, isOpen);
  // This index is unique so that a call with an Idempotency-Key is journaled only once.
  await db.collection("journal").createIndex({ deduplicationKey: 1 }, { unique: true, sparse: true });
  await db.collection("idempotencykey").createIndex({ takenAt: 1 });
  await db.collection("outbox").createIndex({ since: 1 });
  await db.collection("image").createIndex({ usedAt: 1 });
  await db.collection("upload").createIndex({ usedAt: 1 });
  await db.collection("inbox").createIndex({ due: 1, since: 1 });
  await db.collection("report").createIndex({ due: 1, since: 1 });
  await db.collection("delivery").createIndex({ due: 1, subscription: 1 });
  await db.collection("delivery").createIndex({ subscription: 1, since: 1 });
}
