import test from "ava";
import { createEnqueueLostChunks } from "../../../queues/requests/enqueue-lost-chunks.ts";
import { items, schedules, sics } from "../../../records/kinds/items.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import { itemKey, sicKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { RESULT_TTL } from "../../harness/system.ts";
import { ago, cleanUpOf, DAY_MS, NOW, STORE, TENANT } from "./a-clean-up.ts";

const world = ownSystem();
const { runCleanUp, set, request } = cleanUpOf(world);
test.beforeEach(() => world.system.db.collection("lease").deleteMany({}));

test.serial("requests applied longer than RESULT_TTL ago are deleted, and later ones are kept", async (t) => {
  const old = await request("old", RESULT_TTL * 1_000 + 1);
  const young = await request("young", RESULT_TTL * 1_000);
  const waiting = await request("waiting", undefined);
  await runCleanUp();
  t.deepEqual([await old(), await young(), await waiting()], [0, 2, 2]);
});

test.serial("an open request is kept, whatever its age", async (t) => {
  const waiting = await request("very-old", undefined);
  await runCleanUp(() => new Date("2100-01-01"));
  t.is(await waiting(), 2);
});

const scheduleOf = async (name: string) => (await world.system.records.read(schedules, [itemKey(STORE, name)])).size;
const pendingOf = async (name: string) =>
  (await world.system.records.read(schedules, [itemKey(STORE, name)])).get(itemKey(STORE, name))?.updates.length;

test.serial("a failed scheduled update is deleted after RESULT_TTL, and a waiting one is kept", async (t) => {
  const update = (stamp: number) => ({ due: NOW, stamp, patch: "{}" });
  const failed = { at: NOW, errors: ["taken"] };
  const updates = [{ ...update(1), failed }, update(2)];
  await set(schedules, itemKey(STORE, "failed"), { itemId: "failed", updates, due: NOW });
  await runCleanUp(ago(-RESULT_TTL * 1_000));
  t.is(await pendingOf("failed"), 2);
  await runCleanUp(ago(-RESULT_TTL * 1_000 - DAY_MS));
  t.is(await pendingOf("failed"), 1);
});

test.serial(
  "a schedule without updates is deleted only after a day, since its floor is needed until then",
  async (t) => {
    const now = Date.now();
    await set(schedules, itemKey(STORE, "empty"), { itemId: "empty", updates: [], floor: 7 });
    await runCleanUp(() => new Date(now + DAY_MS - 60_000));
    t.is(await scheduleOf("empty"), 1);
    await runCleanUp(() => new Date(now + 2 * DAY_MS));
    t.is(await scheduleOf("empty"), 0);
  },
);

test.serial("expired records are deleted in batches, and later passes delete the rest", async (t) => {
  const keys = world.system.db.collection<{ _id: string; takenAt: Date }>("idempotencykey");
  await keys.insertMany(Array.from({ length: 2_500 }, (_, index) => ({ _id: `expired-${index}`, takenAt: ago(2)() })));
  const left = () => keys.countDocuments({ takenAt: { $lt: ago(1)() } });
  t.is(await world.system.idempotencyKeys.forget(ago(1)(), async () => false), 1_000);
  t.is(await left(), 1_500);
  t.is(await world.system.idempotencyKeys.forget(ago(1)(), async () => true), 1_500);
  t.is(await left(), 0);
});

test.serial("a refused request is deleted after RESULT_TTL, and an open one of the same age is kept", async (t) => {
  const [refused, open] = [await request("refused", undefined), await request("not-refused", undefined)];
  await journalCollection(world.system.db).updateMany({ store: `${TENANT}/s/refused` }, { $set: { validFor: -1 } });
  // Closes void requests.
  await createEnqueueLostChunks(world.system)();
  await runCleanUp(() => new Date("2100-01-01"));
  t.deepEqual([await refused(), await open()], [0, 2]);
});

test.serial(
  "a deleted item and the assignment of a code that its item no longer lists are deleted a day later",
  async (t) => {
    const key = itemKey(STORE, "deleted");
    const item = {
      itemId: "deleted",
      sics: [],
      properties: [],
      stamps: {},
      created: 0,
      floor: 0,
      deleted: true as const,
    };
    const now = Date.now();
    await set(items, key, item);
    await set(sics, sicKey(STORE, "of-deleted"), { itemId: "deleted", stamp: 0 });
    const left = async () => [
      (await world.system.records.readRevs(items, [key])).size,
      (await world.system.records.readRevs(sics, [sicKey(STORE, "of-deleted")])).size,
    ];
    await runCleanUp(() => new Date(now + DAY_MS - 60_000));
    t.deepEqual(await left(), [1, 1]);
    await runCleanUp(() => new Date(now + 2 * DAY_MS));
    t.deepEqual(await left(), [0, 0]);
  },
);
