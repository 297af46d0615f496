import test from "ava";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { blankFile } from "../../../drawing/pixels/blank-picture.ts";
import { inPixels } from "../../../schemas/canvas.ts";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import { renderDemo } from "../../../scripts/demo/draw.ts";
import { storedItem } from "../../scripts/demo/items.ts";
import { colorsIn, told } from "../drawing.ts";

const item = storedItem({
  itemId: "1",
  itemName: "Milk",
  price: "1.99",
  properties: { quantity: "1 l", unit: "ko", ean: "3850108020014", priceKind: "special", lowestPrice30: "2.19" },
});

/** A design that has the same size in millimetres on each label. */
const inMillimetres = [
  { kind: "text", y: "1mm", height: "4mm", size: "3mm", font: "bold", text: "${item.itemName}" },
  { kind: "price", y: "6mm", height: "8mm", size: "6mm", font: "bold", value: "${item.price}" },
].map((element) => ({ ...element, x: "1mm", width: "16mm", color: "black" }));

for (const { name, type, labelType } of labelCatalogue) {
  const { width, height, dpi } = labelType;
  const drawn = (elements: unknown) => {
    const canvas = { name, width, height, background: "white", elements } as Parameters<typeof inPixels>[0];
    return told(renderDemo(item, { type, ...labelType }, "design", compileCanvas(inPixels(canvas, dpi))));
  };

  test(`${name}: a blank label is white`, (t) => {
    t.like(blankFile(labelType), { width, height });
    t.deepEqual([...colorsIn(drawn([]).picture)], ["white"]);
  });

  test(`${name}: a design in millimetres is drawn`, (t) => {
    const { picture, fault, errors, warnings } = drawn(inMillimetres);
    t.deepEqual([fault, errors, warnings], [undefined, [], []]);
    t.deepEqual([picture.width, picture.height, picture.palette], [width, height, labelType.colors]);
    t.true([...colorsIn(picture)].includes("black"));
  });
}
