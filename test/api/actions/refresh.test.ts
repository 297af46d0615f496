import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { addModel, bodyOf, readLabel, refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ withFront: true });
test.before(async () => {
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
});

/** Links labels to the apple, and waits for their pictures. */
async function makeLabels(names: readonly string[], type?: string): Promise<string[]> {
  const barcodes = names.map((name) => labelFor(name, type));
  await writeLabels(
    shelfwire,
    barcodes.map((barcode) => ({ barcode, links: [{ itemId: "apple" }] })),
  );
  for (const barcode of barcodes) await glassOf(shelfwire, barcode);
  return barcodes;
}
const refresh = (path: string) => shelfwire.call("POST", path);
/** Waits until this many pictures have been sent to each label and the label is OK. */
const sentAgain = (barcodes: readonly string[], times: number) =>
  eventually("all pictures were sent again", async () => {
    const states = await Promise.all(barcodes.map(async (barcode) => (await readLabel(shelfwire, barcode)).plState));
    return barcodes.every((one) => transmissions(shelfwire, one) >= times) && states.every((one) => one === "OK");
  });

test.serial("a refresh sends a label its picture again; the label is PENDING until it acknowledges", async (t) => {
  const [barcode = ""] = await makeLabels(["one"]);
  const glass = await glassOf(shelfwire, barcode);
  shelfwire.front?.answer(({ path }) => (path.includes(`${barcode}/pages`) ? "held" : undefined));
  t.deepEqual(await bodyOf(await refresh(`/labels/${barcode}/refresh`)), { result: "OK" });
  t.is((await readLabel(shelfwire, barcode)).plState, "PENDING");
  shelfwire.front?.release();
  await sentAgain([barcode], 2);
  t.deepEqual(await glassOf(shelfwire, barcode), glass);
  t.is(transmissions(shelfwire, barcode), 2);
});

test.serial("the same pixels update lastOkUpdate but not lastDisplayUpdate", async (t) => {
  const [barcode = ""] = await makeLabels(["dated"]);
  const iso = "?serializeDatesToIso8601=true";
  const before = await readLabel(shelfwire, barcode, iso);
  await refresh(`/labels/${barcode}/refresh`);
  await sentAgain([barcode], 2);
  const after = await readLabel(shelfwire, barcode, iso);
  t.is(after.lastDisplayUpdate, before.lastDisplayUpdate);
  t.true((after.lastOkUpdate ?? "") > (before.lastOkUpdate ?? ""));
});

test.serial("refreshing a model sends pictures to its labels only, and returns their number", async (t) => {
  const large = await makeLabels(["large 1", "large 2", "large 3"], "1314");
  const [other = ""] = await makeLabels(["not large"]);
  const answer = await refresh("/labels/refresh/Large");
  t.is(answer.headers.get("content-type"), "application/json; charset=utf-8");
  t.is(await bodyOf<string>(answer), "3 labels");
  await sentAgain(large, 2);
  for (const barcode of large) t.is(transmissions(shelfwire, barcode), 2);
  t.is(transmissions(shelfwire, other), 1);
});

test.serial("a model without labels returns 0 labels, and an unknown model returns 404", async (t) => {
  t.is(await bodyOf<string>(await refresh("/labels/refresh/Poster")), "0 labels");
  const { detail } = await refused(t, await refresh("/labels/refresh/Nothing"), 404);
  t.regex(detail, /"Nothing"/);
});

test.serial("a model's name may be an action's name or contain a slash", async (t) => {
  for (const name of ["flash", "refresh", "display-page", "flash-with-department", "links", "a/b"]) {
    await addModel(shelfwire, { name, labelTypes: [1639], linkPositions: 1 });
    t.is(await bodyOf<string>(await refresh(`/labels/refresh/${encodeURIComponent(name)}`)), "0 labels", name);
  }
});

test.serial("a refresh sends a label's picture again after its transmission was given up", async (t) => {
  const barcode = labelFor("given up");
  shelfwire.front?.answer(({ path }) => (path.includes(`${barcode}/pages`) ? { status: 400 } : undefined));
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
  await eventually(
    "the transmission is given up",
    async () => (await readLabel(shelfwire, barcode)).plState === "ERROR",
  );
  shelfwire.front?.answer(({ path }) => (path.includes(`${barcode}/pages`) ? "held" : undefined));
  await refresh(`/labels/${barcode}/refresh`);
  t.is((await readLabel(shelfwire, barcode)).plState, "PENDING");
  shelfwire.front?.release();
  await sentAgain([barcode], 1);
});

test.serial("a label without a picture stays NEW, and an unknown label returns 404", async (t) => {
  const barcode = labelFor("bare");
  await writeLabels(shelfwire, [{ barcode }]);
  t.deepEqual(await bodyOf(await refresh(`/labels/${barcode}/refresh`)), { result: "OK" });
  t.is((await readLabel(shelfwire, barcode)).plState, "NEW");
  await refused(t, await refresh(`/labels/${labelFor("nowhere")}/refresh`), 404);
});

test.serial("a refresh that Redis lost or never received is still carried out", async (t) => {
  const small = await makeLabels(["small 1", "small 2"], "1317");
  shelfwire.front?.answer(({ path }) => (path.includes("/pages/") ? { status: 503 } : undefined));
  t.is(await bodyOf<string>(await refresh("/labels/refresh/Small")), "2 labels");
  await shelfwire.system.redis.flushall();
  shelfwire.front?.release();
  await sentAgain(small, 2);
  t.pass();
});

test.serial("the transmitter records a refresh that the API journaled before it was killed", async (t) => {
  const [barcode = ""] = await makeLabels(["left behind"]);
  const rows = [barcode];
  await shelfwire.system.accept({ store: "t/demo/s/main", operation: "refresh-labels", rows, ordered: false });
  await sentAgain([barcode], 2);
  t.pass();
});

test.serial("one call refreshes many labels, and a journaled refresh has no result", async (t) => {
  const before = await shelfwire.client.patchItems([{ itemId: "marker" }]);
  const barcodes = Array.from({ length: 2500 }, (_, index) => labelFor(`crowd ${index}`, "1353"));
  await writeLabels(
    shelfwire,
    barcodes.map((barcode) => ({ barcode })),
  );
  t.is(await bodyOf<string>(await refresh("/labels/refresh/Poster")), "2500 labels");
  const number = before + 2;
  await eventually("the refresh is applied", () =>
    shelfwire.system.numbers.isSettledBefore("t/demo/s/main", number + 1),
  );
  for (const path of [`/labels-result/${number}`, `/items-result/${number}`])
    await refused(t, await shelfwire.call("GET", path), 404);
  const [asked] = await bodyOf<{ event: string }[]>(await shelfwire.call("GET", `/labels/${barcodes[2499]}/history`));
  t.is(asked?.event, "refresh");
});
