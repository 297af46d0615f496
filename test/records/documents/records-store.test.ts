import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { createCommit } from "../../../queues/changes/commit.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import { openRecords, type Proposal, type Records, type Write } from "../../../records/records.ts";
import type { Stored } from "../../../schemas/record.ts";
import { type Counter, counters } from "../../harness/databases/database.ts";
import { ownDatabase } from "../../harness/own.ts";

const database = ownDatabase();
let records: Records;
test.before(async () => {
  records = openRecords(database.db);
});

const AT = new Date("2026-03-01T08:00:00.123Z");
const writeAt = (at = AT): Write => ({ writeId: randomUUID(), at });
const after = (ms: number): Date => new Date(AT.getTime() + ms);

/** Sorted keys in a store created by the test. */
const keysIn = (store: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `t/demo/s/${store}/counters/${String(index).padStart(5, "0")}`);

const insert = (keys: readonly string[], count = 0): Proposal<Counter>[] =>
  keys.map((key) => ({ key, current: undefined, body: { count } }));
const raise = (present: Iterable<Stored<Counter>>): Proposal<Counter>[] =>
  Array.from(present, (current) => ({ key: current._id, current, body: { count: current.count + 1 } }));

async function make(keys: readonly string[], count = 0): Promise<Map<string, Stored<Counter>>> {
  const { written } = await records.compareAndSet(counters, insert(keys, count), writeAt());
  return new Map(written.map((record) => [record._id, record]));
}

test("a record's rev is the time of its write", async (t) => {
  const keys = keysIn("revs", 3);
  await make(keys);
  for (const change of [1, 2, 3]) {
    const present = await records.read(counters, keys);
    await records.compareAndSet(counters, raise(present.values()), writeAt(after(60_000 * change)));
    t.deepEqual([...(await records.readRevs(counters, keys)).values()], Array(3).fill(AT.getTime() + 60_000 * change));
  }
});

test("a record has its owner, its write's ID and the time", async (t) => {
  const [key = ""] = keysIn("envelope", 1);
  const write = writeAt();
  const proposals = [{ key, current: undefined, body: { count: 7 }, inputs: ["testcounter other#1"] }];
  const { written } = await records.compareAndSet(counters, proposals, write);
  const envelope = { _id: key, store: "t/demo/s/envelope", rev: AT.getTime(), writeId: write.writeId, changedAt: AT };
  t.deepEqual(written, [{ ...envelope, count: 7, inputs: ["testcounter other#1"] }]);
  t.deepEqual((await records.read(counters, [key])).get(key), written[0]);
});

test("a write replaces the whole record: a field that the new body lacks is removed", async (t) => {
  const [key = ""] = keysIn("replaced", 1);
  const noted = [{ key, current: undefined, body: { count: 1, note: "first" } }];
  const { written } = await records.compareAndSet(counters, noted, writeAt());
  await records.compareAndSet(counters, raise(written), writeAt());
  t.false("note" in ((await records.read(counters, [key])).get(key) ?? { note: "" }));
});

test("a proposal with a stale rev loses, is reported and changes nothing, and all other proposals win", async (t) => {
  const keys = keysIn("stale", 4);
  const stale = await make(keys);
  const [first = "", , third = ""] = keys;
  await records.compareAndSet(
    counters,
    raise([...stale.values()].filter(({ _id }) => _id === first || _id === third)),
    writeAt(),
  );
  const write = writeAt();
  const { written, lost } = await records.compareAndSet(
    counters,
    raise(stale.values()).map((proposal) => ({ ...proposal, body: { count: 100 } })),
    write,
  );
  t.deepEqual(lost, [first, third]);
  t.deepEqual(
    written.map(({ _id }) => _id),
    [keys[1], keys[3]],
  );
  t.true(written.every(({ writeId }) => writeId.startsWith(write.writeId)));
  const present = await records.read(counters, keys);
  t.deepEqual(
    keys.map((key) => present.get(key)?.count),
    [1, 100, 1, 100],
  );
});

test("a change loses to a removal and does not create the record again", async (t) => {
  const [key = ""] = keysIn("gone", 1);
  const stale = await make([key]);
  await records.remove(counters, [{ key, rev: AT.getTime() }]);
  const { written, lost } = await records.compareAndSet(counters, raise(stale.values()), writeAt());
  t.deepEqual([written, lost], [[], [key]]);
  t.is((await records.read(counters, [key])).size, 0);
});

test("each of 1,600 inserts and changes in one batch wins or loses individually, including stale ones", async (t) => {
  const keys = keysIn("mixed", 1_600);
  const every = (rest: number) => keys.filter((_, index) => index % 4 === rest);
  const present = await make([...every(0), ...every(1)]);
  // Another writer first changes some of the records, and inserts some that do not exist yet.
  await records.compareAndSet(counters, raise(every(1).flatMap((key) => present.get(key) ?? [])), writeAt());
  await make(every(3), 1);
  const proposals = keys.map((key) => ({ key, current: present.get(key), body: { count: 50 } }));
  const { written, lost } = await records.compareAndSet(counters, proposals, writeAt());
  const won = (index: number) => index % 2 === 0;
  t.deepEqual(
    lost,
    keys.filter((_, index) => !won(index)),
  );
  t.deepEqual(
    written.map(({ _id }) => _id),
    keys.filter((_, index) => won(index)),
  );
  const now = await records.read(counters, keys);
  t.true(keys.every((key, index) => now.get(key)?.count === (won(index) ? 50 : 1)));
});

test("without proposals nothing is written", async (t) => {
  t.deepEqual(await records.compareAndSet(counters, [], writeAt()), { written: [], lost: [] });
  t.is((await records.read(counters, [])).size, 0);
  await t.notThrowsAsync(records.remove(counters, []));
});

test("the revs of a key do not repeat after its removal", async (t) => {
  const [key = ""] = keysIn("reborn", 1);
  const seen: number[] = [];
  for (const life of [0, 1, 2]) {
    await records.compareAndSet(counters, insert([key]), writeAt(after(life * 1000)));
    for (let change = 0; change < 5; change += 1) {
      const present = await records.read(counters, [key]);
      seen.push(present.get(key)?.rev ?? 0);
      await records.compareAndSet(counters, raise(present.values()), writeAt(after(life * 1000)));
    }
    const rev = (await records.readRevs(counters, [key])).get(key) ?? 0;
    seen.push(rev);
    await records.remove(counters, [{ key, rev }]);
  }
  t.is(new Set(seen).size, 18);
  t.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  );
});

test("a change decided before a removal loses to the record created after the removal", async (t) => {
  const [key = ""] = keysIn("second-life", 1);
  const stale = await make([key]);
  await records.remove(counters, [{ key, rev: AT.getTime() }]);
  await records.compareAndSet(counters, insert([key], 42), writeAt(after(1)));
  t.deepEqual((await records.compareAndSet(counters, raise(stale.values()), writeAt())).lost, [key]);
  t.is((await records.read(counters, [key])).get(key)?.count, 42);
});

test("a record is removed only at the rev that was read", async (t) => {
  const [first = "", second = ""] = keysIn("removed", 2);
  const before = await make([first, second]);
  await records.compareAndSet(counters, raise([...before.values()].slice(0, 1)), writeAt());
  await records.remove(
    counters,
    [first, second].map((key) => ({ key, rev: AT.getTime() })),
  );
  t.deepEqual([...(await records.readRevs(counters, [first, second])).keys()], [first]);
});

/** Two writers that each raise the counts of the same keys in six rounds; no update may be lost. */
async function raceTwoWriters(t: ExecutionContext, keys: readonly string[], firstRev: number): Promise<void> {
  const commit = createCommit({
    records,
    outbox: openOutbox(database.db),
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
    t.is(present.get(key)?.rev, firstRev + 2 * rounds - 1);
    t.is(
      writers.reduce((sum, times) => sum + (times.get(key) ?? 0), 0),
      2 * rounds,
    );
  }
}

test("two writers of the same 200 records lose no update", async (t) => {
  const keys = keysIn("contended", 200);
  await make(keys);
  await raceTwoWriters(t, keys, AT.getTime() + 1);
});

test("an insert loses to an existing record and leaves it unchanged", async (t) => {
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

for (const times of [1, 2, 3])
  test(`a write changed by others ${times} times before its result is read has won, even if another write of its batch lost`, async (t) => {
    const [taken = "", made = "", free = ""] = keysIn(`overtaken-${times}`, 3);
    const [stale, present] = [await make([taken], 5), await make([made], 1)];
    await records.compareAndSet(counters, raise(stale.values()), writeAt());
    const raiseAgain = async () =>
      records.compareAndSet(counters, raise((await records.read(counters, [made, free])).values()), writeAt());
    let steps = 0;
    const slow = openRecords(database.db, async () => {
      steps += 1;
      // Changes the records between the response to the batch and the read that shows whose write each record has.
      if (steps === 2) for (let time = 0; time < times; time += 1) await raiseAgain();
    });
    const proposals = [...raise([...stale.values(), ...present.values()]), ...insert([free], 9)];
    const { written, lost } = await slow.compareAndSet(counters, proposals, writeAt());
    t.deepEqual([written.map(({ _id }) => _id), lost], [[made, free], [taken]]);
    const now = await records.read(counters, [made, free]);
    t.deepEqual([now.get(made)?.count, now.get(free)?.count], [2 + times, 9 + times]);
  });

test("two writers that insert the same 200 keys lose no update", async (t) => {
  await raceTwoWriters(t, keysIn("contended-inserts", 200), AT.getTime());
});
