import test from "ava";
import fc from "fast-check";
import type { ItemPageImage, ItemPages } from "../../../../schemas/page-image.ts";
import { clearPages, removePage, setPages } from "../../../../workers/item/rules/merge-pages.ts";

const image = (stamp: number, page = 0, fields: Partial<ItemPageImage> = {}): ItemPageImage => ({
  page,
  width: 296,
  height: 128,
  colors: ["white", "black"],
  image: `image ${stamp}`,
  stamp,
  ...fields,
});
const set = (current: ItemPages | undefined, ...images: ItemPageImage[]) => setPages(current, "milk", images);
const stampsOf = ({ images }: ItemPages) => images.map(({ stamp }) => stamp);

test("the newest upload replaces the older one of its page, size and palette, and no other", (t) => {
  const before = set(undefined, image(1), image(1, 1), image(1, 0, { width: 400 }), image(1, 0, { colors: ["white"] }));
  t.is(before.images.length, 4);
  const after = set(before, image(2));
  t.deepEqual(
    after.images.filter(({ stamp }) => stamp === 2),
    [image(2)],
  );
  t.is(after.images.length, 4);
});

test("an older upload that is applied again is not shown", (t) => {
  const pages = set(undefined, image(5));
  t.deepEqual(stampsOf(set(pages, image(4))), [5]);
  t.deepEqual(stampsOf(set(removePage(pages, 0, 6), image(5))), []);
  t.deepEqual(stampsOf(set(clearPages(pages, 6), image(5))), []);
});

test("a removed page has no image of any size, the other pages keep theirs", (t) => {
  const pages = set(undefined, image(1), image(1, 0, { width: 400 }), image(1, 1));
  const left = removePage(pages, 0, 2);
  t.deepEqual(
    left.images.map(({ page }) => page),
    [1],
  );
  t.deepEqual(stampsOf(set(left, image(3))), [3, 1], "it may be set again");
});

test("a removal counts also where the page has no image yet: an older upload may still be drawn", (t) => {
  const pages = set(undefined, image(1));
  t.deepEqual(stampsOf(set(removePage(pages, 7, 2), image(1, 7))), [1]);
  t.deepEqual(stampsOf(set(removePage(pages, 7, 2), image(3, 7))), [1, 3]);
  t.deepEqual(removePage(pages, 0, 0).images, pages.images);
});

test("a deleted item keeps what was uploaded after its deletion", (t) => {
  t.deepEqual(stampsOf(clearPages(set(undefined, image(1), image(5, 1)), 3)), [5]);
});

test("uploads applied in any order, and again, leave the newest of each page", (t) => {
  const uploads = fc.uniqueArray(fc.record({ stamp: fc.nat(20), page: fc.nat(2) }), { selector: ({ stamp }) => stamp });
  fc.assert(
    fc.property(uploads, fc.func(fc.nat(100)), (all, rank) => {
      const order = [...all, ...all].sort((one, other) => rank(one) - rank(other));
      const pages = order.reduce<ItemPages | undefined>(
        (current, { stamp, page }) => set(current, image(stamp, page)),
        undefined,
      );
      const newest = all.toSorted((a, b) => a.stamp - b.stamp).map(({ stamp, page }) => [page, stamp]);
      const shown = pages?.images.map(({ page, stamp }) => [page, stamp]) ?? [];
      t.deepEqual(Object.fromEntries(shown), Object.fromEntries(newest));
    }),
  );
});

test("a repeated write changes nothing", (t) => {
  const pages = set(undefined, image(1), image(2, 1));
  t.deepEqual(set(pages, image(1), image(2, 1)), pages);
  const removed = removePage(pages, 0, 3);
  t.is(removePage(removed, 0, 3), removed);
  const cleared = clearPages(pages, 3);
  t.deepEqual(clearPages(cleared, 3), cleared);
});
