import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { bodyOf, readLabel, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack({ withFront: true });

const makeLabel = async (itemId: string, price?: string): Promise<string> => {
  const barcode = labelFor(itemId, "1210");
  await writeItems(shelfwire, [{ itemId, price }]);
  await writeLabels(shelfwire, [{ barcode, links: [{ itemId }] }]);
  return barcode;
};
const isState = (barcode: string, plState: string) =>
  eventually(`${barcode} is ${plState}`, async () => (await readLabel(shelfwire, barcode)).plState === plState);
const segmentsOf = async (barcode: string) => {
  const answer = await fetch(`http://127.0.0.1:${shelfwire.labelServer.port}/emulator/labels/${barcode}`);
  return ((await answer.json()) as { segments: string | null }).segments;
};

test.serial("a segment label receives the price as text, and is OK when it acknowledges", async (t) => {
  const barcode = await makeLabel("apple", "1.99");
  await isState(barcode, "OK");
  t.is(await segmentsOf(barcode), "    1,99");
  const calls = (shelfwire.front?.orders() ?? []).filter(({ path }) => path.startsWith(`/labels/${barcode}/`));
  t.deepEqual(
    calls.map(({ method, path }) => [method, path]),
    [["PUT", `/labels/${barcode}/segments`]],
  );
});

test.serial("a new price is sent, and the same price is not", async (t) => {
  const barcode = await makeLabel("pear", "2.99");
  await isState(barcode, "OK");
  await writeItems(shelfwire, [{ itemId: "pear", price: "12345.5" }]);
  await isState(barcode, "OK");
  t.is(await segmentsOf(barcode), "12345,50");
  await writeItems(shelfwire, [{ itemId: "pear", itemName: "Pear", price: "12345.50" }]);
  await isState(barcode, "OK");
  t.is(shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.received, 2);
});

test.serial("a segment label's image is a PNG of its segments in its type's size", async (t) => {
  const [one, other] = [await makeLabel("plum", "3.49"), await makeLabel("cherry", "3.59")];
  const pictures = [];
  for (const barcode of [one, other]) {
    await isState(barcode, "OK");
    const answer = await shelfwire.call("GET", `/labels/${barcode}/image`);
    t.is(answer.headers.get("content-type"), "image/png");
    const png = Buffer.from(await answer.arrayBuffer());
    t.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [96, 32]);
    pictures.push(png);
  }
  t.notDeepEqual(pictures[0], pictures[1]);
});

test.serial("if the text does not fit, the label is in ERROR and shows no stale price", async (t) => {
  const barcode = await makeLabel("quince", "1.99");
  await isState(barcode, "OK");
  await writeItems(shelfwire, [{ itemId: "quince", price: "1234567.89" }]);
  await isState(barcode, "ERROR");
  await eventually("the label shows nothing", async () => (await segmentsOf(barcode)) === "");
  await writeItems(shelfwire, [{ itemId: "quince", price: "0.5" }]);
  await isState(barcode, "OK");
  t.is(await segmentsOf(barcode), "    0,50");
});

test.serial("a segment label shows dashes for an item without a price", async (t) => {
  const barcode = await makeLabel("medlar");
  await isState(barcode, "OK");
  t.is(await segmentsOf(barcode), "    ----");
});

test.serial("a refresh sends the text again", async (t) => {
  const barcode = await makeLabel("grape", "4.49");
  await isState(barcode, "OK");
  t.is(await bodyOf<string>(await shelfwire.call("POST", "/labels/refresh/Segment")), "7 labels");
  await eventually("the text is sent again", async () => {
    return shelfwire.labelServer.labels.get(barcode)?.pages.get(0)?.received === 2;
  });
  t.is(await segmentsOf(barcode), "    4,49");
});
