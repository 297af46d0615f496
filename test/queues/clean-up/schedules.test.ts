import test from "ava";
import { forgetEmptySchedules, forgetFailedUpdates } from "../../../queues/clean-up/schedules.ts";
import { schedules } from "../../../records/kinds/items.ts";
import { counterCollection } from "../../../records/requests/numbers.ts";
import { chunkKey, itemKey } from "../../../schemas/keys.ts";
import { stampOf } from "../../../schemas/stamp.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const STORE = "t/demo/s/main";
const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const [goesOn, ends] = [async () => true, async () => false].map((goOn) => ({ renew: async () => true, goOn })) as [
  ...[{ renew(): Promise<boolean>; goOn(): Promise<boolean> }, { renew(): Promise<boolean>; goOn(): Promise<boolean> }],
];
const collection = () =>
  world.system.db.collection<{ _id: string; updates: { stamp: number }[]; due?: Date }>(schedules.name);

/** Stores schedules that were last changed on the given day. */
const store = (count: number, name: string, updates: { stamp: number }[], changed: number, more: object = {}) =>
  collection().insertMany(
    Array.from({ length: count }, (_, index) => ({
      ...{ _id: itemKey(STORE, `${name}-${index}`), store: STORE, rev: 1, writeId: "", changedAt: at(changed) },
      ...{ itemId: name, updates, ...more },
    })),
  );
const update = (stamp: number, failedOn?: number) => ({
  ...{ due: at(1), stamp, patch: "{}" },
  ...(failedOn !== undefined && { failed: { at: at(failedOn), errors: ["taken"] } }),
});
const stampsOf = async (name: string) =>
  (await collection().findOne({ _id: itemKey(STORE, `${name}-0`) }))?.updates.map(({ stamp }) => stamp);

test.beforeEach(async () => void (await collection().deleteMany({})));

test.serial(
  "updates that failed before a given time are deleted, and later failures and waiting updates are kept",
  async (t) => {
    await store(1, "mixed", [update(1, 2), update(2, 6), update(3)], 6, { due: at(1) });
    await store(1, "young", [update(1, 6)], 6);
    t.is(await forgetFailedUpdates(world.system, at(5), goesOn), 1);
    t.deepEqual([await stampsOf("mixed"), await stampsOf("young")], [[2, 3], [1]]);
    t.is(await forgetFailedUpdates(world.system, at(5), goesOn), 0);
  },
);

test.serial("many updates are deleted in batches, and the next pass continues when the slice is over", async (t) => {
  await store(1_200, "many", [update(1, 2)], 2);
  t.is(await forgetFailedUpdates(world.system, at(5), ends), 500);
  t.is(await collection().countDocuments({ "updates.failed": { $exists: true } }), 700);
  t.is(await forgetFailedUpdates(world.system, at(5), goesOn), 700);
});

test.serial(
  "a schedule without updates is deleted after a time without changes, and a schedule with updates never is",
  async (t) => {
    await store(1, "empty", [], 2);
    await store(1, "young", [], 6);
    await store(1, "failed", [update(1, 2)], 2);
    await store(1, "waits", [update(1)], 2, { due: at(1) });
    t.is(await forgetEmptySchedules(world.system, at(5), goesOn), 1);
    const left = (await collection().find().toArray()).map(({ _id }) => _id.slice(STORE.length)).toSorted();
    t.deepEqual(left, ["/items/failed-0", "/items/waits-0", "/items/young-0"]);
  },
);

test.serial("a schedule keeps its floor while a request with a smaller number is held", async (t) => {
  const { db } = world.system;
  const journal = db.collection<{ _id: string; store: string; number: number; hold: object }>("journal");
  await counterCollection(db).insertOne({ _id: STORE, number: 9, drawnAt: at(1), settledThrough: 9 });
  await journal.insertOne({ _id: chunkKey(STORE, 3, 0), store: STORE, number: 3, hold: { open: true } });
  await store(1, "deleted", [], 2, { floor: stampOf(5, 0) });
  t.is(await forgetEmptySchedules(world.system, at(5), goesOn), 0);
  await journal.deleteOne({ _id: chunkKey(STORE, 3, 0) });
  t.is(await forgetEmptySchedules(world.system, at(5), goesOn), 1);
});

test.serial(
  "many empty schedules are deleted in batches, and the next pass continues when the slice is over",
  async (t) => {
    await store(1_200, "many", [], 2);
    const first = await forgetEmptySchedules(world.system, at(5), ends);
    t.is(first, 500);
    t.is(await collection().countDocuments(), 700);
    t.is(await forgetEmptySchedules(world.system, at(5), goesOn), 700);
  },
);
