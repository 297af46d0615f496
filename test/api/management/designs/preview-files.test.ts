import test from "ava";
import { ownStack } from "../../../harness/own.ts";
import { bodyOf, pointersOf, refused } from "../../calls.ts";
import { otf } from "../../fonts/files.ts";
import { manage } from "../calls.ts";

const shelfwire = ownStack({ workers: [] });

const area = { x: 0, y: 0, width: 296, height: 128 };
const canvasOf = (element: object) => ({
  ...{ name: "files", width: 296, height: 128, background: "white", elements: [{ ...area, ...element }] },
});
const picture = canvasOf({ kind: "image", image: "badge" });
const item = { itemId: "7", itemName: "Kruh", price: "1.99" };
const preview = (canvas: object, more: object) =>
  manage(shelfwire, "POST", "/designs/preview", { canvas, item, storeId: "main", labelType: 1328, ...more });
const drawn = async (canvas: object, more: object) =>
  bodyOf<{ png: string; errors: string[]; warnings: string[] }>(await preview(canvas, more));
const svg = (shape: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">${shape}</svg>`).toString("base64");

test("a preview shows an image that is not stored, and each file of the same name as its own picture", async (t) => {
  const square = { images: [{ name: "badge", file: [svg('<rect width="40" height="40"/>')] }] };
  const round = { images: [{ name: "badge", file: [svg('<circle cx="20" cy="20" r="20"/>')] }] };
  const [without, one, other] = [await drawn(picture, {}), await drawn(picture, square), await drawn(picture, round)];
  t.true(without.errors.length + without.warnings.length > 0, "the tenant has no such image");
  t.deepEqual([...one.errors, ...one.warnings], []);
  t.is(new Set([without.png, one.png, other.png]).size, 3);
  const listed = await bodyOf<{ name: string }[]>(await manage(shelfwire, "GET", "/images"));
  t.false(
    listed.some(({ name }) => name === "badge"),
    "the preview does not store the image",
  );
});

test("a preview draws text in a font that is not stored and was sent in several pieces", async (t) => {
  const pieces =
    Buffer.from(otf)
      .toString("base64")
      .match(/.{1,60000}/g) ?? [];
  const text = canvasOf({ kind: "text", font: "house", size: 40, color: "black", text: "${item.itemName}" });
  const one = await drawn(text, { fonts: [{ name: "house", file: pieces }] });
  t.deepEqual(one.errors, []);
  t.not(one.png, (await drawn(text, {})).png);
});

test("a file that is not an image is refused, with its place", async (t) => {
  const broken = { images: [{ name: "badge", file: [Buffer.from("broken").toString("base64")] }] };
  t.deepEqual(pointersOf(await refused(t, await preview(picture, broken), 400)), ["/images/0/file"]);
  const spaced = { images: [{ name: "badge", file: ["no base64"] }] };
  t.deepEqual(pointersOf(await refused(t, await preview(picture, spaced), 400)), ["/images/0/file/0"]);
});
