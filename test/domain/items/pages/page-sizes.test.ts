import test from "ava";
import { pageSizes, sizesText } from "../../../../domain/items/page-sizes.ts";
import type { LabelType } from "../../../../schemas/label-type.ts";
import type { Model } from "../../../../schemas/model.ts";

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

const all = "296 x 128, 400 x 300, 800 x 480";
const rules: [rule: string, alone: Model[] | undefined, page: number, sizes: string, palettes: number][] = [
  ["an item has the sizes of the models of its labels", [large], 0, "400 x 300", 1],
  ["each size and palette is listed once", [medium], 0, "296 x 128", 2],
  ["all models count if there are several", [medium, large], 0, "296 x 128, 400 x 300", 3],
  ["an item without labels has the sizes of the whole catalogue", undefined, 0, all, 4],
  ["a label type has its own number of pages", [medium, large], 1, "296 x 128", 2],
  ["a page that exists on no label type has no sizes", [medium], 2, "", 0],
  ["a label with one item on several positions counts like any other", [several], 0, "800 x 480", 1],
  ["an item whose labels all show other items as well has no sizes", [], 0, "", 0],
  ["labels without pictures have no sizes", [segment], 0, "", 0],
];
for (const [rule, alone, page, sizes, palettes] of rules) {
  test(rule, (t) => {
    const found = pageSizes(alone, catalogue, page);
    t.deepEqual([sizesText(found), found.length], [sizes, palettes]);
  });
}
