import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, deleteItem, pointersOf, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ workers: ["item", "link", "transmitter"], withFront: true });

/** Creates an item and labels that show it; returns their barcodes in order. */
async function makeLabels(itemId: string, rows: readonly object[]): Promise<string[]> {
  await writeItems(shelfwire, [{ itemId, price: "1.99" }]);
  const barcodes = rows.map((_, index) => labelFor(`${itemId} ${index}`));
  await writeLabels(
    shelfwire,
    rows.map((row, index) => ({ barcode: barcodes[index] ?? "", links: [{ itemId }], ...row })),
  );
  return barcodes.toSorted();
}
const flashItem = (itemId: string, body?: object) =>
  shelfwire.call("POST", `/items/${encodeURIComponent(itemId)}/flash`, body);
const flashItems = (body: unknown) => shelfwire.call("POST", "/flash/items", body);
type Results = { results: { itemId?: string; barcode: string | null; result: string }[] };
const callsTo = (barcode: string) =>
  (shelfwire.front?.orders() ?? []).filter(({ path }) => path === `/labels/${barcode}/flash`);
const firstCall = (barcode: string) => eventually(`a call for ${barcode}`, async () => callsTo(barcode)[0]);

test("an item's flash lists every linked label in order", async (t) => {
  const barcodes = await makeLabels("apple", [{}, {}, {}]);
  const { results } = await bodyOf<Results>(await flashItem("apple", { color: "#ff00ff", duration: 60 }));
  t.deepEqual(
    results,
    barcodes.map((barcode) => ({ barcode, result: "OK" })),
  );
  for (const barcode of barcodes) {
    const { body, headers } = await firstCall(barcode);
    t.deepEqual(JSON.parse(String(body)), { duration: 60, color: "MAGENTA", flashType: 50 });
    t.is(headers.priority, "high");
  }
});

test("an item without labels returns no results", async (t) => {
  await writeItems(shelfwire, [{ itemId: "lonely" }]);
  t.deepEqual(await bodyOf(await flashItem("lonely")), { results: [] });
});

test("a label that now shows another item is not flashed for the previous one", async (t) => {
  const [barcode = ""] = await makeLabels("before", [{}]);
  await writeItems(shelfwire, [{ itemId: "after" }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "after" }] }]);
  t.deepEqual(await bodyOf(await flashItem("before")), { results: [] });
  t.deepEqual(await bodyOf(await flashItem("after")), { results: [{ barcode, result: "OK" }] });
});

test("an unknown or deleted item returns 404", async (t) => {
  await refused(t, await flashItem("nothing"), 404);
  const [barcode = ""] = await makeLabels("gone", [{}]);
  await deleteItem(shelfwire, "gone");
  await refused(t, await flashItem("gone"), 404);
  t.deepEqual(callsTo(barcode), []);
});

test("an item's ID may contain a slash or equal the segment flash", async (t) => {
  for (const itemId of ["a/b", "flash", "sic"]) {
    const [barcode = ""] = await makeLabels(itemId, [{}]);
    t.deepEqual(await bodyOf(await flashItem(itemId)), { results: [{ barcode, result: "OK" }] });
  }
});

test("the first flashes of an item already use every transceiver", async (t) => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ homeTrx: index < 6 ? "T1" : "T3" }));
  const barcodes = await makeLabels("spread", rows);
  await bodyOf(await flashItem("spread"));
  for (const barcode of barcodes) await firstCall(barcode);
  const order = (shelfwire.front?.calls ?? [])
    .filter(({ path }) => barcodes.some((barcode) => path === `/labels/${barcode}/flash`))
    .map(({ headers }) => headers.transceiver);
  t.deepEqual(new Set(order.slice(0, 6)), new Set(["T1", "T3"]));
});

test("an unreachable label does not keep the others from flashing", async (t) => {
  const barcodes = await makeLabels("partly", [{}, {}]);
  shelfwire.front?.answer(({ path }) => (path.includes(barcodes[0] ?? "?") ? { status: 404 } : undefined));
  t.is((await bodyOf<Results>(await flashItem("partly"))).results.length, 2);
  await firstCall(barcodes[1] ?? "");
  t.pass();
});

test("one call flashes the labels of many items in the order of the items and reports unknown items", async (t) => {
  const pears = await makeLabels("pear", [{}, {}]);
  const [plum = ""] = await makeLabels("plum", [{}]);
  await writeItems(shelfwire, [{ itemId: "bare" }]);
  const body = { itemIds: ["plum", "nothing", "bare", "pear", "plum"], color: "rgb(0,255,255)", realTime: false };
  t.deepEqual(await bodyOf(await flashItems(body)), {
    results: [
      { itemId: "plum", barcode: plum, result: "OK" },
      { itemId: "nothing", barcode: null, result: "ITEM_NOT_FOUND" },
      ...pears.map((barcode) => ({ itemId: "pear", barcode, result: "OK" })),
    ],
  });
  for (const barcode of [plum, ...pears]) {
    const { headers, body: sent } = await firstCall(barcode);
    t.is(headers.priority, "normal");
    t.is(JSON.parse(String(sent)).color, "CYAN");
  }
  t.is(callsTo(plum).length, 1);
});

test("every invalid field of a flash of many items returns 400, with its path", async (t) => {
  const faults: [unknown, string[]][] = [
    [undefined, [""]],
    [{}, ["/itemIds"]],
    [{ itemIds: [] }, ["/itemIds"]],
    [{ itemIds: "apple" }, ["/itemIds"]],
    [{ itemIds: Array(1001).fill("apple") }, ["/itemIds"]],
    [{ itemIds: ["apple", "", {}], color: "red" }, ["/color", "/itemIds/1", "/itemIds/2"]],
  ];
  for (const [body, places] of faults) t.deepEqual(pointersOf(await refused(t, await flashItems(body), 400)), places);
});
