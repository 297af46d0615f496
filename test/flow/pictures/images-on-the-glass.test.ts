import test from "ava";
import { Jimp } from "jimp";
import { createReplacements, replacementLimits } from "../../../api/management/replacement/count-worse.ts";
import { createDecoding } from "../../../drawing/decoding/decoding.ts";
import { createDrawing } from "../../../drawing/thread/draw-within-limits.ts";
import { auditKey } from "../../../queues/changes/audit-key.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { assetFiles } from "../../../records/kinds/designs.ts";
import { renderedImages } from "../../../records/kinds/pictures.ts";
import type { ListedImage } from "../../../schemas/asset.ts";
import { imageFileKey, linkIdOf, linkKey, tenantOf } from "../../../schemas/keys.ts";
import type { ReplacementCount } from "../../../schemas/trial.ts";
import { bodyOf, refused, writeItems, writeLinks } from "../../api/calls.ts";
import { manage } from "../../api/management/calls.ts";
import { pngOf, putImage } from "../../api/management/image-calls.ts";
import { eventually } from "../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, transmissions } from "../../harness/glass.ts";
import { ownStack } from "../../harness/own.ts";

const shelfwire = ownStack();
const RED = 0xff0000ff;
const BLACK = 0x000000ff;
const WHITE = 0xffffffff;

const image = { kind: "image", x: 200, y: 20, width: 80, height: 80, fit: "fill" };
const canvas = {
  name: "Score",
  width: 296,
  height: 128,
  background: "white",
  elements: [
    {
      kind: "price",
      x: 4,
      y: 4,
      width: 180,
      height: 80,
      font: "bold",
      size: 60,
      color: "black",
      value: "${item.price}",
    },
    { ...image, image: "nutri-${item.nutriScore}", visible: "has(item.nutriScore)" },
  ],
};

test.before(async () => {
  await manage(shelfwire, "PUT", "/canvas-designs/score", canvas);
  await manage(shelfwire, "PUT", "/designs/score", {
    name: "Score",
    canvasId: "score",
    compatible_esltype_ids: [1328],
  });
});

async function hang(name: string, nutriScore?: string): Promise<string> {
  const barcode = labelFor(name);
  const properties: Record<string, string> = nutriScore === undefined ? {} : { nutriScore };
  await writeItems(shelfwire, [{ itemId: name, itemName: name, price: "1.99", properties }]);
  await writeLinks(shelfwire, "POST", "/links", { barcode, itemId: name, designId: "score" });
  return barcode;
}

/** Returns the colour in the middle of the image on the glass. */
async function seenOn(barcode: string): Promise<number> {
  const { bitmap } = await Jimp.read(await glassOf(shelfwire, barcode));
  return bitmap.data.readUInt32BE((60 * bitmap.width + 240) * 4);
}
const shows = (barcode: string, color: number) =>
  eventually(`${barcode} shows ${color.toString(16)}`, async () => (await seenOn(barcode)) === color);
const pictureOf = async (barcode: string) => {
  const key = linkKey(DEMO_STORE, linkIdOf(barcode, 0));
  return (await shelfwire.system.records.read(renderedImages, [key])).get(key);
};

test.serial("a design shows the image that the item's value names", async (t) => {
  await putImage(shelfwire, "nutri-a", await pngOf(RED));
  await putImage(shelfwire, "nutri-b", await pngOf(BLACK));
  const [a, b] = [await hang("image-a", "a"), await hang("image-b", "b")];
  await shows(a, RED);
  await shows(b, BLACK);
  t.deepEqual((await pictureOf(a))?.errors, undefined);
});

test.serial("a changed image is redrawn only on the labels that show it", async (t) => {
  const [a, b, none] = [labelFor("image-a"), labelFor("image-b"), await hang("image-none")];
  await glassOf(shelfwire, none);
  const before = await Promise.all([b, none].map(async (one) => (await pictureOf(one))?.rev));
  await putImage(shelfwire, "nutri-a", await pngOf(BLACK));
  await shows(a, BLACK);
  t.deepEqual(await Promise.all([b, none].map(async (one) => (await pictureOf(one))?.rev)), before);
});

test.serial(
  "an image that leaves no ink is refused, and the error counts its labels, even if designs name it through the item",
  async (t) => {
    const white = await pngOf(WHITE);
    const { detail } = await refused(t, await putImage(shelfwire, "nutri-a", white), 409);
    t.regex(
      detail ?? "",
      /^This image "nutri-a" would cause new faults, errors or warnings on 1 of the 3 labels .*"nutri-a" is invisible/,
    );
    const { replacement } = await bodyOf<{ replacement: ReplacementCount }>(
      await putImage(shelfwire, "nutri-a?dryRun=true", white),
    );
    t.like(replacement, { labels: 3, drawn: 3, worse: 1, isBounded: false });
  },
);

test.serial("a count of labels has a limit and says when it is reached", async (t) => {
  const { db, records, now } = shelfwire.system;
  const world = {
    ...{ records, imageFiles: openImageFiles(db, now), uploads: openUploads(db, now) },
    ...{ drawing: createDrawing(), ...createDecoding() },
  };
  const asset = { file: await pngOf(WHITE), mediaType: "image/png" } as const;
  for (const [limits, drawn] of [
    [{}, 3],
    [{ drawn: 2 }, 2],
    [{ scanned: 1 }, 3],
    [{ ms: 0 }, 0],
  ] as const) {
    let time = 0;
    const clock = () => (time += 1);
    const { ofImage } = createReplacements({ ...world, clock, limits: { ...replacementLimits, ...limits } });
    const count = await ofImage(tenantOf(DEMO_STORE), "nutri-a", asset);
    t.deepEqual([count.drawn, count.isBounded], [drawn, Object.keys(limits).length > 0], JSON.stringify(limits));
  }
});

test.serial("a file that no label shows is counted without being decoded", async (t) => {
  const { db, records, now } = shelfwire.system;
  const { ofImage, ofFont } = createReplacements({
    ...{ records, imageFiles: openImageFiles(db, now), uploads: openUploads(db, now), drawing: createDrawing() },
    decodeAsset: () => Promise.reject(new Error("it is decoded")),
    clock: () => 0,
  });
  const none = { labels: 0, drawn: 0, worse: 0, isBounded: false, examples: [] };
  t.deepEqual(await ofImage("a-tenant-without-labels", "logo", { file: Buffer.of(1), mediaType: "image/png" }), none);
  t.deepEqual(await ofFont(tenantOf(DEMO_STORE), "unused", { file: Buffer.of(1), mediaType: "font/ttf" }), none);
});

test.serial("a missing image is reported while the rest is drawn, and is drawn once it is uploaded", async (t) => {
  const barcode = await hang("image-c", "c");
  await shows(barcode, WHITE);
  t.like(await pictureOf(barcode), {
    errors: ['the image "nutri-c" does not exist'],
    notices: [{ code: "IMAGE_MISSING", values: { name: "nutri-c" } }],
  });
  t.is((await pictureOf(barcode))?.fault, undefined);
  await putImage(shelfwire, "nutri-c", await pngOf(RED));
  await shows(barcode, RED);
  t.is((await pictureOf(barcode))?.errors, undefined);
});

test.serial("a deleted image is omitted", async (t) => {
  const barcode = labelFor("image-c");
  t.is((await manage(shelfwire, "DELETE", "/images/nutri-c")).status, 204);
  await shows(barcode, WHITE);
  t.like(await pictureOf(barcode), {
    errors: ['the image "nutri-c" does not exist'],
    notices: [{ code: "IMAGE_MISSING", values: { name: "nutri-c" } }],
  });
});

test.serial("an undecodable image is reported in the list and with the pictures that lack it", async (t) => {
  const barcode = await hang("image-d", "d");
  // Well-formed as far as the API checks, but not for the renderer.
  await putImage(shelfwire, "nutri-d", Buffer.from('<svg viewBox="0 0 1 1"><a></b></svg>'));
  const listed = await eventually("nutri-d has a fault", async () => {
    const all = await bodyOf<ListedImage[]>(await manage(shelfwire, "GET", "/images"));
    return all.find(({ name, fault }) => name === "nutri-d" && fault !== null);
  });
  t.like(listed, { isReady: false });
  await eventually("the picture reports the image", async () =>
    (await pictureOf(barcode))?.errors?.some((error) => /"nutri-d" cannot be used: it cannot be decoded/.test(error)),
  );
  t.true(transmissions(shelfwire, barcode) > 0);
});

test.serial("a preview shows the image that it names", async (t) => {
  const order = {
    canvas,
    labelType: 1328,
    storeId: "main",
    item: { itemId: "p", price: "1", properties: { nutriScore: "b" } },
  };
  const { png, errors } = await bodyOf<{ png: string; errors: string[] }>(
    await manage(shelfwire, "POST", "/designs/preview", order),
  );
  const { bitmap } = await Jimp.read(Buffer.from(png, "base64"));
  t.deepEqual([bitmap.data.readUInt32BE((60 * 296 + 240) * 4), errors], [BLACK, []]);
});

test.serial("an image whose decoded file was lost is decoded again by its stage's audit", async (t) => {
  const { db, records, now } = shelfwire.system;
  const tenant = tenantOf(DEMO_STORE);
  const files = new Set<string>();
  for await (const batch of records.scan(assetFiles, `${tenant}/`))
    for (const { image } of batch) if (image !== undefined) files.add(imageFileKey(tenant, image));
  t.true(files.size > 0);
  await db.collection<{ _id: string }>("image").deleteMany({ _id: { $in: [...files] } });
  const walker = createWalker({ ...shelfwire.system, queue: "pages", stages: [] });
  await walker.begin(auditKey("pages", tenant), `${tenant}/`, { reason: "a test requests it" });
  await eventually(
    "the files are stored again",
    async () => (await openImageFiles(db, now).findMissing([...files])).size === 0,
  );
});
