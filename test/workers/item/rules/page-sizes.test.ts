import test from "ava";
import type { LabelType, Model } from "../../../../schemas/tenant.ts";
import { pageSizes, sizesText } from "../../../../workers/item/rules/page-sizes.ts";

const type = (number: number, width: number, height: number, fields: Partial<LabelType> = {}): LabelType => ({
  type: number,
  width,
  height,
  colors: ["white", "black"],
  display: "matrix",
  flash: true,
  pages: 2,
  ...fields,
});
const labelTypes = [
  type(1, 296, 128),
  type(2, 296, 128, { colors: ["white", "black", "red"] }),
  type(3, 296, 128),
  type(4, 400, 300, { pages: 1 }),
  type(5, 96, 32, { display: "segment" }),
  type(6, 800, 480),
];
const model = (name: string, types: number[], linkPositions = 1): Model => ({ name, labelTypes: types, linkPositions });
const medium = model("Medium", [1, 2, 3]);
const large = model("Large", [4]);
const several = model("Several", [6], 3);
const segment = model("Segment", [5]);
const catalogue = { models: [medium, large, several, segment], labelTypes };

const rules: [rule: string, linked: Model[], page: number, sizes: string, palettes: number][] = [
  ["the sizes are those of the linked labels' models", [large], 0, "400 x 300", 1],
  ["each size and palette is there once", [medium], 0, "296 x 128", 2],
  ["of several models all count", [medium, large], 0, "296 x 128, 400 x 300", 3],
  ["an item without labels has the sizes of the whole catalogue", [], 0, "296 x 128, 400 x 300", 3],
  ["a type has so many pages", [medium, large], 1, "296 x 128", 2],
  ["a page that no type has has no size", [medium], 2, "", 0],
  ["labels that show several items show no page images", [several], 0, "", 0],
  ["so do labels that show no pictures", [segment], 0, "", 0],
];
for (const [rule, linked, page, sizes, palettes] of rules) {
  test(rule, (t) => {
    const found = pageSizes(linked, catalogue, page);
    t.deepEqual([sizesText(found), found.length], [sizes, palettes]);
  });
}
