import test from "ava";
import { forgetPriceLists } from "../../../queues/clean-up/price-lists.ts";
import type { ItemPatch } from "../../../schemas/item.ts";
import type { PriceListAnswer, PriceListSummary } from "../../../schemas/price-list.ts";
import type { Outcome } from "../../../schemas/request.ts";
import { demoStore, STORE_ID } from "../../../scripts/demo/catalogue.ts";
import { callsOf } from "../../flow/held/held-calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, itemOutcomes, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, deleteItem, numberOf, writeItems, writeLinks } from "../calls.ts";
import { manage } from "../management/calls.ts";

/**
 * A store whose prices may fall by at most 60 % in one request. Its items have a price and a state, and one of them is on a
 * label.
 */
const shelfwire = ownStack();
const ids = Array.from({ length: 130 }, (_, index) => `item-${index}`);
const rows = (price: string): ItemPatch[] =>
  ids.map((itemId) => ({ itemId, itemName: `Name of ${itemId}`, price, properties: { unitPrice: `${price}/kg` } }));
const label = labelFor("item-1");

const stored = async () =>
  new Map((await shelfwire.client.listItems("limit=1000&projection=S")).map((one) => [one.itemId, one.price]));
const read = async (list: string) => bodyOf<PriceListAnswer>(await shelfwire.call("GET", `/price-lists/${list}`));
async function undo(list: string, onGuard = "HOLD"): Promise<Outcome[]> {
  const answer = await shelfwire.call("POST", `/price-lists/${list}/undo?onGuard=${onGuard}`);
  const { requestIds } = (await answer.json()) as { requestIds: number[] };
  return (await Promise.all(requestIds.map((number) => itemOutcomes(shelfwire, number)))).flat();
}

test.serial.before(async () => {
  await manage(shelfwire, "PUT", `/stores/${STORE_ID}/price-guards`, { change: { fall: 60 } });
  await writeItems(shelfwire, rows("1.00"));
  await writeLinks(shelfwire, "PATCH", "/labels", [{ barcode: label, links: [{ itemId: "item-1" }] }]);
});

test.serial(
  "a request of many rows is a price list; its undo restores all values except those changed later, which it names",
  async (t) => {
    const before = await glassOf(shelfwire, label);
    const number = await shelfwire.client.patchItems(rows("1.50"));
    await itemOutcomes(shelfwire, number);
    const list = `request-${number}`;
    await eventually("the label shows the list", async () => !(await glassOf(shelfwire, label)).equals(before));
    await eventually("the list is acknowledged", async () => (await read(list)).labels.acknowledged === 1);
    const wrong = await read(list);
    t.like(wrong, { state: "APPLIED", items: 130, rows: { sent: 130, applied: 130, failed: 0 }, undo: null });
    t.deepEqual(wrong.labels, { total: 1, drawn: 1, acknowledged: 1 });
    t.deepEqual(wrong.jumps[0], {
      ...{ itemId: "item-0", itemName: "Name of item-0" },
      ...{ was: "1.00", price: "1.50", percent: 50 },
    });

    await writeItems(shelfwire, [{ itemId: "item-2", price: "2.22" }]);
    await deleteItem(shelfwire, "item-3");
    const outcomes = new Map((await undo(list)).map((outcome) => [outcome.itemId, outcome]));
    const prices = await stored();
    t.deepEqual(
      ["item-1", "item-2", "item-3"].map((id) => [outcomes.get(id)?.status, outcomes.get(id)?.errors]),
      [
        ["SUCCESS", []],
        ["PARTIAL", ["not restored, because it has changed since the price list: price"]],
        ["ITEM_NOT_FOUND", ['the item "item-3" does not exist']],
      ],
    );
    t.deepEqual([prices.get("item-1"), prices.get("item-2"), prices.has("item-3")], ["1.00", "2.22", false]);
    const [first] = await shelfwire.client.listItems("limit=1&projection=M");
    t.deepEqual((first as { properties?: object } | undefined)?.properties, { unitPrice: "1.00/kg" });
    await eventually("the label shows the former price", async () => (await glassOf(shelfwire, label)).equals(before));

    t.is((await read(list)).state, "UNDONE");
    t.is((await shelfwire.call("POST", `/price-lists/${list}/undo`)).status, 409);
    const csv = await (await shelfwire.call("GET", `/price-lists/${list}/failures`)).text();
    t.regex(csv, /^requestId,itemId,barcode,status,reason\r\n/);
    t.regex(csv, /,item-2,,PARTIAL,/);
  },
);

test.serial(
  "a request that sends the same prices again is not a price list, and no list is found under its number",
  async (t) => {
    const number = await shelfwire.client.patchItems(
      rows("1.00").filter(({ itemId }) => !["item-2", "item-3"].includes(itemId)),
    );
    await itemOutcomes(shelfwire, number);
    t.is((await shelfwire.call("GET", `/price-lists/request-${number}`)).status, 404);
  },
);

test.serial(
  "an undo is refused while a request of its list is held; an undo that hits a price guard is held until it is approved",
  async (t) => {
    const list = "?priceList=dear";
    const sent = await numberOf(await shelfwire.call("PATCH", `/items${list}`, [{ itemId: "item-4", price: "10.00" }]));
    await itemOutcomes(shelfwire, sent);
    const again = await numberOf(await shelfwire.call("PATCH", `/items${list}`, [{ itemId: "item-5", price: "1.20" }]));
    await itemOutcomes(shelfwire, again);
    t.deepEqual((await read("dear")).requestIds, [sent, again]);
    const cheap = [{ itemId: "item-5", price: "0.10" }];
    const kept = await numberOf(await shelfwire.call("PATCH", `/items${list}&onGuard=HOLD`, cheap));
    const waits = await shelfwire.call("POST", "/price-lists/dear/undo?onGuard=HOLD");
    t.like(await waits.json(), { status: 409, notice: { code: "LIST_HELD", values: { request: String(kept) } } });
    t.is((await callsOf(shelfwire, "ivo").refuse(kept)).status, 200);
    t.is((await shelfwire.call("POST", "/price-lists/dear/undo")).status, 409);
    const answer = await shelfwire.call("POST", "/price-lists/dear/undo?onGuard=HOLD");
    const { requestIds, held } = (await answer.json()) as { requestIds: number[]; held: boolean };
    t.deepEqual([held, requestIds.length, (await stored()).get("item-4")], [true, 1, "10.00"]);
    t.is((await callsOf(shelfwire, "ivo").approve(requestIds[0] ?? 0)).status, 200);
    await itemOutcomes(shelfwire, requestIds[0] ?? 0);
    const prices = await stored();
    t.deepEqual([prices.get("item-4"), prices.get("item-5")], ["1.00", "1.00"]);
    t.is((await shelfwire.call("PATCH", "/items?priceList=dear", [{ itemId: "item-4", price: "2" }])).status, 409);
  },
);

test.serial("undoing a scheduled list cancels it", async (t) => {
  const validFrom = new Date(Date.now() + 86_400_000).toLocaleString("sv-SE", { timeZone: demoStore.timeZone });
  const sent = await shelfwire.call("PATCH", "/items?priceList=tomorrow", [
    { itemId: "item-6", price: "1.10", validFrom },
  ]);
  await itemOutcomes(shelfwire, await numberOf(sent));
  t.like(await read("tomorrow"), { state: "SCHEDULED", items: 1 });
  t.deepEqual(
    (await undo("tomorrow")).map(({ status }) => status),
    ["SUCCESS"],
  );
  t.deepEqual(await bodyOf(await shelfwire.call("GET", "/items/item-6/scheduled")), []);
  const lists = await bodyOf<PriceListSummary[]>(await shelfwire.call("GET", "/price-lists?limit=2"));
  t.deepEqual(
    lists.map(({ listId, state }) => [listId, state]),
    [
      ["tomorrow", "UNDONE"],
      ["dear", "UNDONE"],
    ],
  );
});

test.serial("undoing a list that reuses a forgotten list's id restores the forgotten list's price", async (t) => {
  const send = async (price: string) => {
    const sent = await shelfwire.call("PATCH", "/items?priceList=erp", [{ itemId: "item-7", price }]);
    await itemOutcomes(shelfwire, await numberOf(sent));
  };
  await send("1.20");
  await forgetPriceLists(shelfwire.system, new Date(Date.now() + 60_000), {
    renew: async () => true,
    goOn: async () => true,
  });
  await send("1.40");
  t.deepEqual(
    (await undo("erp")).map(({ status }) => status),
    ["SUCCESS"],
  );
  t.is((await stored()).get("item-7"), "1.20");
});
