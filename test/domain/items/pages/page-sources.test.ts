import test from "ava";
import { failedPages, missingPages, missingSource } from "../../../../domain/items/page-sources.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import type { ItemPageImage, ItemPages } from "../../../../schemas/page-image.ts";
import { source } from "./a-page-source.ts";

const size = { width: 296, height: 128, colors: ["white" as const, "black" as const] };
const type: LabelType = { type: 1, ...size, display: "matrix", flash: true, pages: 2 };
const image = (stamp: number, fields: Partial<ItemPageImage> = {}): ItemPageImage => ({
  page: 0,
  ...size,
  image: `image ${stamp}`,
  stamp,
  ...fields,
});
const exact = { resize: 0 as const, width: 296, height: 128 };
const failure = { ...size, reason: "it cannot be decoded" };
const failed = [failure];

type Pages = Pick<ItemPages, "sources"> & Partial<ItemPages>;
const cases: [rule: string, pages: Pages, missing: number | undefined][] = [
  ["an upload is drawn in a size that has no picture", { sources: [source(1)] }, 1],
  ["an existing picture is not drawn again", { sources: [source(1)], images: [image(1)] }, undefined],
  ["a picture of another size does not count", { sources: [source(1)], images: [image(1, { width: 400 })] }, 1],
  [
    "a picture in another palette does not count",
    { sources: [source(1)], images: [image(1, { colors: ["white"] })] },
    1,
  ],
  ["a picture of another page does not count", { sources: [source(1)], images: [image(1, { page: 1 })] }, 1],
  ["a stretched upload fits every size", { sources: [source(1, { resize: 2 })] }, 1],
  ["an upload without resizing fits its own size", { sources: [source(1, exact)] }, 1],
  ["an upload without resizing fits no other size", { sources: [source(1, { ...exact, height: 127 })] }, undefined],
  ["the newest upload that fits is drawn", { sources: [source(3), source(5, exact), source(7, { resize: 0 })] }, 5],
  ["an upload of another page does not count", { sources: [source(1, { page: 1 })] }, undefined],
  ["a size that failed is not tried again", { sources: [source(1, { failed })] }, undefined],
  [
    "an upload that failed in one size is tried in another",
    { sources: [source(1, { failed: [{ ...failure, width: 400 }] })] },
    1,
  ],
  ["an older upload is not drawn instead", { sources: [source(1), source(2, { failed })] }, undefined],
  ["a newer upload is tried", { sources: [source(1, { failed }), source(2)] }, 2],
  ["a record from an earlier release has no upload", { images: [image(1, { width: 400 })] }, undefined],
  [
    "a page that an earlier release removed is not drawn",
    { sources: [source(1)], removed: [{ page: 0, stamp: 2 }] },
    undefined,
  ],
  ["a removal of another page changes nothing", { sources: [source(1)], removed: [{ page: 1, stamp: 2 }] }, 1],
  ["an older removal changes nothing", { sources: [source(3)], removed: [{ page: 0, stamp: 2 }] }, 3],
  ["pages of a deleted item are not drawn", { sources: [source(1)], floor: 2 }, undefined],
  [
    "a later picture from an earlier release makes the upload obsolete",
    { sources: [source(1)], images: [image(2, { width: 400 })] },
    undefined,
  ],
];
for (const [rule, fields, stamp] of cases) {
  test(rule, (t) => {
    const pages = { itemId: "milk", images: [], removed: [], ...fields };
    t.is(missingSource(pages, { page: 0, size })?.stamp, stamp);
    t.deepEqual(missingPages(pages, { ...type, pages: 1 }), stamp === undefined ? [] : [{ page: 0, size }]);
  });
}

test("a label lacks the pages of its type until they are uploaded", (t) => {
  const pages = { itemId: "milk", images: [], removed: [], sources: [0, 1, 2].map((page) => source(1, { page })) };
  const lacking = (of: Partial<LabelType>) => missingPages(pages, { ...type, ...of }).map(({ page }) => page);
  t.deepEqual(lacking({}), [0, 1]);
  t.deepEqual(lacking({ display: "segment" }), []);
});

test("a page fails for a label size if the newest upload that fits that size could not be drawn", (t) => {
  const failures = (pages: Pages) => failedPages({ itemId: "apple", images: [], removed: [], ...pages }, type);
  const reason = { page: 0, reason: "it cannot be decoded" };
  t.deepEqual(failures({ sources: [source(1, { failed })] }), [reason]);
  t.deepEqual(failures({ sources: [source(1, { failed }), source(2)] }), [], "a newer upload is drawn");
  t.deepEqual(failures({ sources: [source(1, { failed })], removed: [{ page: 0, stamp: 2 }] }), [], "it was removed");
  t.deepEqual(failures({ sources: [source(1, { failed, page: 5 })] }), [], "such a label does not have this page");
  t.deepEqual(failures({ sources: [source(1, { failed: [{ ...failure, width: 400 }] })] }), []);
});
