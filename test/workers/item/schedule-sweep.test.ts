import test from "ava";
import { openPartitions, type Partitions } from "../../../queues/store-partitions.ts";
import { allKinds } from "../../../records/all-kinds.ts";
import { indexesOf } from "../../../records/indexes.ts";
import { schedules } from "../../../records/kinds/items.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import { counterCollection, drawNumbers } from "../../../records/requests/numbers.ts";
import { EVERY_KEY, itemKey } from "../../../schemas/keys.ts";
import { servedBy } from "../../../scripts/develop/queries/served-by.ts";
import { reasonWithout } from "../../../scripts/develop/queries/without-index.ts";
import { createScheduleSweep, MAX_STORES_PER_PASS } from "../../../workers/item/schedule-sweep.ts";
import { createSchedules } from "../../../workers/item/schedules.ts";
import { shapesOf } from "../../harness/databases/query-recorder.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();

const DUE = new Date("2026-03-10T06:00:00Z");
const BEFORE = new Date(DUE.getTime() - 1);
const storesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `t/${name}/s/${String(index).padStart(4, "0")}`);

/** Schedules one update of each item in each of these stores. */
async function schedule(stores: readonly string[], itemIds: readonly string[], due = DUE): Promise<void> {
  const keys = stores.flatMap((store) => itemIds.map((itemId) => itemKey(store, itemId)));
  const updates = [{ due, stamp: 1, patch: "{}" }];
  await world.system.commit.change(schedules, keys, (key) => ({ itemId: key, updates, due }), "bulk");
}

/** Creates a sweep at a given time, by a process with these partitions (all by default). */
function sweepAt(time: Date, own: Partitions["own"] = async () => [EVERY_KEY]): () => Promise<void> {
  return createScheduleSweep({ ...world.system, partitions: { own }, now: () => time });
}

/** The number of requests that apply due updates, for each of a tenant's stores. */
async function requestsOf(tenant: string): Promise<Map<string, number>> {
  const chunks = await journalCollection(world.system.db).find({ operation: "apply-scheduled" }).toArray();
  const own = chunks.map(({ store }) => store).filter((store) => store.startsWith(`t/${tenant}/`));
  return new Map([...Map.groupBy(own, (store) => store)].map(([store, found]) => [store, found.length]));
}

test.beforeEach(() => world.system.db.collection(schedules.name).deleteMany({}));

test.serial("a store with due updates gets one request, however many are due, and other stores get none", async (t) => {
  await schedule(["t/due/s/one", "t/due/s/two"], ["a", "b", "c"]);
  await schedule(["t/due/s/later"], ["a"], new Date(DUE.getTime() + 1));
  await sweepAt(BEFORE)();
  t.is((await requestsOf("due")).size, 0);
  await sweepAt(DUE)();
  t.deepEqual([...(await requestsOf("due"))].sort(), [
    ["t/due/s/one", 1],
    ["t/due/s/two", 1],
  ]);
});

test.serial("a pass handles a limited number of stores, and the next pass continues after them", async (t) => {
  await schedule(storesOf("many", MAX_STORES_PER_PASS + 5), ["a"]);
  const sweep = sweepAt(DUE);
  await sweep();
  t.is((await requestsOf("many")).size, MAX_STORES_PER_PASS);
  await sweep();
  const requests = await requestsOf("many");
  t.is(requests.size, MAX_STORES_PER_PASS + 5, "stores whose requests still wait do not delay other stores");
  t.deepEqual(new Set(requests.values()), new Set([1]));
  await sweep();
  t.deepEqual(new Set((await requestsOf("many")).values()), new Set([1]), "these stores get no second request");
});

test.serial("a store that was removed and created again gets a request for its due updates", async (t) => {
  const [store = ""] = storesOf("again", 1);
  await drawNumbers(world.system.db, store, 5);
  await schedule([store], ["a"]);
  const sweep = sweepAt(DUE);
  await sweep();
  t.is((await requestsOf("again")).get(store), 1);
  await counterCollection(world.system.db).deleteOne({ _id: store });
  await journalCollection(world.system.db).deleteMany({ store });
  await sweep();
  t.is((await requestsOf("again")).get(store), 1, "the request of the new store");
  await sweep();
  t.is((await requestsOf("again")).get(store), 1, "not a second one while the first waits");
});

test.serial(
  "two processes share the stores; when one is killed the other takes over, and each store is served once",
  async (t) => {
    const stores = storesOf("shared", 40);
    await world.system.db.collection<{ _id: string }>("store").insertMany(stores.map((_id) => ({ _id })));
    const set = { clock: 0 };
    const processOf = (holder: string) =>
      openPartitions({ db: world.system.db, holder, now: () => new Date(set.clock), clock: () => set.clock });
    const [killed, other] = [processOf("killed"), processOf("other")];
    await killed.own("schedules");
    await other.own("schedules");
    await schedule(stores, ["a"]);
    const sweepOfOther = sweepAt(DUE, other.own);
    await sweepOfOther();
    const served = (await requestsOf("shared")).size;
    t.true(served > 0 && served < stores.length, `${served} of ${stores.length}`);
    set.clock += 10_000;
    await sweepOfOther();
    t.deepEqual([...(await requestsOf("shared"))].sort(), stores.map((store) => [store, 1] as const).toSorted());
  },
);

test.serial(
  "the due updates of one store, the due updates of all stores and the next due time are found by an index",
  async (t) => {
    await schedule(["t/shape/s/one"], ["a"]);
    const { db, records, commit } = world.system;
    const shapes = await shapesOf(async () => {
      await sweepAt(DUE)();
      await createSchedules(db, records, commit).findDue("t/shape/s/one", DUE);
    });
    const asked = shapes.filter(({ collection }) => collection === schedules.name);
    const indexes = indexesOf(await allKinds());
    t.deepEqual(
      asked.filter((shape) => servedBy(shape, indexes) === undefined && reasonWithout(shape) === undefined),
      [],
    );
    t.true(
      asked.some(({ where }) => where.store === "one" && where.due === "range"),
      "the updates of one store",
    );
  },
);

test.serial("the rows of all due updates are never in memory together", async (t) => {
  await schedule(["t/rows/s/one"], ["a"]);
  const { db, records, commit } = world.system;
  const [due] = await createSchedules(db, records, commit).findDue("t/rows/s/one", DUE);
  t.deepEqual(due?.updates, [{ due: DUE, stamp: 1 }]);
});
