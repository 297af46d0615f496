import type { Db } from "mongodb";
import type { CollectionIndex, RecordKind } from "./kind.ts";

/** The version that the database reports. */
export const describeDatabase = async (db: Db): Promise<string> =>
  String((await db.admin().command({ buildInfo: 1 })).version);

const oldestDueFirst = { due: 1, since: 1, _id: 1 } as const;

/** Indexes of the collections that hold no records. */
const ofOtherCollections: readonly CollectionIndex[] = [
  { collection: "journal", keys: { appliedAt: 1 }, sparse: true },
  // Uploads that wait to be drawn, by store: an index of the few chunks that draw an image and are open.
  { collection: "journal", keys: { store: 1 }, partial: { pixels: { $exists: true }, open: true } },
  // How much of a tenant is in flight, by store; `size` distinguishes its key from that of uploads.
  { collection: "journal", keys: { store: 1, size: 1 }, partial: { open: true } },
  // Contains open chunks only: they are few, but all chunks are many.
  { collection: "journal", keys: { urgency: 1, drawnAt: 1, _id: 1 }, partial: { open: true } },
  // The open chunks of a tenant's stores, each store's in the order of their numbers.
  { collection: "journal", keys: { urgency: 1, store: 1, number: 1, index: 1 }, partial: { open: true } },
  // Held requests with something left to do, which are few; and all that are or were held, in lists of a store.
  { collection: "journal", keys: { store: 1, number: -1 }, partial: { "hold.open": true } },
  { collection: "journal", keys: { store: 1, "hold.state": 1, number: -1 }, partial: { hold: { $exists: true } } },
  { collection: "journal", keys: { store: 1, number: -1, index: 1 }, partial: { hold: { $exists: true } } },
  // Those whose outcome the activity log is to enter.
  { collection: "journal", keys: { store: 1, number: 1 }, partial: { "hold.entered": { $exists: true } } },
  // The counters of stores with held requests, by store; `number` distinguishes its key from that of all counters.
  { collection: "counter", keys: { _id: 1, number: 1 }, partial: { holds: { $exists: true } } },
  // This index is unique so that a call with an Idempotency-Key is journaled only once.
  { collection: "journal", keys: { deduplicationKey: 1 }, unique: true, sparse: true },
  { collection: "idempotencykey", keys: { takenAt: 1 } },
  { collection: "outbox", keys: { since: 1 } },
  // Which tenants have unused pictures, and which pictures these are.
  { collection: "image", keys: { store: 1, usedAt: 1 } },
  // Serves reads of a store since a given time, and the expired entries of one store after another.
  { collection: "glass", keys: { store: 1, at: 1 } },
  // The newest entries of a store, and of a tenant with all its stores.
  { collection: "activity", keys: { store: 1, moment: 1 } },
  { collection: "activity", keys: { tenant: 1, moment: 1 } },
  // Those of a person.
  { collection: "activity", keys: { store: 1, "actor.id": 1, moment: 1 } },
  { collection: "activity", keys: { tenant: 1, "actor.id": 1, moment: 1 } },
  // Those about an item or a label of a store.
  { collection: "activity", keys: { store: 1, items: 1, moment: 1 } },
  { collection: "activity", keys: { store: 1, labels: 1, moment: 1 } },
  // How much of a tenant is stored, without reading the files.
  { collection: "upload", keys: { store: 1, bytes: 1 } },
  // Which stores and tenants have unused files, and which files these are; with their keys, so that no file is read.
  { collection: "upload", keys: { store: 1, usedAt: 1, _id: 1 } },
  { collection: "inbox", keys: oldestDueFirst },
  { collection: "report", keys: oldestDueFirst },
  // Serves the next deliveries of a subscriber, and its dead letters, which have no `due`, by age.
  { collection: "delivery", keys: { subscription: 1, ...oldestDueFirst } },
  { collection: "delivery", keys: { due: 1, since: 1 } },
  // The few that have failed, of however many that wait.
  { collection: "delivery", keys: { subscription: 1 }, partial: { attempts: { $gt: 0 } } },
];

/** Every index of the database. */
export const indexesOf = (kinds: readonly RecordKind<unknown>[]): CollectionIndex[] => [
  ...kinds.flatMap(({ name, indexes }) => indexes.map((index) => ({ collection: name, ...index }))),
  ...ofOtherCollections,
];

/**
 * Creates every index. Idempotent; run at each release, before the new processes start. Returns one sentence per
 * created index.
 */
export async function makeIndexes(db: Db, kinds: readonly RecordKind<unknown>[]): Promise<string[]> {
  const made: string[] = [];
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  // One command a collection: the database reads what is stored once for all indexes of it.
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

/** Names of indexes that an earlier version created and that nothing uses now. */
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
 * Drops indexes of earlier versions. Idempotent; run after the indexes that replace them were created. Returns one
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
