import test from "ava";
import { type ProcessName, processNames } from "../../queues/topology.ts";
import type { CauseName, LabelExplanation } from "../../schemas/explanation.ts";
import type { IntegrityReport } from "../../schemas/integrity.ts";
import type { ItemPatch } from "../../schemas/item.ts";
import { wantedOf } from "../../scripts/develop/chaos/wanted-pictures.ts";
import { bodyOf, moveToUtc, writeItems, writeLabels } from "../api/calls.ts";
import { manage } from "../api/management/calls.ts";
import { eventually } from "../harness/eventually.ts";
import { labelFor } from "../harness/glass.ts";
import { ownStack } from "../harness/own.ts";
import { localTime } from "../harness/scheduled-times.ts";

const TYPE = 1328;
/** Workers that the tests open and close themselves. */
const late: readonly ProcessName[] = ["renderer", "evaluator", "item"];
const shelfwire = ownStack({ workers: processNames.filter((name) => !late.includes(name)), withFront: true });
const items: ItemPatch[] = Array.from({ length: 24 }, (_, index) => ({
  itemId: `item-${index}`,
  itemName: `Item ${index}`,
  price: `${index + 1}.10`,
}));
const newer = items.slice(0, 8).map((item) => ({ ...item, price: "9.90" }));
const all = [...newer, ...items.slice(8)];
const barcodeOf = ({ itemId }: Pick<ItemPatch, "itemId">) => labelFor(itemId);

const report = async (query = "") =>
  bodyOf<IntegrityReport>(await manage(shelfwire, "GET", `/stores/main/integrity${query}`));

const explained = async (barcode: string) =>
  bodyOf<LabelExplanation>(await shelfwire.call("GET", `/labels/${barcode}/explain`));

/** Compares the glass of each row's label with the row's picture; returns the barcodes of labels that differ. */
const wrongGlasses = (expected: readonly ItemPatch[]): string[] =>
  wantedOf(expected, TYPE)
    .filter(({ barcode, sha256 }) => shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.sha256 !== sha256)
    .map(({ barcode }) => barcode)
    .sort();

/**
 * Waits until the report names these labels, and this cause for each; returns the report. It is read repeatedly, because on a
 * busy machine a single read may find that Redis does not respond.
 */
const untilBehind = (barcodes: readonly string[], cause?: CauseName) =>
  eventually(`${barcodes.length} labels are behind`, async () => {
    const found = await report();
    const behind = (found.behind ?? []).map(({ barcode }) => barcode);
    if (JSON.stringify(behind) !== JSON.stringify(barcodes)) throw new Error(JSON.stringify(found.behind));
    if (cause && found.behind?.some((one) => one.cause !== cause)) throw new Error(JSON.stringify(found.behind));
    return found;
  });

let rendererRuns: { close(): Promise<void> };
let evaluatorRuns: { close(): Promise<void> };
let itemRuns: { close(): Promise<void> };
let whenRight = new Date();

test.serial.before(() => moveToUtc(shelfwire));

test.serial("without faults no label is behind, and every glass shows its item", async (t) => {
  rendererRuns = await shelfwire.openWorker("renderer");
  evaluatorRuns = await shelfwire.openWorker("evaluator");
  itemRuns = await shelfwire.openWorker("item");
  await writeItems(shelfwire, items);
  await writeLabels(
    shelfwire,
    items.map(({ itemId }) => ({ barcode: labelFor(itemId), links: [{ itemId }] })),
  );
  const found = await untilBehind([]);
  t.like(found, { labels: items.length, upToDate: items.length });
  t.deepEqual(wrongGlasses(items), []);
  // The log of the glass is written after the labels' states.
  const times = await eventually("the log of the glass has every picture", async () => {
    const { timeToGlass } = await report();
    return timeToGlass?.lastHour.pictures === items.length && timeToGlass;
  });
  t.true((times.lastDay.p99 ?? 0) > 0);
  whenRight = new Date();
});

test.serial("without a renderer exactly the changed items' labels are behind", async (t) => {
  await rendererRuns.close();
  await writeItems(shelfwire, newer);
  const wrong = wrongGlasses(all);
  t.is(wrong.length, newer.length);
  const { behind, upToDate } = await untilBehind(wrong, "PROCESS_MISSING");
  t.is(upToDate, items.length - newer.length);
  for (const { since } of behind ?? []) t.truthy(since);
});

test.serial("if a label server refuses pictures, exactly its labels are behind", async (t) => {
  const refused = newer.slice(0, 2).map(barcodeOf).sort();
  shelfwire.front?.answer(({ path }) =>
    refused.some((barcode) => path.includes(barcode)) ? { status: 413 } : undefined,
  );
  await shelfwire.openWorker("renderer");
  const { behind } = await untilBehind(refused);
  t.deepEqual(wrongGlasses(all), refused);
  await eventually("the cause is reported", async () =>
    (await report()).behind?.every(({ cause, reason }) => cause === "GIVEN_UP" && reason.includes("413")),
  );
  t.deepEqual(behind?.[0]?.itemIds.length, 1);

  const csv = await (
    await manage(shelfwire, "GET", "/stores/main/integrity", undefined, { accept: "text/csv" })
  ).text();
  t.regex(csv, /^barcode,itemIds,cause,since,reason\r\n/);
  t.is(csv.trimEnd().split("\r\n").length, 1 + refused.length);
});

test.serial("when it accepts pictures again no label is behind, and every glass matches", async (t) => {
  shelfwire.front?.answer(() => undefined);
  for (const item of newer.slice(0, 2)) await shelfwire.call("POST", `/labels/${barcodeOf(item)}/refresh`);
  await untilBehind([]);
  t.deepEqual(wrongGlasses(all), []);
});

test.serial("without an evaluator exactly the labels with a newly chosen design are behind", async (t) => {
  await evaluatorRuns.close();
  const special = items.slice(8, 11).map((item) => ({ ...item, properties: { priceKind: "special" } }));
  const cheaper = items.slice(11, 14).map((item) => ({ ...item, price: "0.90" }));
  const expected = [...newer, ...special, ...cheaper, ...items.slice(14)];
  await writeItems(shelfwire, [...special, ...cheaper]);
  const { behind } = await untilBehind(special.map(barcodeOf).sort(), "PROCESS_MISSING");
  t.deepEqual(wrongGlasses(expected), special.map(barcodeOf).sort());
  for (const { reason } of behind ?? []) t.regex(reason, /the evaluator worker/);
  await shelfwire.openWorker("evaluator");
  await untilBehind([]);
  t.deepEqual(wrongGlasses(expected), []);
});

test.serial(
  "without an item worker the labels of an accepted price are behind, and each count links to its labels",
  async (t) => {
    await itemRuns.close();
    const [item] = newer as [ItemPatch];
    const labels = [barcodeOf(item)];
    t.is((await shelfwire.call("PATCH", `/items/${item.itemId}`, { price: item.price })).status, 202);
    const { upToDate, verdicts } = await untilBehind(labels, "PROCESS_MISSING");
    t.is(upToDate, items.length - 1);
    await eventually(
      "the explanation names the same cause",
      async () => (await explained(labels[0] ?? "")).cause === "PROCESS_MISSING",
    );
    t.like(verdicts, { ERROR: 1, OK: items.length - 1 });
    for (const [verdict, count] of Object.entries(verdicts ?? {}))
      t.is((await report(`?verdict=${verdict}`)).found?.length, count, verdict);
    await shelfwire.openWorker("item");
    await untilBehind([]);
  },
);

test.serial("what a label showed at a given time is reported with its item, price and picture", async (t) => {
  const [item] = items as [ItemPatch];
  const barcode = barcodeOf(item);
  const at = async (date: Date) => {
    const { shown = [], labels } = await report(`?at=${encodeURIComponent(localTime(date))}&barcode=${barcode}`);
    t.is(labels, 1);
    return shown[0];
  };
  t.like(await at(new Date(whenRight.getTime() + 999)), {
    barcode,
    page: 0,
    items: [{ itemId: item.itemId, price: item.price }],
  });
  t.like(await at(new Date(Date.now() + 999)), { items: [{ itemId: item.itemId, price: "9.90" }] });
  t.like(await at(new Date(0)), { since: null, items: [], image: null });
  const everyone = await report(`?at=${encodeURIComponent(localTime(new Date()))}`);
  t.is(everyone.shown?.length, items.length);
});

test.serial("an unknown store returns 404", async (t) => {
  t.is((await manage(shelfwire, "GET", "/stores/nowhere/integrity")).status, 404);
});
