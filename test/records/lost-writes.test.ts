import { randomUUID } from "node:crypto";
import test from "ava";
import { createCommit } from "../../queues/commit.ts";
import type { Stored } from "../../records/kind.ts";
import { openRecords, type Proposal, type Records, type Write } from "../../records/records.ts";
import { openUnpublished } from "../../records/unpublished.ts";
import { type Counter, counters, openADatabase } from "./a-database.ts";

let database: Awaited<ReturnType<typeof openADatabase>>;
let records: Records;
test.before(async () => {
  database = await openADatabase();
  records = openRecords(database.db);
});
test.after.always(() => database.close());

const AT = new Date("2026-03-01T08:00:00.123Z");
const writeAt = (): Write => ({ writeId: randomUUID(), at: AT });

/** Keys in a store of the test's own, in their order. */
const keysIn = (store: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `t/demo/s/${store}/counters/${String(place).padStart(5, "0")}`);

const insert = (keys: readonly string[], count = 0): Proposal<Counter>[] =>
  keys.map((key) => ({ key, current: undefined, body: { count } }));

async function make(keys: readonly string[], count = 0): Promise<Map<string, Stored<Counter>>> {
  const { written } = await records.compareAndSet(counters, insert(keys, count), writeAt());
  return new Map(written.map((record) => [record._id, record]));
}

test("an insert loses to a record that is there, and leaves it as it is", async (t) => {
  const [taken = "", free = ""] = keysIn("taken", 2);
  const before = await make([taken], 5);
  const { written, lost } = await records.compareAndSet(counters, insert([taken, free], 9), writeAt());
  t.deepEqual(lost, [taken]);
  t.deepEqual(
    written.map(({ _id, count }) => [_id, count]),
    [[free, 9]],
  );
  t.deepEqual((await records.read(counters, [taken])).get(taken), before.get(taken));
});

test("two writers who both make the same 200 keys lose no update", async (t) => {
  const keys = keysIn("contended", 200);
  const commit = createCommit({
    records,
    unpublished: openUnpublished(database.db),
    publisher: { publish: async () => true },
    now: () => AT,
  });
  const count = (_: string, current: Counter | undefined): Counter => ({ count: (current?.count ?? 0) + 1 });
  const rounds = 6;
  const write = async (): Promise<Map<string, number>> => {
    const times = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      for (const key of (await commit.change(counters, keys, count, "bulk")).keys())
        times.set(key, (times.get(key) ?? 0) + 1);
    }
    return times;
  };
  const writers = await Promise.all([write(), write()]);
  const present = await records.read(counters, keys);
  for (const key of keys) {
    t.is(present.get(key)?.count, 2 * rounds);
    t.is(present.get(key)?.rev, AT.getTime() + 2 * rounds - 1);
    t.is(
      writers.reduce((sum, times) => sum + (times.get(key) ?? 0), 0),
      2 * rounds,
    );
  }
});
