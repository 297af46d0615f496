import test from "ava";
import { failPage, setPages } from "../../../domain/items/merge-pages.ts";
import { UnavailableError } from "../../../records/mongodb/unavailable.ts";
import { itemKey } from "../../../schemas/keys.ts";
import type { ItemPages, PageSource } from "../../../schemas/page-image.ts";
import { createDrawSizes } from "../../../workers/pages/draw-sizes.ts";
import type { PagesWorld } from "../../../workers/pages/world.ts";

const STORE = "t/demo/s/main";
const size = { width: 296, height: 128, colors: ["white" as const, "black" as const] };
const order = { store: STORE, itemId: "milk", page: 0, ...size, urgency: "interactive" as const };
const source: PageSource = { page: 0, upload: "u", resize: 1, width: 600, height: 400, stamp: 7 };

/** A world with one item, whose upload can be decoded. */
function createShop(overrides: Partial<PagesWorld> = {}, kept: PageSource = source) {
  let pages: ItemPages | undefined = setPages(undefined, "milk", [], kept);
  const drawn: unknown[] = [];
  const draw = createDrawSizes({
    readPages: async (store, itemId) => (itemKey(store, itemId) === itemKey(STORE, "milk") ? pages : undefined),
    readUpload: async (_store, sha256) => Buffer.from(sha256),
    async drawPages(asked) {
      drawn.push(asked);
      const file = { sha256: "picture", png: Buffer.alloc(0), width: 296, height: 128 };
      return { width: 600, height: 400, pictures: asked.sizes.map((size) => ({ size, file })) };
    },
    putPictures: async () => {},
    async setImages(_store, itemId, images) {
      pages = setPages(pages, itemId, images);
    },
    async failSize(_store, _itemId, failed, size, reason) {
      pages = pages && failPage(pages, failed, size, reason);
    },
    isUnavailable: (error) => error instanceof UnavailableError,
    ...overrides,
  });
  return { draw, drawn, pagesOf: () => pages as ItemPages };
}

test("a missing size is drawn from the stored upload, with its stamp", async (t) => {
  const world = createShop();
  t.deepEqual(await world.draw([order]), []);
  t.deepEqual(world.drawn, [{ file: Buffer.from("u"), resize: 1, sizes: [size] }]);
  t.deepEqual(world.pagesOf().images, [{ page: 0, ...size, image: "picture", stamp: 7 }]);
  t.deepEqual(world.pagesOf().sources, [source]);
});

test("a repeated order, or an order for an item without pages, draws nothing", async (t) => {
  const world = createShop();
  await world.draw([order, order, { ...order, itemId: "bread" }, { ...order, page: 1 }]);
  t.is(world.drawn.length, 1);
});

const failures: [rule: string, overrides: Partial<PagesWorld>, reason: RegExp][] = [
  ["a missing upload", { readUpload: async () => undefined }, /no longer stored: send it again/],
  ["an upload that cannot be decoded", { drawPages: () => Promise.reject(new Error("odd")) }, /cannot be decoded: odd/],
  [
    "an upload with a different actual size",
    { drawPages: async () => ({ width: 3, height: 4, pictures: [] }) },
    /3 x 4 pixels/,
  ],
];
for (const [rule, overrides, reason] of failures) {
  test(`${rule} is recorded and not tried again`, async (t) => {
    let reads = 0;
    const { readUpload = async () => Buffer.from("u") } = overrides;
    const world = createShop({
      ...overrides,
      readUpload(store, sha256) {
        reads += 1;
        return readUpload(store, sha256);
      },
    });
    await world.draw([order, order]);
    await world.draw([order]);
    const failed = world.pagesOf().sources?.[0]?.failed ?? [];
    t.like(failed, { length: 1, 0: size });
    t.regex(failed[0]?.reason ?? "", reason);
    t.deepEqual([world.pagesOf().images, reads], [[], 1]);
  });
}

test("during a database outage the order waits, and nothing is recorded", async (t) => {
  const world = createShop({ drawPages: () => Promise.reject(new UnavailableError("away")) });
  await t.throwsAsync(world.draw([order]) as Promise<unknown>, { instanceOf: UnavailableError });
  t.deepEqual(world.pagesOf().sources, [source]);
});
