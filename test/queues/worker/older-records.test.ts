import test from "ava";
import { openFailures } from "../../../queues/changes/failures.ts";
import type { Handlers } from "../../../queues/topology.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import { failures } from "../../../records/kinds/work.ts";
import { openRecords, type Records } from "../../../records/records.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownDatabase, ownSystem } from "../../harness/own.ts";
import { startAWorker } from "../../harness/worker.ts";

/** A worker that reads from a former primary, which has not seen the write that a change announces. */
const own = ownSystem();
const deposed = ownDatabase();

test.beforeEach(async () => {
  await own.system.redis.flushall();
  for (const db of [own.system.db, deposed.db])
    for (const { name } of [renderedImages, failures]) await db.collection(name).deleteMany({});
});

const TOPIC = "renderedimage.v1";
const keyOf = (name: string) => `t/demo/s/main/links/${name}`;
const announce = (name: string, rev: number, more: Partial<Change> = {}): Change => ({
  ...{ key: keyOf(name), rev, operation: "UPDATED", changed: ["image"], urgency: "interactive" },
  ...more,
});
const store = async (db: typeof deposed.db, name: string, rev: number) =>
  void (await db.collection<{ _id: string }>(TOPIC).replaceOne({ _id: keyOf(name) }, { rev }, { upsert: true }));
const enqueue = (changes: readonly Change[]) =>
  own.system.publisher.enqueue("merger", [{ name: TOPIC, data: { changes }, urgency: "interactive" }]);

/** Handlers that read the changed records as a derivation does, and the revs that they read. */
function readers(present: () => Records) {
  const seen: Record<string, number>[] = [];
  const handler = async (changes: Change[]) => {
    const keys = changes.map(({ key }) => key);
    const read = await present().read(renderedImages, keys);
    seen.push(Object.fromEntries(keys.map((key) => [key.slice(keyOf("").length), read.get(key)?.rev ?? 0])));
  };
  const others = Object.fromEntries(["ecceslimage.v1", "pageimage.v1"].map((topic) => [topic, async () => {}]));
  return { seen, handlers: { [TOPIC]: handler, ...others } as unknown as Handlers<"merger"> };
}

const sides = () => ({ old: openRecords(deposed.db), now: openRecords(own.system.db) });
const untilDone = (count: number) =>
  eventually(
    "the jobs are done",
    async () => (await own.system.publisher.queue("merger").getJobCountByTypes("completed")) === count,
  );
const recorded = () => own.system.db.collection(failures.name).find().toArray();

test.serial(
  "a change is handled once its record is read at the announced rev or later, however many reads that takes",
  async (t) => {
    const { old, now } = sides();
    await store(deposed.db, "known", 5);
    await store(own.system.db, "known", 9);
    await store(own.system.db, "new", 9);
    const reader = readers(() => (reader.seen.length < 3 ? old : now));
    startAWorker(t, own, "merger", reader.handlers);
    await enqueue([announce("known", 9), announce("new", 9, { operation: "CREATED" })]);
    await untilDone(1);
    t.deepEqual(reader.seen, [...Array(3).fill({ known: 5, new: 0 }), { known: 9, new: 9 }]);
    t.deepEqual(await recorded(), []);
  },
);

test.serial("a change is not postponed if it has no rev, its rev is reached, or its record was deleted", async (t) => {
  const { now } = sides();
  await store(own.system.db, "reached", 9);
  const reader = readers(() => now);
  startAWorker(t, own, "merger", reader.handlers);
  await enqueue([announce("walked", 0), announce("reached", 8), announce("gone", 9, { operation: "DELETED" })]);
  await untilDone(1);
  t.deepEqual(reader.seen, [{ walked: 0, reached: 9, gone: 0 }]);
});

test.serial("if changes to a record are handled together, only the newest of them can postpone it", async (t) => {
  const { old, now } = sides();
  await store(deposed.db, "twice", 5);
  await store(own.system.db, "twice", 9);
  const reader = readers(() => (reader.seen.length < 1 ? old : now));
  startAWorker(t, own, "merger", reader.handlers);
  await enqueue([announce("twice", 5), announce("twice", 9)]);
  await untilDone(1);
  t.deepEqual(reader.seen, [{ twice: 5 }, { twice: 9 }]);
});

test.serial("a change whose record stays older than announced becomes a failure, and is retried", async (t) => {
  const { old } = sides();
  await store(deposed.db, "older", 5);
  const reader = readers(() => old);
  const worker = startAWorker(t, own, "merger", reader.handlers, { maxStartsBehind: 3 });
  await enqueue([announce("older", 9), announce("walked", 0)]);
  await untilDone(1);
  t.is(reader.seen.length, 3);
  const [failure, ...others] = await recorded();
  t.deepEqual(others, []);
  t.like(failure, { queue: "merger", topic: TOPIC, attempts: 1, change: announce("older", 9) });
  t.is(failure?.reason, `the database still returns ${keyOf("older")} at a rev older than the announced 9`);
  const again = await worker.handle(TOPIC, [announce("older", 9)]);
  t.deepEqual([...again.behind], [[keyOf("older"), 5]], "the retry finds the record still older");
  const { due } = openFailures("merger", { ...own.system, now: () => failure?.since ?? new Date(0) });
  t.is((await due(9)).length, 0, "the failure is not due before its time");
});
