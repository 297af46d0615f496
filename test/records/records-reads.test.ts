import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import test from "ava";
import { openRecords, type Records, readAll } from "../../records/records.ts";
import { counters, openADatabase } from "../harness/databases/database.ts";

const OWNER = "t/demo/s/main";
const AT = new Date("2026-03-01T08:00:00Z");
const COUNT = 2_300;

let database: Awaited<ReturnType<typeof openADatabase>>;
let records: Records;

/** The key of a record, by its index. */
const keyOf = (index: number): string => `${OWNER}/counters/${String(index).padStart(5, "0")}`;
const keys = Array.from({ length: COUNT }, (_, index) => keyOf(index));
/** Keys that resemble the prefix but are not under it. */
const neighbours = [`${OWNER}/counters`, `${OWNER}/counter/1`, `${OWNER}/counters-too/1`, `${OWNER}2/counters/1`];

test.before(async () => {
  database = await openADatabase();
  records = openRecords(database.db);
  const backwards = [...keys, ...neighbours].toReversed();
  await records.compareAndSet(
    counters,
    backwards.map((key) => ({ key, current: undefined, body: { count: keys.indexOf(key), note: `of ${key}` } })),
    { writeId: randomUUID(), at: AT },
  );
});
test.after.always(() => database.close());

const wanted = keys.filter((_, index) => index % 3 === 0);
const unknown = ["t/demo/s/main/counters/none", "t/other/s/main/counters/00001"];

test("records under a prefix are counted without their neighbours", async (t) => {
  t.is(await records.count(counters, `${OWNER}/counters/`), COUNT);
  t.is(await records.count(counters, `${OWNER}/none/`), 0);
});

test("a read of many keys returns each existing record once", async (t) => {
  const found = await records.read(counters, [...wanted, ...unknown, ...wanted]);
  t.deepEqual([...found.keys()].toSorted(), wanted);
  for (const [key, record] of found) t.deepEqual([record._id, record.count], [key, keys.indexOf(key)]);
});

test("a read of fields returns exactly these fields, the key and the rev", async (t) => {
  const found = await records.readFields(counters, [...wanted, ...unknown], ["count"]);
  t.is(found.size, wanted.length);
  for (const [index, key] of wanted.entries())
    t.deepEqual(found.get(key) as object, { _id: key, rev: AT.getTime(), count: index * 3 });
});

test("a key without a record has no rev", async (t) => {
  const revs = await records.readRevs(counters, [...wanted, ...unknown]);
  t.deepEqual([...revs.keys()].toSorted(), wanted);
  t.deepEqual(new Set(revs.values()), new Set([AT.getTime()]));
});

test("a scan after a key before the prefix returns all records under the prefix, and no neighbour", async (t) => {
  for (const after of ["", "t/", `${OWNER}/counter/0`, `${OWNER}/counters-too`]) {
    const batches = await Array.fromAsync(records.scan(counters, `${OWNER}/counters/`, after));
    t.deepEqual(
      batches.flat().map(({ _id }) => _id),
      keys,
      after,
    );
  }
});

test("a scan returns every record under the prefix once, in key order, and no other", async (t) => {
  const batches = await Array.fromAsync(records.scan(counters, `${OWNER}/counters/`));
  t.deepEqual(
    batches.flat().map(({ _id }) => _id),
    keys,
  );
});

test("a scan of fields returns exactly these fields, the key and the rev of each record", async (t) => {
  const batches = await Array.fromAsync(records.scanFields(counters, `${OWNER}/counters/`, ["count"]));
  t.deepEqual(
    batches.flat() as object[],
    keys.map((_id, count) => ({ _id, rev: AT.getTime(), count })),
  );
});

test("a scan of keys returns every key under the prefix once, in order, and continues after a given key", async (t) => {
  const keysAfter = async (after?: string) =>
    (await Array.fromAsync(records.scanKeys(counters, `${OWNER}/counters/`, after))).flat();
  t.deepEqual(await keysAfter(), keys);
  t.deepEqual(await keysAfter(keyOf(1_799)), keys.slice(1_800));
});

test("a scan returns batches of at most 1,000 records, and none of them is empty", async (t) => {
  const sizes: number[] = [];
  for await (const batch of records.scan(counters, `${OWNER}/counters/`)) sizes.push(batch.length);
  t.true(sizes.length > 1);
  t.true(sizes.every((size) => size > 0 && size <= 1000));
});

test("a scan continues after a given key, whether or not it exists", async (t) => {
  const idsAfter = async (after: string) =>
    (await Array.fromAsync(records.scan(counters, `${OWNER}/counters/`, after))).flat().map(({ _id }) => _id);
  t.deepEqual(await idsAfter(keyOf(1_799)), keys.slice(1_800));
  t.deepEqual(await idsAfter(`${keyOf(2_297)}-`), keys.slice(2_298));
  t.deepEqual(await idsAfter(keyOf(COUNT - 1)), []);
});

test("a scan of an empty prefix returns no batch", async (t) => {
  t.deepEqual(await Array.fromAsync(records.scan(counters, "t/demo/s/empty/")), []);
});

test("a scan over a prefix that does not end with a slash is refused, since other names may begin with it", async (t) => {
  await t.throwsAsync(async () => Array.fromAsync(records.scan(counters, `${OWNER}/counters`)), { message: /slash/ });
});

test("a scan that is ended early reads no further, and the records can be scanned again", async (t) => {
  for await (const batch of records.scan(counters, `${OWNER}/counters/`)) {
    t.is(batch[0]?._id, keyOf(0));
    break;
  }
  t.is((await readAll(records, counters, `${OWNER}/counters/`)).length, COUNT);
});

test("a call with many keys runs commands of 60 reads or 40 writes, at most two at a time, each after a step", async (t) => {
  const waiting: (() => void)[] = [];
  const stepped = openRecords(database.db, () => new Promise((resolve) => waiting.push(resolve)));
  const countSteps = async <T>(call: Promise<T>): Promise<{ atOnce: number; all: number }> => {
    const steps = { atOnce: 0, all: 0 };
    const ended = call.then(() => true);
    while (!(await Promise.race([ended, setTimeout(5, false)]))) {
      steps.atOnce = Math.max(steps.atOnce, waiting.length);
      steps.all += waiting.length;
      for (const go of waiting.splice(0)) go();
    }
    return steps;
  };
  t.deepEqual(await countSteps(stepped.read(counters, keys)), { atOnce: 2, all: Math.ceil(COUNT / 60) });
  const fresh = Array.from({ length: 1_000 }, (_, index) => `${OWNER}2/counters/fresh-${index}`);
  const proposals = fresh.map((key) => ({ key, current: undefined, body: { count: 1, note: "" } }));
  const written = stepped.compareAndSet(counters, proposals, { writeId: randomUUID(), at: AT });
  t.deepEqual(await countSteps(written), { atOnce: 1, all: 25 });
  t.is((await written).written.length, fresh.length);
});
