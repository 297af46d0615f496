import { randomUUID } from "node:crypto";
import test from "ava";
import { listRecords } from "../../../records/list-records.ts";
import { openRecords } from "../../../records/records.ts";
import { counters, openADatabase } from "../../harness/databases/database.ts";

const PREFIX = "t/demo/s/main/counters/";
const keys = Array.from({ length: 12 }, (_, index) => `${PREFIX}${index + 10}`);
const NOTE = "x".repeat(2 * 2 ** 20);

test("records that together exceed a 16 MiB response are all read, scanned and listed", async (t) => {
  const { db, close } = await openADatabase();
  t.teardown(close);
  const records = openRecords(db);
  for (const [count, key] of keys.entries()) {
    const proposal = { key, current: undefined, body: { count, note: NOTE } };
    await records.compareAndSet(counters, [proposal], { writeId: randomUUID(), at: new Date() });
  }
  const read = await records.read(counters, keys);
  t.deepEqual([...read.keys()].sort(), keys);
  const parts = await Array.fromAsync(records.readInParts(counters, [...keys, ...keys, `${PREFIX}none`]));
  t.deepEqual(
    parts
      .flat()
      .map(({ _id }) => _id)
      .sort(),
    keys,
  );
  const notes = await records.readFields(counters, keys, ["note"]);
  t.true([...notes.values()].every((record) => record.note === NOTE && !("count" in record)));
  t.is(notes.size, keys.length);
  const scanned = await Array.fromAsync(records.scan(counters, PREFIX));
  t.deepEqual(
    scanned.flat().map(({ _id }) => _id),
    keys,
  );

  const listed = (await Array.fromAsync(listRecords(db, counters, { prefix: PREFIX }))).flat();
  t.deepEqual(
    listed.map(({ count }) => count),
    [...keys.keys()],
  );
});
