import test from "ava";
import { Temporal } from "temporal-polyfill";
import { eventually } from "../../harness/eventually.ts";
import { itemOutcomes, labelFor } from "../../harness/glass.ts";
import type { Served } from "../../harness/served.ts";
import { servedStack } from "../../harness/served-stack.ts";
import {
  bodyOf,
  deleteItem,
  type ItemBody,
  numberOf,
  openStore,
  readItem,
  readLabel,
  refused,
  untilTaken,
  writeItems,
} from "../calls.ts";
import { inSeconds, inTime } from "./near-times.ts";

const shelfwire = servedStack({ workers: ["item", "link"] });
/** A store for updates that are due within seconds. */
const inUtc = {} as Served;
test.serial.before(async () => void Object.assign(inUtc, await openStore(shelfwire, "utc", { timeZone: "UTC" })));

const FAR = "2999-01-01 00:00:00";
const FARTHER = "2999-01-01 00:00:01";

type Scheduled = Record<"itemId" | "validFrom" | "status", string> & {
  requestId: number;
  errors: string[];
  price?: string;
};

const scheduledOf = async (itemId: string, { call } = shelfwire): Promise<Scheduled[]> =>
  bodyOf(await call("GET", `/items/${encodeURIComponent(itemId)}/scheduled`));

const pricesOf = async (itemId: string) => (await scheduledOf(itemId)).map(({ price }) => price);

const untilApplied = (itemId: string, store = shelfwire) =>
  eventually(`${itemId} has no pending changes`, async () => (await scheduledOf(itemId, store)).length === 0);

test.serial(
  "a row with a future validFrom returns SUCCESS and leaves the price unchanged; responses show when it will change",
  async (t) => {
    const itemId = "announced";
    await writeItems(shelfwire, [{ itemId, itemName: "Apple", price: "1.99" }]);
    t.deepEqual(await writeItems(shelfwire, [{ itemId, price: "0.99", validFrom: FAR }]), [
      { itemId, status: "SUCCESS", errors: [] },
    ]);
    const { price, validFrom } = await readItem(shelfwire, itemId);
    t.deepEqual([price, validFrom], ["1.99", FAR]);
    for (const projection of ["M", "L"]) {
      const one = await bodyOf<{ value: ItemBody }>(
        await shelfwire.call("GET", `/items/${itemId}?projection=${projection}`),
      );
      const list = await bodyOf<ItemBody[]>(await shelfwire.call("GET", `/items?projection=${projection}&limit=1000`));
      t.is(one.value.validFrom, FAR);
      t.is(list.find((item) => item.itemId === itemId)?.validFrom, FAR);
    }
  },
);

test.serial("serializeDatesToIso8601: dates of items are ISO 8601 with offset, and can be sent back", async (t) => {
  const itemId = "in ISO 8601";
  const query = "serializeDatesToIso8601=true";
  await writeItems(shelfwire, [{ itemId, price: "1.99" }]);
  await writeItems(shelfwire, [{ itemId, price: "0.99", validFrom: FAR }]);
  const path = `/items/${encodeURIComponent(itemId)}`;
  const { value } = await bodyOf<{ value: ItemBody }>(await shelfwire.call("GET", `${path}?${query}`));
  const list = await bodyOf<ItemBody[]>(await shelfwire.call("GET", `/items?limit=1000&${query}`));
  const [scheduled] = await bodyOf<Scheduled[]>(await shelfwire.call("GET", `${path}/scheduled?${query}`));
  const { lastUpdated } = await readItem(shelfwire, itemId);
  const toSeconds = (text: string | null) => Temporal.Instant.from(text ?? "").epochMilliseconds / 1000;
  const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/;
  for (const item of [value, list.find((one) => one.itemId === itemId)]) {
    t.regex(item?.lastUpdated ?? "", isoDate);
    t.is(Math.trunc(toSeconds(item?.lastUpdated ?? null)), toSeconds(lastUpdated));
    t.regex(item?.validFrom ?? "", isoDate);
    t.is(item?.validFrom?.slice(0, 19), FAR.replace(" ", "T"));
  }
  t.is(scheduled?.validFrom, value.validFrom ?? "");
  await writeItems(shelfwire, [{ itemId, price: "0.89", validFrom: value.validFrom }]);
  t.deepEqual(
    (await scheduledOf(itemId)).map(({ validFrom }) => validFrom),
    [FAR, FAR],
  );
});

test.serial("PATCH /items/{itemId} also schedules changes", async (t) => {
  await writeItems(shelfwire, [{ itemId: "by path" }]);
  t.is((await shelfwire.call("PATCH", "/items/by%20path", { price: "0.99", validFrom: FAR })).status, 202);
  await eventually("the change is stored", async () => (await readItem(shelfwire, "by path")).validFrom === FAR);
  t.is((await readItem(shelfwire, "by path")).price, null);
});

test.serial("GET /items/{itemId}/scheduled lists pending changes in order, with their values", async (t) => {
  const itemId = "listed";
  const second = await shelfwire.client.patchItems([
    { itemId, price: "2", itemName: "", sics: [], validFrom: FARTHER },
  ]);
  const properties = JSON.parse('{"__proto__": "1", "unit.price": "2"}');
  const first = await shelfwire.client.patchItems([
    { itemId, price: "1", properties, lastUpdated: "2001-01-01", validFrom: FAR },
    { itemId, itemName: "Apple", sics: ["4001"], links: [{ barcode: labelFor("listed") }], validFrom: FARTHER },
  ]);
  await eventually("all changes are stored", async () => (await scheduledOf(itemId)).length === 3);
  const waits = { itemId, status: "PENDING", errors: [] };
  t.deepEqual((await scheduledOf(itemId)) as unknown[], [
    { ...waits, validFrom: FAR, requestId: first, price: "1", properties },
    { ...waits, validFrom: FARTHER, requestId: second, price: "2" },
    {
      ...waits,
      validFrom: FARTHER,
      requestId: first,
      itemName: "Apple",
      sics: ["4001"],
      links: [{ barcode: labelFor("listed") }],
    },
  ]);
});

test.serial(
  "a response with validFrom can be sent back: its values are scheduled, and nothing changes now",
  async (t) => {
    const itemId = "sent back";
    await writeItems(shelfwire, [
      { itemId, price: "1.99" },
      { itemId, price: "0.99", validFrom: FAR },
    ]);
    const { lastUpdated, ...before } = await readItem(shelfwire, itemId);
    t.is((await writeItems(shelfwire, [{ ...before, lastUpdated }]))[0]?.status, "SUCCESS");
    t.deepEqual(await readItem(shelfwire, itemId), { ...before, lastUpdated });
    t.deepEqual(await pricesOf(itemId), ["0.99", "1.99"]);
  },
);

test.serial(
  "an item that only a scheduled change will create does not exist yet, but its scheduled changes are listed",
  async (t) => {
    await writeItems(shelfwire, [{ itemId: "to come", price: "1", validFrom: FAR }]);
    await refused(t, await shelfwire.call("GET", "/items/to%20come"), 404);
    t.is((await scheduledOf("to come"))[0]?.price, "1");
    const list = await bodyOf<ItemBody[]>(await shelfwire.call("GET", "/items?limit=1000"));
    t.false(list.some(({ itemId }) => itemId === "to come"));
  },
);

test.serial("an item without scheduled updates returns an empty list, and an unknown item returns 404", async (t) => {
  await writeItems(shelfwire, [{ itemId: "plain" }]);
  t.deepEqual(await scheduledOf("plain"), []);
  await refused(t, await shelfwire.call("GET", "/items/nobody/scheduled"), 404);
});

test.serial("a scheduled update takes effect on time without another call", async (t) => {
  const itemId = "soon";
  await writeItems(inUtc, [{ itemId, price: "1.99" }]);
  const validFrom = inSeconds(2);
  await writeItems(inUtc, [{ itemId, price: "0.99", validFrom }]);
  await eventually("the new price is stored", async () => (await readItem(inUtc, itemId)).price === "0.99");
  t.true(inSeconds(0) >= validFrom, "not before");
  await untilApplied(itemId, inUtc);
  t.is((await readItem(inUtc, itemId)).validFrom, null);
});

test.serial("the time is local to the store's zone", async (t) => {
  const store = await openStore(shelfwire, "kolkata", { timeZone: "Asia/Kolkata" });
  const itemId = "elsewhere";
  const rows = [
    { itemId, price: "now there", validFrom: inSeconds(0, "Asia/Kolkata") },
    { itemId, price: "not yet there", validFrom: inSeconds(3600, "Asia/Kolkata") },
  ];
  await writeItems(store, rows);
  await eventually("the first update is applied", async () => (await readItem(store, itemId)).price === "now there");
  t.is((await readItem(store, itemId)).validFrom, rows[1]?.validFrom ?? "");
});

test.serial("a time that the clocks skip is shown as the time at which the update runs", async (t) => {
  await writeItems(shelfwire, [{ itemId: "in the gap", price: "1", validFrom: "2900-03-28 02:30:00" }]);
  t.is((await scheduledOf("in the gap"))[0]?.validFrom, "2900-03-28 03:00:00");
});

test.serial("updates for the same time merge field by field and keep earlier values of other fields", async (t) => {
  const itemId = await inTime(async (validFrom, turn) => {
    const itemId = `merged ${turn}`;
    await inUtc.client.patchItems([{ itemId, price: "1", itemName: "first", properties: { a: "1" }, validFrom }]);
    await inUtc.client.patchItems([{ itemId, price: "2", properties: { b: "2" }, validFrom }]);
    await writeItems(inUtc, [{ itemId, price: "before", itemGroup: "fruit" }]);
    return itemId;
  });
  await eventually("the update is applied", async () => (await readItem(inUtc, itemId)).price === "2");
  const { itemName, itemGroup, properties } = await readItem(inUtc, itemId);
  t.deepEqual(
    { itemName, itemGroup, properties },
    { itemName: "first", itemGroup: "fruit", properties: { a: "1", b: "2" } },
  );
  await writeItems(inUtc, [{ itemId, price: "after" }]);
  t.is((await readItem(inUtc, itemId)).price, "after");
});

test.serial("a scheduled update creates its item when it is due and not before, with codes and links", async (t) => {
  const { itemId, sic, barcode, early } = await inTime(async (validFrom, turn) => {
    const [itemId, sic, barcode] = [`made ${turn}`, `41${turn}0`, labelFor(`made ${turn}`)];
    await writeItems(inUtc, [{ itemId, sics: [sic], links: [{ barcode }], validFrom }]);
    return { itemId, sic, barcode, early: await inUtc.call("GET", `/labels/${barcode}`) };
  });
  await refused(t, early, 404);
  await untilApplied(itemId, inUtc);
  t.deepEqual((await readItem(inUtc, itemId)).sics, [sic]);
  t.is((await readLabel(inUtc, barcode)).links[0]?.itemId, itemId);
});

test.serial("the scheduled updates of one request can be cancelled without the others", async (t) => {
  const itemId = "one of two";
  await writeItems(shelfwire, [{ itemId, price: "1" }]);
  await writeItems(shelfwire, [{ itemId, price: "2", validFrom: FAR }]);
  await writeItems(shelfwire, [{ itemId, price: "3", validFrom: FAR }]);
  const path = `/items/${encodeURIComponent(itemId)}/scheduled`;
  const [first] = await scheduledOf(itemId);
  const cancel = async (address: string) => {
    const answer = await untilTaken(() => shelfwire.call("DELETE", address));
    return (await itemOutcomes(shelfwire, await numberOf(answer)))[0]?.status;
  };
  for (const time of ["once", "twice"]) t.is(await cancel(`${path}/${first?.requestId}`), "SUCCESS", time);
  t.deepEqual(await pricesOf(itemId), ["3"]);
  t.is(await cancel("/items/never%20planned/scheduled/1"), "ITEM_NOT_FOUND");
});

test.serial("deleting an item cancels its scheduled updates", async (t) => {
  const itemId = "cancelled";
  await writeItems(shelfwire, [{ itemId, price: "1" }]);
  await writeItems(shelfwire, [{ itemId, price: "2", validFrom: FAR }]);
  await deleteItem(shelfwire, itemId);
  await refused(t, await shelfwire.call("GET", `/items/${itemId}/scheduled`), 404);
  await writeItems(shelfwire, [{ itemId, price: "3" }]);
  t.is((await readItem(shelfwire, itemId)).validFrom, null);
});

test.serial("an update that partly fails when due is shown with its errors and is no longer pending", async (t) => {
  await writeItems(inUtc, [{ itemId: "owner", sics: ["4200"] }]);
  const [row] = await inTime((validFrom, turn) =>
    writeItems(inUtc, [{ itemId: `late comer ${turn}`, price: "1", sics: ["4200"], validFrom }]),
  );
  const itemId = row?.itemId ?? "";
  const failed = await eventually("the update has failed", async () =>
    (await scheduledOf(itemId, inUtc)).find(({ status }) => status === "ERROR"),
  );
  t.regex(failed?.errors.join() ?? "", /4200.*owner/);
  t.like(await readItem(inUtc, itemId), { price: "1", sics: [], validFrom: null });
});
