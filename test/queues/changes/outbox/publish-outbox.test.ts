import test from "ava";
import { publishOutbox } from "../../../../queues/changes/publish-outbox.ts";
import { type Outbox, type OutboxEntry, openOutbox, readOldestUnpublished } from "../../../../records/outbox/outbox.ts";
import { openRecords } from "../../../../records/records.ts";
import { ownDatabase } from "../../../harness/own.ts";
import { change } from "../../../harness/worker.ts";

const database = ownDatabase();
const NOW = 10_000_000;
const ABANDONED_MS = 600_000;
let outbox: Outbox;
test.beforeEach(async () => {
  await database.db.collection("outbox").deleteMany({});
  outbox = openOutbox(database.db);
});

/** Makes one pass at `NOW` and returns the published keys. `takes` says whether Redis accepts changes. */
async function pass({ takes = true, graceMs = 5_000, revs = new Map<string, number>() } = {}): Promise<{
  count: number;
  keys: string[];
}> {
  const keys: string[] = [];
  const publish = async (_: string, changes: readonly { key: string; rev: number }[]) => {
    for (const { key, rev } of changes) revs.set(key, rev);
    keys.push(...changes.map(({ key }) => key));
    return takes;
  };
  const world = {
    outbox,
    records: openRecords(database.db),
    publisher: { publish },
    now: () => new Date(NOW),
    graceMs,
  };
  return { count: await publishOutbox(world), keys };
}

/** A change whose write has happened (rev 0), and one whose write has not. */
const written = (key: string) => ({ ...change(key), rev: 0 });
const unwritten = (key: string) => ({ ...change(key), rev: 7 });
const add = (_id: string, entry: Partial<OutboxEntry>) =>
  outbox.add({ _id, kind: "renderedimage.v1", since: new Date(NOW - 10_000), changes: [written(_id)], ...entry });
const left = async () => (await Array.fromAsync(outbox.scan(new Date(NOW + 1)))).flat();

test.serial("published changes leave the outbox, and changes that their writer is about to publish stay", async (t) => {
  await add("old", { since: new Date(NOW - 5_001) });
  await add("young", { since: new Date(NOW - 5_000) });
  t.deepEqual(await pass(), { count: 1, keys: ["old"] });
  t.deepEqual(
    (await left()).map(({ _id }) => _id),
    ["young"],
  );
});

test.serial("changes that cannot be published stay and are not counted", async (t) => {
  await add("refused", {});
  t.is((await pass({ takes: false })).count, 0);
  t.is((await left()).length, 1);
});

test.serial("the written part of an entry is published once, and the rest is kept", async (t) => {
  await add("partly", { changes: [written("one"), unwritten("two")] });
  t.deepEqual(await pass(), { count: 1, keys: ["one"] });
  t.deepEqual(
    (await left()).map(({ changes }) => changes.map(({ key }) => key)),
    [["two"]],
  );
  t.deepEqual(await pass(), { count: 0, keys: [] });
});

test.serial("an unwritten change is published once its write can no longer happen", async (t) => {
  await add("last", { since: new Date(NOW - ABANDONED_MS), changes: [unwritten("last")] });
  await add("gone", { since: new Date(NOW - ABANDONED_MS - 1), changes: [unwritten("gone")] });
  t.deepEqual(await pass(), { count: 1, keys: ["gone"] });
  t.deepEqual(
    (await left()).map(({ _id }) => _id),
    ["last"],
  );
});

test.serial(
  "a write that never happened is announced at the stored rev, so that no handler waits for it",
  async (t) => {
    const since = new Date(NOW - ABANDONED_MS - 1);
    const store = database.db.collection<{ _id: string; rev: number }>("renderedimage.v1");
    await store.insertOne({ _id: "stands", rev: 5 });
    await add("never", { since, changes: [unwritten("stands"), unwritten("absent")] });
    const revs = new Map<string, number>();
    await pass({ revs });
    await store.deleteMany({});
    t.deepEqual(
      [...revs],
      [
        ["stands", 5],
        ["absent", 0],
      ],
    );
  },
);

test.serial("an entry counts as unpublished unless a pass found that none of its writes had happened", async (t) => {
  const store = database.db.collection<{ _id: string; rev: number }>("renderedimage.v1");
  const isUnpublished = async () => (await readOldestUnpublished(database.db)) !== undefined;
  await add("partly", { changes: [written("one"), unwritten("two")] });
  await pass({ takes: false });
  t.true(await isUnpublished(), "the written part was not published");
  await pass();
  t.false(await isUnpublished(), "only the unwritten part is left");
  await pass();
  t.false(await isUnpublished());
  await store.insertOne({ _id: "two", rev: 7 });
  await pass({ takes: false });
  t.true(await isUnpublished(), "it was written late");
  t.deepEqual(await pass(), { count: 1, keys: ["two"] });
  t.deepEqual(await left(), []);
  await store.deleteMany({});
});

test.serial(
  "a writer may still be about to write the changes of a young entry, so it counts as unpublished",
  async (t) => {
    await add("young", { since: new Date(NOW - 5_000), changes: [unwritten("young")] });
    await pass({ graceMs: 0 });
    t.deepEqual(await readOldestUnpublished(database.db), new Date(NOW - 5_000));
  },
);

test.serial("an entry whose kind has no topic is removed without publishing", async (t) => {
  await add("quiet", { kind: "walk" });
  t.deepEqual(await pass(), { count: 0, keys: [] });
  t.deepEqual(await left(), []);
});

test.serial("entries that wait for their writes never delay later entries, however many wait", async (t) => {
  const since = new Date(NOW - 20_000);
  await Promise.all(
    Array.from({ length: 150 }, (_, index) => add(`waits-${index}`, { since, changes: [unwritten("one")] })),
  );
  await add("done", {});
  t.deepEqual(await pass(), { count: 1, keys: ["done"] });
});

test.serial("a pass ends after the batch that reaches 50,000 changes, and the next one continues", async (t) => {
  const since = new Date(NOW - ABANDONED_MS - 2);
  const changes = Array.from({ length: 500 }, (_, index) => written(`key-${index}`));
  await Promise.all(Array.from({ length: 100 }, (_, index) => add(`full-${index}`, { since, changes })));
  await add("next", {});
  t.is((await pass()).count, 50_000);
  t.deepEqual(await pass(), { count: 1, keys: ["next"] });
});
