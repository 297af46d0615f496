import test from "ava";
import { canvasDesigns } from "../../records/kinds/designs.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import type { LabelCare, StoreCare } from "../../schemas/care.ts";
import type { LabelExplanation } from "../../schemas/explanation.ts";
import { canvasDesignKey, labelKey, tenantKey } from "../../schemas/keys.ts";
import type { HistoryAnswer } from "../../schemas/label-history.ts";
import { demoStore, TENANT_ID } from "../../scripts/demo/catalogue.ts";
import { bodyOf, writeItems, writeLinks } from "../api/calls.ts";
import { manage, operate } from "../api/management/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";

/** A few labels with batteries that wear out: from counting their refreshes to listing worn labels for replacement. */
const shelfwire = ownStack();
const management = `/t/${TENANT_ID}/api/management/v1`;
const HOUR_MS = 3_600_000;
const full = labelFor("full battery");
const worn = labelFor("worn battery");
const silent = labelFor("without a voltage");
const hung = [
  [full, "milk"],
  [worn, "bread"],
  [silent, "salt"],
] as const;

/** Returns the time of day in the store a number of hours from now. */
const timeIn = (hours: number): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: demoStore.timeZone, hour: "2-digit", minute: "2-digit" }).format(
    Date.now() + hours * HOUR_MS,
  );
const canvas = (background: "white" | "red") => ({
  ...{ name: "Care", width: 296, height: 128, background },
  elements: [
    {
      ...({ kind: "price", x: 0, y: 0, width: 296, height: 128, font: "bold", size: 60, color: "black" } as const),
      value: "${item.price}",
    },
  ],
});
const setPrices = (price: string) =>
  writeItems(
    shelfwire,
    hung.map(([, itemId]) => ({ itemId, itemName: itemId, price })),
  );
const careOf = async (barcode: string) => bodyOf<LabelCare>(await shelfwire.call("GET", `/labels/${barcode}/care`));
const emulated = (barcode: string) => shelfwire.labelServer.labels.get(barcode);
/** Waits until a label shows its picture, and its state counts this many refreshes. */
const refreshed = (barcode: string, refreshes: number) =>
  eventually(`${barcode} has refreshed ${refreshes} times`, async () => {
    await glassOf(shelfwire, barcode);
    const { link, price, design, repeat } = (await careOf(barcode)).refreshes;
    return link + price + design + repeat === refreshes;
  });

test.serial.before(async () => {
  const { commit } = shelfwire.system;
  const key = canvasDesignKey(tenantKey(TENANT_ID), "care");
  await commit.change(canvasDesigns, [key], () => canvas("white"), "bulk");
  await manage(shelfwire, "PUT", "/designs/care", { name: "Care", canvasId: "care", compatible_esltype_ids: [1328] });
  const type = await bodyOf<{ type: number }>(await manage(shelfwire, "GET", "/label-types/1328"));
  const { type: _, ...order } = type;
  await bodyOf(await operate(shelfwire, "PUT", `${management}/label-types/1328`, { ...order, fullRefreshAfter: 2 }));
  const quietHours = { from: timeIn(-2), to: timeIn(6) };
  await bodyOf(await operate(shelfwire, "PUT", `${management}/stores/main`, { ...demoStore, quietHours }));
  const { labels } = shelfwire.labelServer;
  for (const [barcode, batteryMillivolts] of [
    [full, 3_000],
    [worn, 2_500],
  ] as const) {
    labels.obtain(barcode, DEMO_STORE);
    labels.set(barcode, { batteryMillivolts, drain: 40 });
  }
  await setPrices("1.99");
  for (const [barcode, itemId] of hung)
    await writeLinks(shelfwire, "POST", "/links", { barcode, itemId, designId: "care" });
  for (const [barcode] of hung) await refreshed(barcode, 1);
});

test.serial("a price sent in quiet hours refreshes each label once and wears down its battery", async (t) => {
  await setPrices("1.79");
  for (const [barcode] of hung) await refreshed(barcode, 2);
  t.like(await careOf(full), { refreshes: { link: 1, price: 1, design: 0, repeat: 0, full: 1 } });
  t.is(emulated(full)?.batteryMillivolts, 2_920);
  t.is(emulated(full)?.fullRefreshes, 1, "every second refresh is a full refresh");
});

test.serial("a design waits until the quiet hours end, and is sent with the next price", async (t) => {
  const { commit, records } = shelfwire.system;
  const before = emulated(full)?.pages.get(0)?.sha256;
  await commit.change(canvasDesigns, [canvasDesignKey(tenantKey(TENANT_ID), "care")], () => canvas("red"), "bulk");
  const key = labelKey(DEMO_STORE, full);
  const putOff = async () => (await records.readFields(labelStates, [key], ["putOff"])).get(key)?.putOff;
  await eventually("the picture waits", async () => (await putOff()) === "the store has quiet hours");
  t.is(emulated(full)?.pages.get(0)?.sha256, before);
  const { waits } = await bodyOf<LabelExplanation>(await shelfwire.call("GET", `/labels/${full}/explain`));
  t.true(waits.some(({ reason }) => reason.includes("the store has quiet hours")));
  await setPrices("1.59");
  for (const [barcode] of hung) await refreshed(barcode, 3);
  t.like((await careOf(full)).refreshes, { price: 2, design: 0 });
});

test.serial("a label with a worn-out battery is listed for replacement, with one event", async (t) => {
  await eventually("the label reports LOW", async () => (await careOf(worn)).battery.batteryState === "LOW");
  t.like(await careOf(worn), { battery: { basis: "low", replace: true } });
  t.like(await careOf(full), { battery: { basis: "voltage", replace: false, batteryState: "OK" } });
  t.like(await careOf(silent), { battery: { daysLeft: null, basis: null, millivolts: null } });
  const listed = await bodyOf<{ barcode: string; batteryDaysLeft: number }[]>(
    await shelfwire.call("GET", "/labels?replaceWithin=30&sortProperty=batteryDaysLeft"),
  );
  t.deepEqual(
    listed.map(({ barcode }) => barcode),
    [worn],
  );
  const history = await bodyOf<HistoryAnswer[]>(await shelfwire.call("GET", `/labels/${worn}/history`));
  t.is(history.filter(({ event, result }) => event === "battery" && result === "replace").length, 1);
});

test.serial("the store's totals are the sums of its labels", async (t) => {
  const totals = await bodyOf<StoreCare>(await shelfwire.call("GET", "/labels/care"));
  t.like(totals, { labels: hung.length, refreshes: { link: 3, price: 6, design: 0 }, forecasts: 2, replace: 1 });
});
