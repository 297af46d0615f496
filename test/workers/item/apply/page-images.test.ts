import test from "ava";
import type { PageSize } from "../../../../domain/items/page-sizes.ts";
import type { DrawnPages } from "../../../../drawing/decoding/draw-pages.ts";
import { UnavailableError } from "../../../../records/mongodb/unavailable.ts";
import { pageDrawingsKey } from "../../../../schemas/keys.ts";
import type { PageRow } from "../../../../schemas/page-image.ts";
import { rowErrors, rowNotice } from "../../../../schemas/row-notice.ts";
import { createDrawRows } from "../../../../workers/pages/draw-rows.ts";
import type { PagesWorld } from "../../../../workers/pages/world.ts";
import { createWorld } from "../world.ts";

const size: PageSize = { width: 296, height: 128, colors: ["white", "black"] };
const drawn = (sha256: string): DrawnPages => ({
  width: 296,
  height: 128,
  pictures: [{ size, file: { sha256, png: Buffer.alloc(0), width: 296, height: 128 } }],
});
const row = (fields: Partial<PageRow> = {}): PageRow => ({
  itemId: "milk",
  page: 0,
  resize: 0,
  upload: "u",
  pixels: 37_888,
  ...fields,
});

type World = Parameters<typeof createWorld>[0] & Partial<PagesWorld>;

/** A world with one label size, in which every upload can be decoded. */
function createShop(overrides: World = {}) {
  const put: string[] = [];
  const { mustExist = async () => true } = overrides;
  const world = createWorld({ mustExist });
  const draw = createDrawRows({
    pageSizesOf: async (_store, _itemId, page) => (page < 2 ? [size] : []),
    readUpload: async (_store, sha256) => Buffer.from(sha256),
    drawPages: async ({ file }) => drawn(`drawn ${Buffer.from(file).toString()}`),
    async putPictures(_store, files) {
      put.push(...files.map(({ sha256 }) => sha256));
    },
    setImages: async (_store, itemId, images, _urgency, source) => world.setImages(itemId, images, source),
    isUnavailable: () => false,
    ...overrides,
  });
  /** Draws the ordered pages; returns their outcomes. */
  const drawOrdered = async () => {
    const rows = world.drawings.splice(0).map((row) => ({ row, stamp: row.stamp }));
    return (await draw(pageDrawingsKey("t/demo/s/main"), rows, "interactive")).flat();
  };
  const setPage = async (number: number, ...rows: PageRow[]) => [
    ...(await world.setPage(number, ...rows)),
    ...(await drawOrdered()),
  ];
  return { ...world, put, setPage, take: world.setPage, drawOrdered };
}
const imagesOf = ({ pagesOf }: ReturnType<typeof createShop>, itemId = "milk") =>
  pagesOf(itemId)?.images.map(({ page, image }) => [page, image]);

test("an upload is drawn, its pictures are stored, and the item's page shows them", async (t) => {
  const world = createShop();
  await world.patch(1, { itemId: "milk" });
  t.deepEqual(await world.setPage(2, row(), row({ page: 1, upload: "v" })), [
    { itemId: "milk", status: "SUCCESS", errors: [] },
    { itemId: "milk", status: "SUCCESS", errors: [] },
  ]);
  t.deepEqual(imagesOf(world), [
    [0, "drawn u"],
    [1, "drawn v"],
  ]);
  t.deepEqual(world.put, ["drawn u", "drawn v"]);
});

test("an item records the upload that its page is drawn from until the page is removed", async (t) => {
  const world = createShop();
  await world.patch(1, { itemId: "milk" });
  await world.setPage(2, row({ resize: 1 }));
  t.like(world.pagesOf("milk")?.sources, {
    length: 1,
    0: { page: 0, upload: "u", resize: 1, width: 296, height: 128, stamp: world.pagesOf("milk")?.images[0]?.stamp },
  });
  await world.removePage(3, row());
  t.deepEqual(world.pagesOf("milk")?.sources, []);
});

test("an unknown item results in ERROR for the row if ITEM_MUST_EXIST is true", async (t) => {
  const world = createShop();
  const unknown = rowErrors(rowNotice("ITEM_UNKNOWN", { item: "milk" }));
  t.deepEqual(await world.setPage(1, row()), [{ itemId: "milk", status: "ERROR", ...unknown }]);
  t.is(world.itemOf("milk"), undefined);
  await world.patch(2, { itemId: "milk" });
  await world.remove(3, "milk");
  t.is((await world.setPage(4, row()))[0]?.status, "ERROR", "a deleted item is unknown as well");
});

test("an unknown item is created if ITEM_MUST_EXIST is false, even after a deletion", async (t) => {
  const world = createShop({ mustExist: async () => false });
  t.is((await world.setPage(1, row()))[0]?.status, "SUCCESS_NEW_ITEM");
  t.is((await world.setPage(1, row()))[0]?.status, "SUCCESS_NEW_ITEM", "applied again, the row has the same outcome");
  t.is((await world.setPage(2, row()))[0]?.status, "SUCCESS");
  await world.remove(3, "milk");
  t.is((await world.setPage(4, row()))[0]?.status, "SUCCESS_NEW_ITEM");
  t.like(world.itemOf("milk"), { itemId: "milk", deleted: undefined });
});

const failures: [rule: string, overrides: World, error: RegExp][] = [
  ["a page that no label has", { pageSizesOf: async () => [] }, /has a page 0/],
  [
    "an image with no label's size",
    { drawPages: async () => ({ width: 3, height: 4, pictures: [] }) },
    /is 3 x 4 pixels, but page 0 .* 296 x 128/,
  ],
  ["a missing upload", { readUpload: async () => undefined }, /send it again/],
  ["an image that cannot be decoded", { drawPages: () => Promise.reject(new Error("odd")) }, /cannot be decoded: odd/],
];
for (const [rule, overrides, error] of failures) {
  test(`${rule} results in ERROR for the row and sets nothing`, async (t) => {
    const world = createShop(overrides);
    await world.patch(0, { itemId: "milk" });
    const [outcome] = await world.setPage(1, row());
    t.is(outcome?.status, "ERROR");
    t.regex(outcome?.errors[0] ?? "", error);
    t.deepEqual(imagesOf(world), []);
  });
}

test("an upload creates its item in its turn, before the drawing, and a failed drawing keeps the item", async (t) => {
  const world = createShop({ mustExist: async () => false, drawPages: () => Promise.reject(new Error("odd")) });
  t.deepEqual(await world.take(1, row()), [], "the row has the drawing's outcome");
  t.is(world.itemOf("milk")?.itemId, "milk");
  t.is((await world.drawOrdered())[0]?.status, "ERROR");
});

test("later requests count even if they are applied before the drawing has ended", async (t) => {
  const world = createShop();
  await world.patch(1, { itemId: "milk" });
  await world.take(2, row(), row({ page: 1 }));
  await world.removePage(3, { itemId: "milk", page: 0 });
  await world.drawOrdered();
  t.deepEqual(imagesOf(world), [[1, "drawn u"]], "a removal");
  await world.take(4, row({ upload: "late" }));
  await world.setPage(5, row({ page: 1, upload: "newer" }));
  t.deepEqual(imagesOf(world), [
    [0, "drawn late"],
    [1, "drawn newer"],
  ]);
  await world.take(6, row());
  await world.remove(7, "milk");
  await world.patch(8, { itemId: "milk" });
  await world.drawOrdered();
  t.deepEqual(imagesOf(world), [], "a deletion");
});

test("a database outage is not reported as a fault of the image", async (t) => {
  const world = createShop({
    mustExist: async () => false,
    drawPages: () => Promise.reject(new UnavailableError("away")),
    isUnavailable: (error) => error instanceof UnavailableError,
  });
  await t.throwsAsync(world.setPage(1, row()), { instanceOf: UnavailableError });
});

test("removing a page's image returns SUCCESS, even if there is none; if the item is missing, it returns ITEM_NOT_FOUND", async (t) => {
  const world = createShop();
  await world.patch(1, { itemId: "milk" });
  await world.setPage(2, row(), row({ page: 1 }));
  const outcomes = await world.removePage(
    3,
    { itemId: "milk", page: 0 },
    { itemId: "milk", page: 9 },
    { itemId: "no", page: 0 },
  );
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ["SUCCESS", "SUCCESS", "ITEM_NOT_FOUND"],
  );
  t.deepEqual(imagesOf(world), [[1, "drawn u"]]);
});

test("deleting an item removes its page images, and an item created again has none", async (t) => {
  const world = createShop();
  await world.patch(1, { itemId: "milk" });
  await world.setPage(2, row());
  await world.remove(3, "milk");
  await world.patch(4, { itemId: "milk" });
  t.deepEqual(imagesOf(world), []);
});
