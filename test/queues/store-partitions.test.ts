import test from "ava";
import { joined, openPartitions, type Partition, partitionsOf } from "../../queues/store-partitions.ts";
import { EVERY_KEY } from "../../schemas/keys.ts";
import { ownDatabase } from "../harness/own.ts";

const database = ownDatabase();
const LEASE_MS = 6_000;
const storesOf = (count: number) => Array.from({ length: count }, (_, index) => `t/demo/s/${index}`);
const isIn = (key: string) => (partition: Partition) => key >= partition.$gte && key < partition.$lt;
const startsOf = (partitions: readonly Partition[]) => partitions.map(({ $gte }) => $gte);

test.serial("partitions cover all keys from the first to the last without gaps, and there are at most 64", (t) => {
  for (const count of [0, 1, 10, 2_000]) {
    const partitions = partitionsOf(storesOf(count));
    t.is(partitions.length, Math.min(count + 1, 64));
    t.deepEqual(joined(partitions), [EVERY_KEY]);
  }
});

test.serial("all keys of a store are in one partition, as are a tenant's own keys", (t) => {
  const stores = ["t/demo/s/1", "t/demo/s/1-b", "t/demo/s/10", "t/demo/s/2"];
  const partitions = partitionsOf(stores);
  for (const owner of [...stores.map((store) => `${store}/items`), "t/demo/images"])
    t.deepEqual(partitions.findIndex(isIn(`${owner}/ `)), partitions.findIndex(isIn(`${owner}/~`)), owner);
});

test.serial("an additional store adds at most one bound and removes at most one", (t) => {
  const stores = storesOf(200);
  for (const further of ["t/a/s/first", "t/demo/s/100-b", "t/z/s/last"]) {
    const [before, after] = [partitionsOf(stores), partitionsOf([...stores, further])].map(startsOf);
    t.true(new Set(after).difference(new Set(before)).size <= 1, further);
    t.true(new Set(before).difference(new Set(after)).size <= 1, further);
  }
});

test.serial("only neighbouring partitions are joined", (t) => {
  const [a, b, c, d] = [
    { $gte: "a", $lt: "b" },
    { $gte: "b", $lt: "c" },
    { $gte: "c", $lt: "d" },
    { $gte: "d", $lt: "e" },
  ];
  t.deepEqual(joined([a, b, d]), [{ $gte: "a", $lt: "c" }, d]);
  t.deepEqual(joined([a, c]), [a, c]);
  t.deepEqual(joined([]), []);
});

/** Processes that share work, with clocks that the test sets. */
function processes() {
  const set = { clock: 0, now: Date.parse("2026-03-10T08:00:00Z") };
  return {
    pass(ms: number) {
      set.clock += ms;
      set.now += ms;
    },
    start: (holder: string, aheadMs = 0) =>
      openPartitions({
        db: database.db,
        holder,
        now: () => new Date(set.now + aheadMs),
        clock: () => set.clock,
      }),
  };
}

test.beforeEach(async () => {
  await database.db.collection("lease").deleteMany({});
  await database.db.collection("store").deleteMany({});
  await database.db.collection<{ _id: string }>("store").insertMany(storesOf(100).map((_id) => ({ _id })));
});

test.serial("a single process does all work", async (t) => {
  t.deepEqual(joined(await processes().start("alone").own("schedules")), [EVERY_KEY]);
});

test.serial(
  "processes share work: each partition belongs to one process, and each process has some partitions",
  async (t) => {
    const { start, pass } = processes();
    const [first, second] = [start("first"), start("second")];
    await first.own("schedules");
    await second.own("schedules");
    pass(2_000);
    const [ofFirst, ofSecond] = [await first.own("schedules"), await second.own("schedules")];
    t.true(ofFirst.length > 10 && ofSecond.length > 10, `${ofFirst.length} and ${ofSecond.length}`);
    t.deepEqual(startsOf([...ofFirst, ...ofSecond]).toSorted(), startsOf(await first.all()));
    t.deepEqual(joined(await first.own("labels")), [EVERY_KEY], "the other process does not take part in this work");
  },
);

for (const [what, aheadMs] of [
  ["", 0],
  [", even with a fast clock", 3_600_000],
] as const)
  test.serial(`a killed process's partitions are taken over within its lease${what}`, async (t) => {
    const { start, pass } = processes();
    const [killed, other] = [start("killed", aheadMs), start("other")];
    await killed.own("schedules");
    const share = (await other.own("schedules")).length;
    t.true(share < (await other.all()).length);
    pass(LEASE_MS - 1);
    t.is((await other.own("schedules")).length, share, "the killed process may still be working");
    pass(2_001);
    t.deepEqual(joined(await other.own("schedules")), [EVERY_KEY]);
  });
