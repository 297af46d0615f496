import test from "ava";
import { openImageFiles } from "../../../records/files/image-files.ts";
import { openUploads } from "../../../records/files/uploads.ts";
import { assetFiles, assets, canvasDesigns } from "../../../records/kinds/designs.ts";
import { itemPages } from "../../../records/kinds/items.ts";
import { labelStates } from "../../../records/kinds/labels.ts";
import { eccEslImages, eslImages, renderedImages } from "../../../records/kinds/pictures.ts";
import { assetKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";
import { ago, cleanUpOf, DAY_MS, STORE, TENANT } from "./a-clean-up.ts";

const world = ownSystem();
const { runCleanUp, picture, isStored, set } = cleanUpOf(world);
test.beforeEach(() => world.system.db.collection("lease").deleteMany({}));

test.serial("an unreferenced picture is deleted after a day without use", async (t) => {
  const [unused, young] = [await picture("unused", DAY_MS + 1), await picture("young", DAY_MS)];
  await runCleanUp();
  t.false(await isStored(unused));
  t.true(await isStored(young), "its record may not be written yet");
});

const state: LabelState = { ...newLabelState(), battery: "OK" };
const shows = { link: "a", linkRev: 1, item: "b", itemRev: 1 };
const canvas = { name: "poster", width: 10, height: 10, background: "white" as const };
const area = { x: 0, y: 0, width: 1, height: 1 };

const pointers: [string, (image: string, key: string) => Promise<unknown>][] = [
  [
    "the picture of a link",
    (image, key) => set(renderedImages, key, { shows, image, width: 1, height: 1, empty: false, warnings: [] }),
  ],
  [
    "the ECC picture of a link",
    (image, key) => set(eccEslImages, key, { shows, image, width: 1, height: 1, empty: false, warnings: [] }),
  ],
  ["an image that designs name", (image, key) => set(assetFiles, key, { image })],
  [
    "an item's page image",
    (image, key) => {
      const page = { page: 0, width: 1, height: 1, colors: ["white" as const], image, stamp: 1 };
      return set(itemPages, key, { itemId: "x", images: [page], removed: [] });
    },
  ],
  [
    "a label's page",
    (image, key) =>
      set(eslImages, key, {
        pages: [
          { page: 0, image: "x" },
          { page: 1, image },
        ],
        shows: [],
      }),
  ],
  [
    "a page that a label should show",
    (image, key) => set(labelStates, key, { ...state, wanted: [{ page: 0, image }] }),
  ],
  [
    "the page that is being sent to a label",
    (image, key) => set(labelStates, key, { ...state, sending: { number: 1, page: 0, image } }),
  ],
];
for (const [what, point] of pointers) {
  test.serial(`a picture is kept while it is ${what}, and deleted when it no longer is`, async (t) => {
    const image = await picture(what, 10 * DAY_MS);
    const key = `${STORE}/records/${what.replaceAll(" ", "-")}`;
    await point(image, key);
    await runCleanUp();
    t.true(await isStored(image));
    await point("0".repeat(64), key);
    await runCleanUp(ago(-DAY_MS));
    t.true(await isStored(image), "the file was in use a day ago");
    await runCleanUp(ago(-DAY_MS - 1));
    t.false(await isStored(image));
  });
}

test.serial("a picture is kept while a canvas design draws it", async (t) => {
  const [drawn, notDrawn] = [await picture("drawn", 10 * DAY_MS), await picture("not drawn", 10 * DAY_MS)];
  const box = { kind: "box" as const, ...area };
  const image = { kind: "image" as const, ...area, image: drawn };
  await set(canvasDesigns, `${TENANT}/canvasdesigns/poster`, { ...canvas, elements: [box, image] });
  await runCleanUp();
  t.deepEqual([await isStored(drawn), await isStored(notDrawn)], [true, false]);
});

test.serial("a picture is kept while a canvas design's variant for another label size draws it", async (t) => {
  const drawn = await picture("of a variant", 10 * DAY_MS);
  const variant = { width: 20, height: 20, background: "white" as const };
  const elements = [{ kind: "image" as const, ...area, image: drawn }];
  const key = `${TENANT}/canvasdesigns/sizes`;
  await set(canvasDesigns, key, { ...canvas, elements: [], variants: [{ ...variant, elements }] });
  await runCleanUp();
  t.true(await isStored(drawn));
});

test.serial(
  "a tenant's uploads for designs are kept, both as sent and as decoded, until they are deleted",
  async (t) => {
    const uploads = openUploads(world.system.db, ago(10 * DAY_MS));
    const image = await picture("decoded", 10 * DAY_MS);
    const upload = await uploads.put(TENANT, Buffer.from("an image"));
    const key = assetKey(TENANT, "image", "logo");
    const asset = { type: "image", mediaType: "image/png", upload, bytes: 8, width: 1, height: 1 } as const;
    await set(assets, key, asset);
    await set(assetFiles, key, { image });
    const present = async () => [await isStored(image), (await uploads.read(TENANT, upload)) !== undefined];
    await runCleanUp();
    t.deepEqual(await present(), [true, true]);
    await set(assets, key, { ...asset, deleted: true });
    await set(assetFiles, key, {});
    await runCleanUp(ago(-DAY_MS - 1));
    t.deepEqual(await present(), [false, false]);
  },
);

test.serial("a record keeps only its own tenant's picture", async (t) => {
  const image = await picture("shared", 10 * DAY_MS);
  await picture("shared", 10 * DAY_MS, "t/other");
  await set(eslImages, `${STORE}/labels/shared`, { pages: [{ page: 0, image }], shows: [] });
  await runCleanUp();
  t.deepEqual([await isStored(image), await isStored(image, "t/other")], [true, false]);
});

test.serial("a picture that is used again is kept like a new one", async (t) => {
  const image = await picture("again", 10 * DAY_MS);
  await picture("again", 0);
  await runCleanUp();
  t.true(await isStored(image));
});

test.serial("each of many records keeps its picture", async (t) => {
  const images = await Promise.all(Array.from({ length: 1_200 }, (_, index) => picture(`many-${index}`, 2 * DAY_MS)));
  const keys = new Map(images.map((image, index) => [`${STORE}/labels/many-${index}`, image]));
  const body = (key: string) => ({ pages: [{ page: 0, image: keys.get(key) ?? "" }], shows: [] });
  await world.system.commit.change(eslImages, [...keys.keys()].slice(0, 1_150), body, "bulk");
  await runCleanUp();
  const stored = await openImageFiles(world.system.db, ago(0)).read(TENANT, images);
  t.deepEqual(
    images.filter((image) => stored.has(image)),
    images.slice(0, 1_150),
  );
});
