import test from "ava";
import fc from "fast-check";
import { drawingPictures, looksAlike, mergeImages, pagesFor } from "../../../domain/labels/merge-images.ts";
import type { DrawingFault, EslImage, RenderedImage } from "../../../schemas/image.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import type { ItemPageImage } from "../../../schemas/page-image.ts";

const noDesign: DrawingFault = { reason: "NO_COMPATIBLE_DESIGN", detail: "none fits" };
const notDrawn: DrawingFault = { reason: "DRAWING_FAILED", detail: "no such font" };

/** The picture of the link at a position. */
const drawn = (position: number, fields: Partial<RenderedImage> = {}): RenderedImage => ({
  shows: { link: `links/A1-${position}`, linkRev: 1, item: `items/${position}`, itemRev: 1 },
  image: `image ${position}`,
  width: 296,
  height: 128,
  empty: false,
  warnings: [],
  ...fields,
});

test("a label with one link shows that link's picture and reports the link and item", (t) => {
  const only = drawn(0);
  t.deepEqual(mergeImages({ drawn: [only] }), { pages: [{ page: 0, image: "image 0" }], shows: [only.shows] });
});

test("an empty position shows its background, and no item", (t) => {
  const empty = drawn(0, { empty: true });
  t.deepEqual(mergeImages({ drawn: [empty] }), { pages: [{ page: 0, image: "image 0" }], shows: [] });
});

test("a label reports what it shows, ordered by position and without empty positions", (t) => {
  const { shows } = mergeImages({ drawn: [drawn(0), drawn(1, { empty: true }), drawn(2)] });
  t.deepEqual(
    shows.map(({ link }) => link),
    ["links/A1-0", "links/A1-2"],
  );
});

test("a label's positions share its single page", (t) => {
  t.deepEqual(
    mergeImages({ drawn: [drawn(0), drawn(1), drawn(2)] }).pages.map(({ page }) => page),
    [0],
  );
});

test("the composed picture of several positions is shown, with a fault that names the omitted position", (t) => {
  const overlap: DrawingFault = { reason: "POSITIONS_OVERLAP", detail: "position 1" };
  const both = { drawn: [drawn(0), drawn(1)] };
  t.deepEqual(mergeImages(both, { image: "both" }).pages, [{ page: 0, image: "both" }]);
  t.deepEqual(mergeImages(both, { image: "both", fault: overlap }).fault, overlap);
});

const alone: [rule: string, images: RenderedImage[], image: string][] = [
  [
    "an unlink at the first position leaves the other positions' pictures",
    [drawn(0, { empty: true }), drawn(1)],
    "image 1",
  ],
  [
    "a fault at the first position leaves the other positions' pictures",
    [drawn(0, { fault: noDesign }), drawn(1)],
    "image 1",
  ],
  ["if nothing is drawn, the label is blank", [drawn(0, { empty: true }), drawn(1, { fault: noDesign })], "image 0"],
];
for (const [rule, images, image] of alone) {
  test(rule, (t) => {
    t.deepEqual(drawingPictures(images).length, images.filter(({ empty, fault }) => !empty && !fault).length);
    t.deepEqual(mergeImages({ drawn: images }).pages, [{ page: 0, image }]);
  });
}

const faults: [rule: string, images: RenderedImage[], fault: DrawingFault | undefined][] = [
  ["a label with good pictures has no fault", [drawn(0), drawn(1)], undefined],
  ["a link's fault is the label's fault", [drawn(0, { fault: noDesign })], noDesign],
  ["a fault at any position is the label's fault", [drawn(0), drawn(1, { fault: notDrawn })], notDrawn],
  ["the first position's fault is reported", [drawn(0, { fault: noDesign }), drawn(1, { fault: notDrawn })], noDesign],
  ["warnings are not faults", [drawn(0, { warnings: ["the price is not a number"] })], undefined],
];
for (const [rule, images, fault] of faults) {
  test(rule, (t) => {
    t.deepEqual(mergeImages({ drawn: images }).fault, fault);
    t.is("fault" in mergeImages({ drawn: images }), fault !== undefined);
  });
}

test("a label without pictures has no page", (t) => {
  t.deepEqual(mergeImages({ drawn: [] }), { pages: [], shows: [] });
});

const uploaded = (...pages: number[]) => ({
  rev: 7,
  pages: pages.map((page) => ({ page, image: `upload ${page}` })),
});

test("an uploaded image replaces the drawn picture of its page, and its fault", (t) => {
  const { pages, fault } = mergeImages({ drawn: [drawn(0, { fault: noDesign })], uploaded: uploaded(0) });
  t.deepEqual(pages, [{ page: 0, image: "upload 0" }]);
  t.is(fault, undefined);
});

test("an uploaded image for another page is shown in addition to the drawn picture", (t) => {
  const { pages, fault } = mergeImages({ drawn: [drawn(0, { fault: noDesign })], uploaded: uploaded(1, 3) });
  t.deepEqual(pages, [
    { page: 0, image: "image 0" },
    { page: 1, image: "upload 1" },
    { page: 3, image: "upload 3" },
  ]);
  t.deepEqual(fault, noDesign);
});

test("a label reports which page images it shows, even if it shows none", (t) => {
  for (const images of [uploaded(0), uploaded()])
    t.deepEqual(mergeImages({ drawn: [drawn(0)], uploaded: images }).shows, [{ ...drawn(0).shows, pagesRev: 7 }]);
});

const type: LabelType = {
  type: 1328,
  width: 296,
  height: 128,
  colors: ["white", "black", "red"],
  display: "matrix",
  flash: true,
  pages: 2,
};
const upload = (fields: Partial<ItemPageImage> = {}): ItemPageImage => {
  const { width, height, colors } = type;
  return { page: 0, width, height, colors, image: "a", stamp: 1, ...fields };
};
const shown = (images: ItemPageImage[], of: Partial<LabelType> = {}) =>
  pagesFor({ images }, { ...type, ...of }).map(({ page }) => page);

test("a label shows the images of its size and colours in page order, up to its number of pages", (t) => {
  t.deepEqual(shown([upload({ page: 1 }), upload()]), [0, 1]);
  t.deepEqual(shown([upload({ width: 128, height: 296 })]), []);
  t.deepEqual(shown([upload({ colors: ["white", "black"] })]), []);
  t.deepEqual(shown([upload({ page: 2 })]), []);
  t.deepEqual(shown([upload(), upload({ page: 1 })], { pages: 1 }), [0]);
  t.deepEqual(shown([upload()], { display: "segment" }), []);
});

const picture: EslImage = { pages: [{ page: 0, image: "a" }], shows: [drawn(0).shows] };
const twoPages: EslImage = { ...picture, pages: [...picture.pages, { page: 1, image: "b" }] };
const faulty: EslImage = { ...picture, fault: noDesign };

const pairs: [rule: string, one: EslImage, other: EslImage, alike: boolean][] = [
  ["a picture equals itself", picture, picture, true],
  ["the same pixels of another link or item are equal: nothing is sent", picture, { ...picture, shows: [] }, true],
  ["other pixels differ", picture, { ...picture, pages: [{ page: 0, image: "b" }] }, false],
  ["the same pixels on another page differ", picture, { ...picture, pages: [{ page: 1, image: "a" }] }, false],
  ["an additional page differs", picture, twoPages, false],
  [
    "other pixels on a later page differ",
    twoPages,
    { ...twoPages, pages: [...picture.pages, { page: 1, image: "a" }] },
    false,
  ],
  ["a missing page differs", picture, { ...picture, pages: [] }, false],
  ["a new fault is reported although the pixels are the same", picture, faulty, false],
  ["the same fault again is equal", faulty, { ...faulty, fault: { ...noDesign } }, true],
  ["a different reason is reported", faulty, { ...faulty, fault: { ...noDesign, reason: "DRAWING_FAILED" } }, false],
  ["a different detail is reported", faulty, { ...faulty, fault: { ...noDesign, detail: "others do not fit" } }, false],
];
for (const [rule, one, other, alike] of pairs) {
  test(rule, (t) => {
    t.is(looksAlike(one, other), alike);
    t.is(looksAlike(other, one), alike);
  });
}

const anyPicture: fc.Arbitrary<EslImage> = fc
  .record({
    pages: fc.array(fc.record({ page: fc.nat(1), image: fc.constantFrom("a", "b") }), { maxLength: 2 }),
    shows: fc.subarray([drawn(0).shows, drawn(1).shows]),
    fault: fc.constantFrom(undefined, noDesign, notDrawn),
  })
  .map(({ fault, ...rest }) => ({ ...rest, ...(fault && { fault }) }));

test("two pictures look alike if and only if their pages and faults are equal", (t) => {
  const seen = ({ pages, fault }: EslImage) => JSON.stringify([pages, fault]);
  fc.assert(
    fc.property(anyPicture, anyPicture, (one, other) => {
      t.is(looksAlike(one, other), seen(one) === seen(other));
    }),
    { numRuns: 500 },
  );
});
