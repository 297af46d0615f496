import { randomUUID } from "node:crypto";
import test from "ava";
import fc from "fast-check";
import { type Listing, listRecords } from "../../records/list-records.ts";
import { openRecords, type Records } from "../../records/records.ts";
import { type Counter, counters, openADatabase } from "../harness/databases/database.ts";

const OWNER = "t/demo/s/main";
const PREFIX = `${OWNER}/counters/`;
const AT = new Date("2026-03-01T08:00:00Z");
const COUNT = 60;

let database: Awaited<ReturnType<typeof openADatabase>>;
let records: Records;

const keyOf = (index: number): string => `${PREFIX}${String(index).padStart(3, "0")}`;
const keys = Array.from({ length: COUNT }, (_, index) => keyOf(index));
/** Keys that resemble the prefix but are not under it. */
const neighbours = [`${OWNER}/counters`, `${OWNER}/counter/1`, `${OWNER}/counters-too/1`, `${OWNER}2/counters/1`];

const insert = (bodies: Record<string, Counter>) =>
  records.compareAndSet(
    counters,
    Object.entries(bodies).map(([key, body]) => ({ key, current: undefined, body })),
    { writeId: randomUUID(), at: AT },
  );

test.before(async () => {
  database = await openADatabase();
  records = openRecords(database.db);
  const all = [...keys, ...neighbours].toReversed();
  await insert(Object.fromEntries(all.map((key) => [key, { count: keys.indexOf(key) % 3, note: `of ${key}` }])));
});
test.after.always(() => database.close());

const batchesOf = (listing: Partial<Listing>) =>
  Array.fromAsync(listRecords(database.db, counters, { prefix: PREFIX, ...listing }));
const keysOf = async (listing: Partial<Listing>) => (await batchesOf(listing)).flat().map(({ _id }) => _id);

test("every record under the prefix is listed once, in key order, and no other", async (t) => {
  t.deepEqual(await keysOf({}), keys);
  t.deepEqual(await keysOf({ descending: true }), keys.toReversed());
});

test("any part, in batches of any size and in either direction, matches that part of the whole list", async (t) => {
  const numbers = fc.record({
    start: fc.nat({ max: COUNT + 5 }),
    limit: fc.integer({ min: 1, max: COUNT + 5 }),
    batchSize: fc.integer({ min: 1, max: 25 }),
    descending: fc.boolean(),
    // Two thirds of the records, or all of them.
    filter: fc.constantFrom(undefined, { count: { $in: [0, 2] } }),
  });
  await fc.assert(
    fc.asyncProperty(numbers, async (listing) => {
      const { start, limit, batchSize, descending, filter } = listing;
      const matching = keys.filter((_, index) => filter === undefined || index % 3 !== 1);
      const batches = await batchesOf(listing);
      t.true(batches.every(({ length }) => length > 0 && length <= batchSize));
      t.deepEqual(
        batches.flat().map(({ _id }) => _id),
        (descending ? matching.toReversed() : matching).slice(start, start + limit),
      );
    }),
    { numRuns: 40 },
  );
});

test("only the named fields are read, with key and rev; without a list the whole record is read", async (t) => {
  const [[part] = []] = await batchesOf({ fields: ["count"], limit: 1 });
  t.deepEqual(part as object, { _id: keyOf(0), rev: AT.getTime(), count: 0 });
  const [[whole] = []] = await batchesOf({ limit: 1 });
  t.deepEqual(whole, (await records.read(counters, [keyOf(0)])).get(keyOf(0)));
});

test("a record added during the listing does not break the order, and no record is returned twice", async (t) => {
  const listed: string[] = [];
  for await (const batch of listRecords(database.db, counters, { prefix: `${OWNER}/growing/`, batchSize: 2 })) {
    listed.push(...batch.map(({ _id }) => _id));
  }
  t.deepEqual(listed, []);
  const grown = (name: string) => `${OWNER}/growing/${name}`;
  await insert({ [grown("b")]: { count: 1 }, [grown("d")]: { count: 1 }, [grown("f")]: { count: 1 } });
  for await (const batch of listRecords(database.db, counters, { prefix: `${OWNER}/growing/`, batchSize: 2 })) {
    if (listed.length === 0) await insert({ [grown("a")]: { count: 1 }, [grown("e")]: { count: 1 } });
    listed.push(...batch.map(({ _id }) => _id));
  }
  t.deepEqual(listed, ["b", "d", "e", "f"].map(grown));
});

test("a prefix that does not end with a slash is refused, since other names may begin with it", async (t) => {
  await t.throwsAsync(batchesOf({ prefix: `${OWNER}/counters` }), { message: /slash/ });
});
