import type { Db } from "mongodb";
import type { RecordKind } from "./kind.ts";

/** How the stand-in of closed networks names its version; no MongoDB does. */
const STAND_IN = "stand-in";

/** What the database calls itself. */
export const describeDatabase = async (db: Db): Promise<string> =>
  String((await db.admin().command({ buildInfo: 1 })).version);

/** Makes every index. Safe to repeat; run at each release, before the new processes start. */
export async function makeIndexes(db: Db, kinds: readonly RecordKind<unknown>[]): Promise<void> {
  const isStandIn = (await describeDatabase(db)).includes(STAND_IN);
  for (const { name, indexes } of kinds) {
    const collection = db.collection(name);
    for (const { keys, sparse = false } of indexes) await collection.createIndex(keys, { sparse });
    if (isStandIn) await collection.createIndex({ _id: 1, rev: 1 }, { unique: true });
  }
  await db.collection("journal").createIndex({ appliedAt: 1 }, { sparse: true });
  // This index is what keeps a call with an Idempotency-Key from happening twice.
  await db.collection("journal").createIndex({ deduplicationKey: 1 }, { unique: true, sparse: true });
  await db.collection("idempotencykey").createIndex({ takenAt: 1 });
  await db.collection("outbox").createIndex({ since: 1 });
  await db.collection("image").createIndex({ usedAt: 1 });
  await db.collection("upload").createIndex({ usedAt: 1 });
  await db.collection("inbox").createIndex({ due: 1, since: 1 });
  await db.collection("delivery").createIndex({ due: 1, subscription: 1 });
  await db.collection("delivery").createIndex({ subscription: 1, since: 1 });
  // The stand-in uses an index only where a filter names exactly its keys; MongoDB needs none of these beside `_id`.
  if (!isStandIn) return;
  await db.collection("journal").createIndex({ _id: 1, open: 1 }, { unique: true });
  for (const name of ["holder", "run"])
    await db.collection("idempotencykey").createIndex({ _id: 1, [name]: 1 }, { unique: true });
}
