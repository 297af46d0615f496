import test from "ava";
import fc from "fast-check";
import { clearPages, failPage, removePage, setPages } from "../../../../domain/items/merge-pages.ts";
import type { ItemPageImage, ItemPages, PageSource } from "../../../../schemas/page-image.ts";
import { source } from "./a-page-source.ts";

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

test("the newest upload replaces only an older upload of its page, size and palette", (t) => {
  const before = set(undefined, image(1), image(1, 1), image(1, 0, { width: 400 }), image(1, 0, { colors: ["white"] }));
  t.is(before.images.length, 4);
  const after = set(before, image(2));
  t.deepEqual(
    after.images.filter(({ stamp }) => stamp === 2),
    [image(2)],
  );
  t.is(after.images.length, 4);
});

test("an older upload that is applied again does not appear", (t) => {
  const pages = set(undefined, image(5));
  t.deepEqual(stampsOf(set(pages, image(4))), [5]);
  t.deepEqual(stampsOf(set(removePage(pages, 0, 6), image(5))), []);
  t.deepEqual(stampsOf(set(clearPages(pages, 6), image(5))), []);
});

test("a removed page loses its images of all sizes, and other pages keep theirs", (t) => {
  const pages = set(undefined, image(1), image(1, 0, { width: 400 }), image(1, 1));
  const left = removePage(pages, 0, 2);
  t.deepEqual(
    left.images.map(({ page }) => page),
    [1],
  );
  t.deepEqual(stampsOf(set(left, image(3))), [3, 1], "the page may be set again");
});

test("a removal counts even if the page has no image yet, since an older upload may still be drawn", (t) => {
  const pages = set(undefined, image(1));
  t.deepEqual(stampsOf(set(removePage(pages, 7, 2), image(1, 7))), [1]);
  t.deepEqual(stampsOf(set(removePage(pages, 7, 2), image(3, 7))), [1, 3]);
  t.deepEqual(removePage(pages, 0, 0).images, pages.images);
});

test("a deleted item keeps uploads that are newer than its deletion", (t) => {
  t.deepEqual(stampsOf(clearPages(set(undefined, image(1), image(5, 1)), 3)), [5]);
});

test("uploads applied repeatedly and in any order leave each page's newest upload", (t) => {
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

const exactly = (width: number) => ({ resize: 0 as const, width, height: 128 });
const keep = (...uploads: PageSource[]) =>
  uploads.reduce<ItemPages | undefined>((pages, upload) => setPages(pages, "milk", [], upload), undefined) as ItemPages;
const kept = ({ sources = [] }: ItemPages) => sources.map(({ stamp }) => stamp);

const uploads: [rule: string, uploads: PageSource[], stamps: number[]][] = [
  [
    "a newer upload for every size replaces all older uploads of its page",
    [source(1, exactly(296)), source(2), source(3)],
    [3],
  ],
  [
    "an upload without resizing replaces the upload of its own size",
    [source(1, exactly(296)), source(2, exactly(296))],
    [2],
  ],
  [
    "an upload without resizing replaces no upload of another size, because labels of that size need it",
    [source(1), source(2, exactly(296)), source(3, exactly(400))],
    [1, 2, 3],
  ],
  ["uploads of other pages are kept", [source(1, { page: 1 }), source(2)], [2, 1]],
  ["repeating an upload stores it once", [source(1), source(1)], [1]],
];
for (const [rule, all, stamps] of uploads) {
  test(rule, (t) => {
    t.deepEqual(kept(keep(...all)), stamps);
    t.deepEqual(kept(keep(...all.toReversed())), stamps, "in any order");
  });
}

test("a newer upload that fits replaces an older upload's images, even in sizes in which it was not drawn", (t) => {
  const before = setPages(undefined, "milk", [image(1), image(1, 0, { width: 400 }), image(1, 1)], source(1));
  t.deepEqual(stampsOf(setPages(before, "milk", [image(2)], source(2))), [2, 1]);
  t.deepEqual(stampsOf(setPages(before, "milk", [image(2)], source(2, exactly(296)))), [2, 1, 1]);
  const late = setPages(setPages(undefined, "milk", [image(2)], source(2)), "milk", [image(1, 0, { width: 400 })]);
  t.deepEqual(stampsOf(late), [2], "even if the older upload is drawn later");
});

test("an upload is kept until its images are removed, by page or with the item", (t) => {
  const pages = keep(source(1), source(5, { page: 1 }));
  t.deepEqual(kept(removePage(pages, 0, 2)), [5]);
  t.deepEqual(kept(clearPages(pages, 2)), [5]);
  t.deepEqual(kept(setPages(removePage(keep(source(3)), 0, 4), "milk", [], source(3))), []);
  t.deepEqual(kept(setPages(clearPages(keep(source(3)), 4), "milk", [], source(3))), []);
});

test("a failed drawing is recorded once, with the upload and the size", (t) => {
  const size = { width: 296, height: 128, colors: ["white" as const] };
  const pages = keep(source(1), source(1, { page: 1 }));
  const noted = failPage(pages, source(1), size, "odd");
  t.deepEqual(
    noted.sources?.map(({ failed }) => failed),
    [[{ ...size, reason: "odd" }], undefined],
  );
  t.deepEqual(failPage(noted, source(1), size, "again"), noted);
  t.deepEqual(failPage(noted, source(2), size, "an upload that was replaced"), noted);
});
