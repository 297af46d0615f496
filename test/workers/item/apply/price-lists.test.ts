import test from "ava";
import { givenUp } from "../../../../domain/labels/decide-switch.ts";
import type { RequestOfList } from "../../../../workers/item/world.ts";
import { createWorld } from "../world.ts";

const milk = { itemId: "milk", itemName: "Milk", price: "1.00" };
const undo = (itemId: string, list = "wrong") => ({ itemId, list, sets: true as const });

test("a list records the items that it changes with their prices, and a list that changes nothing is not recorded", async (t) => {
  const entered: RequestOfList[] = [];
  const world = createWorld({
    enterList: async (_, request) => entered.push(request),
    settledAtLeast: async (_, enough) => enough,
  });
  await world.patch(1, milk, { itemId: "salt", price: "3.00" });
  await world.patchList("wrong", 2, { ...milk, price: "9.00" }, { itemId: "salt", price: "3.00" });
  await world.patchList("wrong", 3, { ...milk, price: "9.00" });
  t.deepEqual(
    entered.map(({ list, number, parts }) => [list, number, [...parts]]),
    [["wrong", 2, [[0, [["milk", "1.00", "9.00"]]]]]],
  );
});

test("a list that repeats a price while an earlier request can still take effect names the item, and its undo lets that request win", async (t) => {
  const entered: RequestOfList[] = [];
  const world = createWorld({
    enterList: async (_, request) => entered.push(request),
    settledAtLeast: async () => 1,
  });
  await world.patch(1, milk);
  await world.patchList("wrong", 3, milk);
  t.deepEqual(entered[0]?.parts.get(0), [["milk", "1.00", null]]);
  await world.patch(2, { ...milk, price: "2.00" });
  t.is(world.itemOf("milk")?.price, "1.00");
  await world.undo(4, undo("milk"));
  t.is(world.itemOf("milk")?.price, "2.00");
});

test("a list sent during a campaign records the regular prices, which its undo restores", async (t) => {
  const entered: RequestOfList[] = [];
  const world = createWorld({ enterList: async (_, request) => entered.push(request) });
  await world.patch(1, milk);
  await world.runCampaign(2, { itemId: "milk", campaign: "spring", price: "0.50" });
  await world.patchList("wrong", 3, { itemId: "milk", price: "0.50" });
  t.deepEqual(entered[0]?.parts.get(0), [["milk", "1.00", "0.50"]]);
  await world.undo(4, undo("milk"));
  t.is(world.itemOf("milk")?.price, "0.50");
  await world.runCampaign(5, { itemId: "milk", campaign: "spring", ends: true });
  t.is(world.itemOf("milk")?.price, "1.00");
});

test("an undo restores items, names those that have changed since, and has the same outcome when applied again", async (t) => {
  const world = createWorld();
  await world.patch(1, milk, { itemId: "salt", price: "3.00" }, { itemId: "tea", price: "4.00" });
  const wrong = ["milk", "salt", "tea", "new"].map((itemId) => ({ itemId, price: "9.00", itemGroup: "food" }));
  await world.patchList("wrong", 2, ...wrong);
  await world.patch(3, { itemId: "salt", price: "3.33" });
  await world.remove(4, "tea");
  const rows = [undo("milk"), undo("salt"), undo("tea"), { ...undo("new"), created: true as const }];
  const outcomes = await world.undo(5, ...rows);
  t.deepEqual(
    outcomes.map(({ status, notices = [] }) => [status, ...notices.map(({ code }) => code)]),
    [
      ["SUCCESS"],
      ["PARTIAL", "LIST_CHANGED_SINCE"],
      ["ITEM_NOT_FOUND", "ITEM_UNKNOWN"],
      ["ERROR", "LIST_CREATED_ITEM"],
    ],
  );
  const prices = () =>
    ["milk", "salt", "new"].map((itemId) => [world.itemOf(itemId)?.price, world.itemOf(itemId)?.itemGroup]);
  const expected = [
    ["1.00", undefined],
    ["3.33", undefined],
    ["9.00", "food"],
  ];
  t.deepEqual(prices(), expected);
  // One process was killed after it had written the items, and another stalled while it applied the list.
  t.deepEqual(await world.undo(5, ...rows), outcomes);
  await world.patchList("wrong", 2, ...wrong);
  t.deepEqual(prices(), expected);
});

test("an undo cancels the list's scheduled changes and restores the applied ones", async (t) => {
  const world = createWorld();
  world.acceptAt("2026-01-01 00:00:00");
  await world.patch(1, milk);
  await world.patchList("wrong", 2, { itemId: "milk", price: "8.00", validFrom: "2026-01-02 00:00:00" });
  await world.patchList("wrong", 3, { itemId: "milk", price: "9.00", validFrom: "2026-01-03 00:00:00" });
  await world.patch(4, { itemId: "milk", itemName: "Whole milk", validFrom: "2026-01-03 00:00:00" });
  await world.applyDue(5, "2026-01-02 00:00:00");
  t.is(world.itemOf("milk")?.price, "8.00");
  t.is((await world.undo(6, undo("milk")))[0]?.status, "SUCCESS");
  t.is(world.itemOf("milk")?.price, "1.00");
  await world.applyDue(7, "2026-01-03 00:00:00");
  t.deepEqual([world.itemOf("milk")?.price, world.itemOf("milk")?.itemName], ["1.00", "Whole milk"]);
});

test("undoing a list whose ID was used before restores the forgotten list's values, even if they were scheduled", async (t) => {
  const world = createWorld();
  world.acceptAt("2026-01-01 00:00:00");
  await world.patch(1, milk, { ...milk, itemId: "salt" });
  const scheduled = { itemId: "salt", price: "2.00", validFrom: "2026-01-02 00:00:00" };
  await world.patchList(
    "erp",
    2,
    { itemId: "milk", price: "2.00" },
    { itemId: "milk", itemName: "Whole milk" },
    scheduled,
  );
  world.forgetList("erp");
  await world.patchList("erp", 3, { itemId: "milk", price: "3.00" }, { itemId: "salt", price: "3.00" });
  await world.applyDue(4, "2026-01-02 00:00:00");
  t.is(world.itemOf("salt")?.price, "2.00");
  await world.undo(5, { ...undo("milk", "erp"), first: 3 }, { ...undo("salt", "erp"), first: 3 });
  t.deepEqual([world.itemOf("milk")?.price, world.itemOf("milk")?.itemName], ["2.00", "Whole milk"]);
  t.is(world.itemOf("salt")?.price, "2.00");
});

test("a campaign begins and ends at the time of a switch that was never committed", async (t) => {
  const world = createWorld({
    closeUncommitted: async (_, times) => new Map(times.map((time) => [time.getTime(), "a switch"])),
  });
  world.acceptAt("2026-01-01 00:00:00");
  await world.patch(1, milk);
  const row = { itemId: "milk", campaign: "spring" };
  const end = { ...row, ends: true as const, validFrom: "2026-01-03 00:00:00" };
  await world.runCampaign(2, { ...row, price: "0.50", validFrom: "2026-01-02 00:00:00" }, end);
  await world.applyDue(3, "2026-01-02 00:00:00");
  t.is(world.itemOf("milk")?.price, "0.50");
  await world.applyDue(4, "2026-01-03 00:00:00");
  t.is(world.itemOf("milk")?.price, "1.00");
});

test("a campaign that began and ended while no process ran does not remove prior prices", async (t) => {
  const world = createWorld();
  world.acceptAt("2026-01-01 00:00:00");
  await world.patch(1, milk);
  world.acceptAt("2026-01-02 00:00:00");
  await world.patch(2, { itemId: "milk", price: "0.80" });
  const row = { itemId: "milk", campaign: "spring" };
  const end = { ...row, ends: true as const, validFrom: "2026-01-04 00:00:00" };
  await world.runCampaign(3, { ...row, price: "0.50", validFrom: "2026-01-03 00:00:00" }, end);
  world.acceptAt("2026-01-05 00:00:00");
  await world.applyDue(4, "2026-01-05 00:00:00");
  t.like(world.itemOf("milk"), { price: "0.80", charged: { prior: "1.00", since: Date.parse("2026-01-02") } });
});

test("scheduled changes for a switch that was never committed are dropped when they are due, with the notice SWITCH_NOT_COMMITTED", async (t) => {
  const at = new Date("2026-01-02T00:00:00Z");
  const awaiting = { showAt: at, deadline: at, atDeadline: "GO_AHEAD", state: "PREPARING", commit: "AWAITED" } as const;
  t.truthy(givenUp(awaiting));
  const world = createWorld({ closeUncommitted: async () => new Map([[at.getTime(), "20260102T000000Z"]]) });
  world.acceptAt("2026-01-01 00:00:00");
  await world.patch(1, milk);
  await world.patch(2, { itemId: "milk", price: "2.00", validFrom: "2026-01-02 00:00:00" });
  await world.patch(3, { itemId: "milk", price: "3.00", validFrom: "2026-01-02 00:00:01" });
  await world.applyDue(4, "2026-01-02 00:00:00");
  t.is(world.itemOf("milk")?.price, "1.00");
  const [dropped] = world.scheduleOf("milk")?.updates ?? [];
  t.deepEqual(
    dropped?.failed?.notices?.map(({ code }) => code),
    ["SWITCH_NOT_COMMITTED"],
  );
  await world.applyDue(5, "2026-01-02 00:00:01");
  t.is(world.itemOf("milk")?.price, "3.00");
});
