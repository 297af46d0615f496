import test from "ava";
import { rowErrors, rowNotice } from "../../../../schemas/row-notice.ts";
import { numberOf, stampOf } from "../../../../schemas/stamp.ts";
import { createWorld } from "../world.ts";

const LATER = "2026-03-01 10:00:00";
const MUCH_LATER = "2026-03-01 11:00:00";

/** A world whose requests are accepted before the due times. */
function createMorning(overrides: Parameters<typeof createWorld>[0] = {}) {
  const world = createWorld(overrides);
  world.acceptAt("2026-03-01 09:00:00");
  return world;
}

test("a scheduled row returns SUCCESS when it is stored, and changes nothing yet", async (t) => {
  const { patch, itemOf, scheduleOf } = createMorning();
  await patch(1, { itemId: "milk", price: "2" });
  t.deepEqual(await patch(2, { itemId: "milk", price: "1", validFrom: LATER }), [
    { itemId: "milk", status: "SUCCESS", errors: [] },
  ]);
  t.is(itemOf("milk")?.price, "2");
  t.deepEqual(scheduleOf("milk")?.due, new Date("2026-03-01T10:00:00Z"));
});

test("a row for a time in the past or for the time of its acceptance is applied immediately", async (t) => {
  const { patch, itemOf, scheduleOf } = createMorning();
  await patch(1, { itemId: "milk", price: "1", validFrom: "2026-03-01 09:00:00" });
  t.is(itemOf("milk")?.price, "1");
  t.is(scheduleOf("milk"), undefined);
});

test("scheduled and immediate rows each have their result, in order", async (t) => {
  const { patch, itemOf } = createMorning();
  const outcomes = await patch(
    1,
    { itemId: "milk", price: "1", validFrom: LATER },
    { itemId: "milk", price: "2" },
    { itemId: "bread", validFrom: LATER },
    { itemId: "milk", itemName: "Milk" },
  );
  t.deepEqual(
    outcomes.map(({ itemId, status }) => [itemId, status]),
    [
      ["milk", "SUCCESS"],
      ["milk", "SUCCESS_NEW_ITEM"],
      ["bread", "SUCCESS"],
      ["milk", "SUCCESS"],
    ],
  );
  t.like(itemOf("milk"), { price: "2", itemName: "Milk" });
  t.is(itemOf("bread"), undefined, "an item that only a scheduled row will create does not exist before then");
});

test("an update is applied at its time as the newest write, and is then no longer pending", async (t) => {
  const { patch, applyDue, itemOf, scheduleOf } = createMorning();
  await patch(1, { itemId: "milk", price: "1", validFrom: LATER });
  await patch(2, { itemId: "milk", price: "2", itemName: "Milk" });
  t.deepEqual(await applyDue(3, LATER), [{ itemId: "milk", status: "SUCCESS", errors: [] }]);
  t.like(itemOf("milk"), { price: "1", itemName: "Milk" });
  t.is(numberOf(itemOf("milk")?.stamps.price ?? 0), 3);
  t.deepEqual(scheduleOf("milk"), { itemId: "milk", updates: [], floor: stampOf(3, 0) });
});

test("a request accepted after an update took effect wins, even if the request is applied before the update", async (t) => {
  const { patch, applyDue, itemOf } = createMorning();
  await patch(1, { itemId: "milk", price: "1", itemName: "Milk", validFrom: LATER });
  await patch(4, { itemId: "milk", price: "4" });
  await applyDue(3, LATER);
  t.like(itemOf("milk"), { price: "4", itemName: "Milk" });
});

test("updates for the same time merge field by field, in the order of the requests", async (t) => {
  const { patch, applyDue, itemOf } = createMorning();
  await patch(1, { itemId: "milk", price: "1", itemName: "Milk", properties: { a: "1", b: "1" }, validFrom: LATER });
  await patch(2, { itemId: "milk", price: "2", properties: { b: "2" }, validFrom: LATER });
  await applyDue(3, LATER);
  const { price, itemName, properties } = itemOf("milk") ?? {};
  t.deepEqual([price, itemName], ["2", "Milk"]);
  t.deepEqual(
    properties?.map(({ key, value }) => key + value),
    ["a1", "b2"],
  );
});

test("of several due times, the latest wins, whichever was requested first", async (t) => {
  const { patch, applyDue, itemOf } = createMorning();
  await patch(1, { itemId: "milk", price: "later", validFrom: MUCH_LATER });
  await patch(2, { itemId: "milk", price: "sooner", validFrom: LATER });
  await applyDue(3, MUCH_LATER);
  t.is(itemOf("milk")?.price, "later");
});

test("an update that is not due yet stays pending", async (t) => {
  const { patch, applyDue, itemOf, scheduleOf } = createMorning();
  await patch(
    1,
    { itemId: "milk", price: "1", validFrom: LATER },
    { itemId: "milk", price: "2", validFrom: MUCH_LATER },
  );
  await applyDue(2, LATER);
  t.is(itemOf("milk")?.price, "1");
  t.deepEqual(scheduleOf("milk")?.due, new Date("2026-03-01T11:00:00Z"));
  await applyDue(3, MUCH_LATER);
  t.is(itemOf("milk")?.price, "2");
});

test("if a chunk is applied again after a row's time, the row is stored again but not applied", async (t) => {
  const { patch, applyDue, itemOf } = createMorning();
  const row = { itemId: "milk", price: "1", validFrom: LATER };
  await patch(1, row);
  await patch(1, row);
  t.is(itemOf("milk"), undefined, "the time of acceptance decides, not the time of application");
  await applyDue(2, LATER);
  await patch(3, { itemId: "milk", price: "3" });
  t.like((await patch(1, row))[0], rowErrors(rowNotice("UPDATE_OVERTAKEN", {})));
  t.deepEqual(await applyDue(4, LATER), []);
  t.is(itemOf("milk")?.price, "3", "the row took effect once");
});

test("a second request to apply the same time has nothing left to do", async (t) => {
  const { patch, applyDue, itemOf } = createMorning();
  await patch(1, { itemId: "milk", price: "1", validFrom: LATER });
  await applyDue(2, LATER);
  await patch(3, { itemId: "milk", price: "3" });
  t.deepEqual(await applyDue(4, LATER), []);
  t.is(itemOf("milk")?.price, "3");
});

test("deleting an item cancels updates requested earlier, and keeps updates requested later", async (t) => {
  const { patch, remove, applyDue, itemOf } = createMorning();
  await patch(1, { itemId: "milk", price: "1" }, { itemId: "milk", price: "2", validFrom: LATER });
  await patch(4, { itemId: "milk", itemName: "new", validFrom: MUCH_LATER });
  await remove(3, "milk");
  t.deepEqual(await applyDue(5, LATER), []);
  t.true(itemOf("milk")?.deleted);
  t.deepEqual(await applyDue(6, MUCH_LATER), [{ itemId: "milk", status: "SUCCESS_NEW_ITEM", errors: [] }]);
  t.like(itemOf("milk"), { itemName: "new", price: undefined });
});

test("deleting an item that only a scheduled row would create cancels the row and returns ITEM_NOT_FOUND", async (t) => {
  const { patch, remove, applyDue, itemOf } = createMorning();
  await patch(1, { itemId: "milk", validFrom: LATER });
  t.is((await remove(2, "milk"))[0]?.status, "ITEM_NOT_FOUND");
  t.deepEqual(await applyDue(3, LATER), []);
  t.is(itemOf("milk"), undefined);
});

test("a scheduled row of a held request is refused if its item was deleted since, and does not create it again", async (t) => {
  const { patch, remove, applyDue, itemOf, scheduleOf } = createMorning();
  await patch(1, { itemId: "milk", price: "1" });
  await remove(3, "milk");
  t.deepEqual(await patch(2, { itemId: "milk", price: "2", validFrom: LATER }), [
    { itemId: "milk", status: "ERROR", ...rowErrors(rowNotice("UPDATE_OVERTAKEN", {})) },
  ]);
  t.deepEqual(scheduleOf("milk")?.updates, []);
  await patch(4, { itemId: "milk", price: "4", validFrom: LATER });
  t.is((await applyDue(5, LATER)).length, 1);
  t.is(itemOf("milk")?.price, "4", "a row that was sent after the deletion creates the item");
});

test("an update that fails at its time is stored with its errors, is reported, and does not block others", async (t) => {
  const { patch, applyDue, itemOf, scheduleOf, failed } = createMorning({
    assignSics: async (_store, rows) =>
      new Map(rows.flatMap(({ row }, index) => (row.sics?.length ? [[index, new Map([["1", "tea"]])]] : []))),
  });
  await patch(1, { itemId: "milk", price: "1", sics: ["1"], validFrom: LATER }, { itemId: "bread", validFrom: LATER });
  const outcomes = await applyDue(2, LATER);
  t.deepEqual(
    outcomes.map(({ itemId, status }) => [itemId, status]),
    [
      ["milk", "PARTIAL"],
      ["bread", "SUCCESS_NEW_ITEM"],
    ],
  );
  t.is(itemOf("milk")?.price, "1");
  const taken = rowErrors(rowNotice("SIC_TAKEN", { code: "1", item: "tea" }));
  t.deepEqual(scheduleOf("milk")?.updates[0]?.failed, { at: new Date(0), ...taken });
  t.is(scheduleOf("milk")?.due, undefined);
  t.deepEqual(failed, [`milk: ${taken.errors[0]}`]);
  t.deepEqual(await applyDue(3, LATER), [], "the update is tried once");
});

test("an update that cannot be merged does not make other updates fail", async (t) => {
  const world = createMorning({
    async assignSics(_store, rows) {
      if (rows.some(({ row }) => row.itemId === "milk")) throw new Error("too large");
      return new Map();
    },
  });
  await world.patch(1, { itemId: "milk", validFrom: LATER }, { itemId: "bread", validFrom: LATER });
  await world.applyDue(2, LATER);
  t.deepEqual(world.scheduleOf("milk")?.updates[0]?.failed?.errors, ["too large"]);
  t.deepEqual(world.scheduleOf("bread")?.updates, []);
});

test("links of a scheduled row are made at its time, and their failures are errors of the update", async (t) => {
  const linked: string[] = [];
  const { patch, applyDue, scheduleOf } = createMorning({
    async linkLabels(_store, rows) {
      linked.push(...rows.map(({ row }) => row.barcode));
      return rows.map(({ row: { barcode } }) => [
        { barcode, status: "UNKNOWN", errors: barcode === "bad" ? ["no label"] : [] },
      ]);
    },
  });
  await patch(1, { itemId: "milk", links: [{ barcode: "good" }, { barcode: "bad" }], validFrom: LATER });
  t.deepEqual(linked, []);
  t.is((await applyDue(2, LATER))[0]?.status, "PARTIAL");
  t.deepEqual(linked, ["good", "bad"]);
  t.deepEqual(scheduleOf("milk")?.updates[0]?.failed?.errors, ["no label"]);
});

test("a label that updates for the same time link to two items stays with the item of the later request", async (t) => {
  const links: { item: string; stamp: number }[] = [];
  const { patch, applyDue } = createMorning({
    async linkLabels(_store, rows) {
      links.push(...rows.map(({ row, stamp }) => ({ item: row.links?.[0]?.itemId ?? "", stamp })));
      return rows.map(() => []);
    },
  });
  const link = { links: [{ barcode: "shelf" }], validFrom: LATER };
  await patch(1, { itemId: "milk", price: "1", validFrom: LATER }, { itemId: "milk", ...link });
  await patch(2, { itemId: "bread", ...link });
  await applyDue(3, LATER);
  t.deepEqual(links, [
    { item: "milk", stamp: stampOf(3, 1) },
    { item: "bread", stamp: stampOf(3, 2) },
  ]);
});

test("the row with an item's hundred and first scheduled update gets ERROR, and the other updates are stored", async (t) => {
  const { patch, scheduleOf } = createMorning();
  const rows = Array.from({ length: 101 }, () => ({ itemId: "milk", price: "1", validFrom: LATER }));
  const outcomes = await patch(1, ...rows, { itemId: "bread", validFrom: LATER });
  t.deepEqual(
    outcomes.slice(99).map(({ status }) => status),
    ["SUCCESS", "ERROR", "SUCCESS"],
  );
  t.is(scheduleOf("milk")?.updates.length, 100);
});

test("many updates are applied in parts, in order across all of them", async (t) => {
  const { patch, applyDue, itemOf } = createMorning();
  const rows = Array.from({ length: 4_500 }, (_, index) => ({ itemId: `item ${index % 4_400}`, price: `${index}` }));
  await patch(1, ...rows.map((row) => ({ ...row, validFrom: LATER })));
  t.is((await applyDue(2, LATER)).length, 4_500);
  for (const index of [0, 99, 100, 4_399])
    t.is(itemOf(`item ${index}`)?.price, index < 100 ? `${index + 4_400}` : `${index}`);
});
