import test from "ava";
import { eventually } from "../../harness/eventually.ts";
import { glassOf, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { refused, writeItems, writeLabels } from "../calls.ts";

const shelfwire = ownStack();

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const imageOf = (barcode: string) => shelfwire.call("GET", `/labels/${barcode}/image`);

test.serial("a label's picture is a PNG of its type's size and shows what is on the glass", async (t) => {
  await writeItems(shelfwire, [{ itemId: "apple", itemName: "Apple", price: "1.99" }]);
  for (const [type, width, height] of [
    ["1328", 296, 128],
    ["1314", 400, 300],
    ["1317", 152, 152],
  ] as const) {
    const barcode = labelFor("apple", type);
    await writeLabels(shelfwire, [{ barcode, links: [{ itemId: "apple" }] }]);
    const glass = await glassOf(shelfwire, barcode);
    const answer = await imageOf(barcode);
    const png = Buffer.from(await answer.arrayBuffer());
    t.is(answer.headers.get("content-type"), "image/png");
    t.deepEqual(png.subarray(0, 8), PNG);
    t.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [width, height]);
    t.deepEqual(png, glass);
  }
});

test.serial("callers who may read a label can read its earlier pictures, but only through that label", async (t) => {
  const [barcode, other] = [labelFor("plum"), labelFor("cherry")];
  await writeItems(shelfwire, [
    { itemId: "plum", itemName: "Plum", price: "1.99" },
    { itemId: "cherry", itemName: "Cherry", price: "3.99" },
  ]);
  await writeLabels(shelfwire, [
    { barcode, links: [{ itemId: "plum" }] },
    { barcode: other, links: [{ itemId: "cherry" }] },
  ]);
  const before = await glassOf(shelfwire, barcode);
  await glassOf(shelfwire, other);
  await writeItems(shelfwire, [{ itemId: "plum", price: "2.99" }]);
  await eventually("the new price is on the glass", async () => !(await glassOf(shelfwire, barcode)).equals(before));
  const picturesOf = async (label: string) =>
    ((await (await shelfwire.call("GET", `/labels/${label}/history`)).json()) as { image: string | null }[]).flatMap(
      ({ image }) => image ?? [],
    );
  const pictureOf = (label: string, sha256: string) => shelfwire.call("GET", `/labels/${label}/images/${sha256}`);
  const [, earlier = ""] = new Set(await picturesOf(barcode));
  const answer = await pictureOf(barcode, earlier);
  t.is(answer.headers.get("content-type"), "image/png");
  t.deepEqual(Buffer.from(await answer.arrayBuffer()), before);
  const [ofOther = ""] = await picturesOf(other);
  t.is((await pictureOf(other, ofOther)).status, 200);
  await refused(t, await pictureOf(barcode, ofOther), 404);
  await refused(t, await pictureOf(labelFor("nowhere"), earlier), 404);
});

test.serial("a label without a picture returns 404, and so does an unknown label", async (t) => {
  const barcode = labelFor("bare");
  await writeLabels(shelfwire, [{ barcode }]);
  await refused(t, await imageOf(barcode), 404);
  await refused(t, await imageOf(labelFor("nowhere")), 404);
});
