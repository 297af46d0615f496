import type { Db } from "mongodb";
import type { CollectionIndex, RecordKind } from "./kind.ts";

/** The version that the database reports. */
export const describeDatabase = async (db: Db): Promise<string> =>
  String((await db.admin().command({ buildInfo: 1 })).version);

const oldestDueFirst = { due: 1, since: 1, _id: 1 } as const;

/** Indexes of the collections that hold no records; the indexes of record kinds are in `records/kinds/`. */
const ofOtherCollections: readonly CollectionIndex[] = [
  { collection: "journal", keys: { appliedAt: 1 }, sparse: true },
  // Uploads waiting to be drawn, by store; the index contains only the few open chunks that draw an image.
  { collection: "journal", keys: { store: 1 }, partial: { pixels: { $exists: true }, open: true } },
  // How many of a tenant's rows are in flight, by store; `size` distinguishes this index's key from the one for uploads.
  { collection: "journal", keys: { store: 1, size: 1 }, partial: { open: true } },
  // Contains only open chunks, which are a small fraction of all chunks.
  { collection: "journal", keys: { urgency: 1, drawnAt: 1, _id: 1 }, partial: { open: true } },
  // The open chunks of a tenant's stores; within a store, in number order.
  { collection: "journal", keys: { urgency: 1, store: 1, number: 1, index: 1 }, partial: { open: true } },
  // The few held requests with something left to do; and all requests that are or were held, for a store's lists.
  { collection: "journal", keys: { store: 1, number: -1 }, partial: { "hold.open": true } },
  { collection: "journal", keys: { store: 1, "hold.state": 1, number: -1 }, partial: { hold: { $exists: true } } },
  { collection: "journal", keys: { store: 1, number: -1, index: 1 }, partial: { hold: { $exists: true } } },
  // Held requests whose outcome is not yet in the activity log.
  { collection: "journal", keys: { store: 1, number: 1 }, partial: { "hold.entered": { $exists: true } } },
  // The counters of stores with held requests, by store; `number` distinguishes this index's key from that of the index on
  // `_id`.
  { collection: "counter", keys: { _id: 1, number: 1 }, partial: { holds: { $exists: true } } },
  // Unique, so that a call with an Idempotency-Key is journaled only once.
  { collection: "journal", keys: { deduplicationKey: 1 }, unique: true, sparse: true },
  { collection: "idempotencykey", keys: { takenAt: 1 } },
  { collection: "outbox", keys: { since: 1 } },
  // Tenants with unused pictures, and these pictures.
  { collection: "image", keys: { store: 1, usedAt: 1 } },
  // Serves reads of a store's entries since a given time, and clean-up, which goes from store to store.
  { collection: "glass", keys: { store: 1, at: 1 } },
  // The newest entries of a store, and of a tenant including all its stores.
  { collection: "activity", keys: { store: 1, moment: 1 } },
  { collection: "activity", keys: { tenant: 1, moment: 1 } },
  // A person's entries.
  { collection: "activity", keys: { store: 1, "actor.id": 1, moment: 1 } },
  { collection: "activity", keys: { tenant: 1, "actor.id": 1, moment: 1 } },
  // Entries about a store's item or label.
  { collection: "activity", keys: { store: 1, items: 1, moment: 1 } },
  { collection: "activity", keys: { store: 1, labels: 1, moment: 1 } },
  // How much data a tenant has stored, without reading the files.
  { collection: "upload", keys: { store: 1, bytes: 1 } },
  // Stores and tenants with unused files, and the keys of these files, so that no file is read.
  { collection: "upload", keys: { store: 1, usedAt: 1, _id: 1 } },
  { collection: "inbox", keys: oldestDueFirst },
  { collection: "report", keys: oldestDueFirst },
  // Serves a subscriber's next deliveries. Its dead letters have no `due`, so the index also serves them by age.
  { collection: "delivery", keys: { subscription: 1, ...oldestDueFirst } },
  { collection: "delivery", keys: { due: 1, since: 1 } },
  // The few failed deliveries among the many that are waiting.
  { collection: "delivery", keys: { subscription: 1 }, partial: { attempts: { $gt: 0 } } },
];

/** Every index of the database. */
export const indexesOf = (kinds: readonly RecordKind<unknown>[]): CollectionIndex[] => [
  ...kinds.flatMap(({ name, indexes }) => indexes.map((index) => ({ collection: name, ...index }))),
  ...ofOtherCollections,
];

/**
 * Creates every index. Idempotent; run at each release, before the new processes start. Returns one sentence per created index.
 */
export async function makeIndexes(db: Db, kinds: readonly RecordKind<unknown>[]): Promise<string[]> {
  const made: string[] = [];
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  // One command per collection, so that the database reads its documents once for all its indexes.
  for (const [collection, indexes] of Map.groupBy(indexesOf(kinds), ({ collection }) => collection)) {
    const before = present.has(collection) ? await indexNames(db, collection) : new Set();
    const names = await db.collection(collection).createIndexes(
      indexes.map(({ keys, unique, sparse, partial }) => ({
        key: keys,
        ...(unique && { unique }),
        ...(sparse && { sparse }),
        ...(partial && { partialFilterExpression: partial }),
      })),
    );
    for (const name of names) if (!before.has(name)) made.push(`the collection "${collection}" has the index ${name}`);
  }
  return made;
}

/** Names of a collection's indexes; none if there is no such collection. */
async function indexNames(db: Db, collection: string): Promise<Set<string>> {
  if ((await db.listCollections({ name: collection }, { nameOnly: true }).toArray()).length === 0) return new Set();
  return new Set((await db.collection(collection).indexes()).flatMap(({ name }) => name ?? []));
}

/** Names of indexes that an earlier version created and that are no longer used. */
const FORMER_INDEXES: Readonly<Record<string, readonly string[]>> = {
  schedule: ["due_1"],
  glass: ["at_1"],
  image: ["usedAt_1"],
  upload: ["usedAt_1"],
  inbox: ["due_1_since_1"],
  report: ["due_1_since_1"],
  delivery: ["due_1_subscription_1", "subscription_1_since_1"],
};

/**
 * Drops indexes of earlier versions. Idempotent; run after the indexes that replace them have been created. Returns one
 * sentence per dropped index.
 */
export async function dropFormerIndexes(db: Db): Promise<string[]> {
  const dropped: string[] = [];
  for (const [collection, former] of Object.entries(FORMER_INDEXES)) {
    const present = await indexNames(db, collection);
    for (const name of former.filter((index) => present.has(index))) {
      await db.collection(collection).dropIndex(name);
      dropped.push(`the collection "${collection}" no longer has an index ${name}`);
    }
  }
  return dropped;
}
