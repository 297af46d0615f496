import test from "ava";
import { createDrawing } from "../../../drawing/thread/draw-within-limits.ts";
import type { FileUser } from "../../../queues/derivations/named-files.ts";
import { readNamedFiles } from "../../../queues/derivations/named-files.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import type { FontAnswer, ListedFont } from "../../../schemas/asset.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { assetKey, linkIdOf, linkKey, tenantOf } from "../../../schemas/keys.ts";
import type { ReplacementCount } from "../../../schemas/trial.ts";
import { bodyOf, refused, writeItems, writeLinks } from "../../api/calls.ts";
import { boldSerif, changed, otf } from "../../api/fonts/files.ts";
import { manage } from "../../api/management/calls.ts";
import { putFont } from "../../api/management/image-calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, labelFor } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";
import { partOf } from "../../harness/part-of.ts";

const shelfwire = ownStack();
const area = { x: 4, width: 280, color: "black" };
const canvas = {
  name: "Branded",
  width: 296,
  height: 128,
  background: "white",
  elements: [
    { kind: "text", ...area, y: 0, height: 40, font: "regular", size: 24, text: "${item.itemName}" },
    { kind: "price", ...area, y: 44, height: 80, font: "brand", size: 70, value: "${item.price}" },
  ],
};
const barcode = labelFor("branded");
const pictureOf = async () => {
  const key = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
  return (await shelfwire.system.records.read(renderedImages, [key])).get(key);
};
const drawnOtherwise = (than: string | undefined) =>
  eventually("another picture", async () => {
    const picture = await pictureOf();
    return picture !== undefined && picture.image !== than && !picture.empty ? picture : undefined;
  });
const fontIn = async (name: string) =>
  (await bodyOf<ListedFont[]>(await manage(shelfwire, "GET", "/fonts"))).find((font) => font.name === name);

test.before(async () => {
  await manage(shelfwire, "PUT", "/canvas-designs/branded", canvas);
  const design = { name: "Branded", canvasId: "branded", compatible_esltype_ids: [1328] };
  await manage(shelfwire, "PUT", "/designs/branded", design);
  await writeItems(shelfwire, [{ itemId: "branded", itemName: "Kruh", price: "1.99" }]);
  await writeLinks(shelfwire, "POST", "/links", { barcode, itemId: "branded", designId: "branded" });
});

let last: string | undefined;

test.serial("a price whose font is missing is drawn in another font, and this is reported", async (t) => {
  const { errors, fault, image } = await drawnOtherwise(undefined);
  t.deepEqual([errors, fault], [['the font "brand" does not exist'], undefined]);
  last = image;
});

test.serial("a new or replaced font is drawn on the labels that name it", async (t) => {
  for (const file of [boldSerif, otf]) {
    t.is((await putFont(shelfwire, "brand", file)).status, 200);
    const { errors, image, inputs } = await drawnOtherwise(last);
    t.is(errors, undefined);
    t.true(inputs?.some((input) => input.includes(assetKey(tenantOf(DEMO_STORE), "font", "brand"))));
    last = image;
  }
  t.like(await fontIn("brand"), { isReady: true, fault: null, readableFrom: 10 });
});

test.serial("a preview uses the font that it names, but not another tenant's design", async (t) => {
  const preview = async (font: string) => {
    const elements = canvas.elements.map((element) => ({ ...element, font }));
    const item = { itemId: "p", itemName: "Mlijeko", price: "1" };
    const order = { canvas: { ...canvas, elements }, labelType: 1328, storeId: "main", item };
    return bodyOf<{ png: string; errors: string[] }>(await manage(shelfwire, "POST", "/designs/preview", order));
  };
  const [own, usual] = [await preview("brand"), await preview("regular")];
  t.deepEqual([own.errors, own.png === usual.png], [[], false]);
  const user = {
    ...{
      canvas: canvas as CanvasDesign,
      designId: "x",
      item: partOf<FileUser["item"]>({}),
      labelType: partOf<FileUser["labelType"]>({}),
    },
    designerLink: partOf<FileUser["designerLink"]>({ status: "ACTIVE" }),
  };
  const filesFor = async (tenant: string) =>
    (
      await readNamedFiles(
        shelfwire.system.records.readTogether,
        [partOf<FileUser>({ ...user, tenant })],
        createDrawing(),
      )
    )[0]?.fonts?.get("brand")?.file;
  t.truthy(await filesFor(tenantOf(DEMO_STORE)));
  t.is(await filesFor("t/other"), undefined);
});

const broken = changed(boldSerif, "cmap", (file, at) => file.fill(0, at, at + 4));

test.serial(
  "a font that would make labels worse is refused, and the error states how many; a dry run saves nothing",
  async (t) => {
    const before = await fontIn("brand");
    const dry = await bodyOf<FontAnswer & { replacement: ReplacementCount }>(
      await putFont(shelfwire, "brand?dryRun=true", broken),
    );
    t.not(dry.sha256, before?.sha256);
    const { examples, ...count } = dry.replacement;
    t.deepEqual(count, { labels: 1, drawn: 1, worse: 1, isBounded: false });
    t.like(examples, [{ storeId: "main", barcode }]);
    t.regex(examples[0]?.told.join() ?? "", /^the font "brand" cannot be used: it cannot be decoded/);
    const { detail } = await refused(t, await putFont(shelfwire, "brand", broken), 409);
    t.regex(
      detail ?? "",
      /^This font "brand" would cause new faults, errors or warnings on 1 of the 1 labels .* force=true to replace it anyway\.$/,
    );
    t.deepEqual(await fontIn("brand"), before);
    const unused = await bodyOf<{ replacement: ReplacementCount }>(
      await putFont(shelfwire, "unused?dryRun=true", boldSerif),
    );
    t.like(unused.replacement, { labels: 0, drawn: 0, worse: 0 });
    t.is(await fontIn("unused"), undefined);
  },
);

test.serial(
  "a canvas that would make labels worse is refused unless it is forced, and a dry run counts these labels",
  async (t) => {
    const [text, price] = canvas.elements;
    const narrow = { ...canvas, elements: [text, { ...price, width: 20 }] };
    const path = "/canvas-designs/branded";
    const dry = await bodyOf<{ replacement: ReplacementCount }>(
      await manage(shelfwire, "PUT", `${path}?dryRun=true`, narrow),
    );
    t.like(dry.replacement, { labels: 1, worse: 1, examples: [{ barcode }] });
    t.regex((await refused(t, await manage(shelfwire, "PUT", path, narrow), 409)).detail ?? "", /does not fit 20 x 80/);
    const wide = { ...canvas, elements: [text, { ...price, width: 270 }] };
    const { replacement } = await bodyOf<{ replacement: ReplacementCount }>(await manage(shelfwire, "PUT", path, wide));
    t.like(replacement, { labels: 1, drawn: 1, worse: 0 });
    t.is((await manage(shelfwire, "PUT", `${path}?force=true`, narrow)).status, 200);
    await eventually("the label has a fault", async () => (await pictureOf())?.fault !== undefined);
    t.is((await manage(shelfwire, "PUT", path, canvas)).status, 200);
    last = (
      await eventually(
        "the label shows its earlier picture",
        async () => (await pictureOf())?.fault === undefined && pictureOf(),
      )
    )?.image;
  },
);

test.serial("an unreadable font is reported in the list and with the pictures, which keep their price", async (t) => {
  t.is((await putFont(shelfwire, "brand?force=true", broken)).status, 200);
  const { errors, fault, image } = await drawnOtherwise(last);
  t.regex(errors?.join() ?? "", /^the font "brand" cannot be used: it cannot be decoded: its character map/);
  t.is(fault, undefined);
  t.like(await fontIn("brand"), { isReady: false, readableFrom: null });
  last = image;
});

test.serial("a deleted font no longer exists", async (t) => {
  await putFont(shelfwire, "brand", boldSerif);
  last = (await drawnOtherwise(last)).image;
  t.is((await manage(shelfwire, "DELETE", "/fonts/brand")).status, 204);
  t.deepEqual((await drawnOtherwise(last)).errors, ['the font "brand" does not exist']);
});
