import test from "ava";
import type { HistoryAnswer } from "../../../schemas/label-history.ts";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, readLabel, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ withFront: true });
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
});

const historyOf = async (barcode: string, query = "") =>
  bodyOf<HistoryAnswer[]>(await shelfwire.call("GET", `/labels/${barcode}/history${query}`));
const makeLabel = async (name: string): Promise<string> => {
  const barcode = labelFor(name);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  return barcode;
};
const SHA256 = /^[0-9a-f]{64}$/;

test("a label without events has an empty history, and an unknown label returns 404", async (t) => {
  const barcode = labelFor("quiet");
  await writeLabels(shelfwire, [{ barcode }]);
  t.deepEqual(await historyOf(barcode), []);
  await refused(t, await shelfwire.call("GET", `/labels/${labelFor("nowhere")}/history`), 404);
});

test("the history shows a picture sent and acknowledged, newest first, with its page, image and transmission", async (t) => {
  const barcode = await makeLabel("shown");
  await glassOf(shelfwire, barcode);
  const history = await historyOf(barcode);
  // The first report also sets the battery state.
  const entries = ["picture acknowledged", "battery OK", "picture begun"];
  t.deepEqual(
    history.map(({ event, result }) => `${event} ${result}`),
    entries,
  );
  const [acknowledged, , begun] = history;
  const transmission = begun?.transmission ?? -1;
  t.like(acknowledged, { page: "0", transmission, reason: null, transceiver: "T1" });
  t.like(begun, { page: "0", transmission, reason: null, transceiver: null });
  t.regex(begun?.image ?? "", SHA256);
  t.is(acknowledged?.image, begun?.image);
});

test("the history lists failed and abandoned transmissions with their reasons", async (t) => {
  const barcode = labelFor("unlucky");
  shelfwire.labelServer.labels.obtain(barcode, "t/demo/s/main");
  shelfwire.labelServer.labels.set(barcode, { failNext: 1 });
  await makeLabel("unlucky");
  const failed = await eventually("the failure is listed", async () =>
    (await historyOf(barcode)).find(({ result }) => result === "failed"),
  );
  t.like(failed, { event: "picture", reason: "lost in the air" });

  const unwanted = labelFor("unwanted");
  shelfwire.front?.answer(({ path }) => (path.includes(unwanted) ? { status: 413 } : undefined));
  await makeLabel("unwanted");
  await eventually(
    "the transmission is given up",
    async () => (await readLabel(shelfwire, unwanted)).plState === "ERROR",
  );
  const [given] = await historyOf(unwanted);
  t.like(given ?? {}, { event: "picture", result: "given up", page: "0" });
  t.like(given ?? {}, {
    reason: "the label server answered 413",
    notice: { code: "SERVER_ANSWERED", values: { status: "413" } },
  });
});

test("the history lists battery changes, flashes, pages, refreshes and measurements", async (t) => {
  const barcode = await makeLabel("busy");
  await glassOf(shelfwire, barcode);
  shelfwire.labelServer.labels.set(barcode, { battery: "LOW" });
  await shelfwire.call("POST", `/labels/${barcode}/flash`);
  await shelfwire.call("POST", `/labels/${barcode}/display-page`);
  await shelfwire.call("POST", `/labels/${barcode}/refresh`);
  await shelfwire.call("PUT", `/labels/${barcode}/positions/manual`, { position: { x: 1, y: 2, floor: 0 } });
  const expected = [
    "battery LOW",
    "display-page sent",
    "fingerprint asked",
    "fingerprint sent",
    "flash sent",
    "refresh asked",
  ];
  await eventually("every entry is listed", async () => {
    const entries = (await historyOf(barcode)).map(({ event, result }) => `${event} ${result}`);
    return expected.every((one) => entries.includes(one));
  });
  const page = (await historyOf(barcode)).find(({ event }) => event === "display-page");
  t.like(page ?? {}, { page: "info", image: null, transmission: null });
});

test("times are in the store's zone, or ISO 8601 with offset, as everywhere", async (t) => {
  const barcode = await makeLabel("timed");
  await glassOf(shelfwire, barcode);
  for (const { time } of await historyOf(barcode)) t.regex(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const iso = await historyOf(barcode, "?serializeDatesToIso8601=true");
  for (const { time } of iso) t.regex(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
  const times = iso.map(({ time }) => Date.parse(time));
  t.deepEqual(
    times,
    times.toSorted((one, other) => other - one),
  );
});

test("a literal segment wins: /labels/models/history returns the models of a label type called history", async (t) => {
  t.deepEqual(await bodyOf(await shelfwire.call("GET", "/labels/models/history")), { models: [] });
});
