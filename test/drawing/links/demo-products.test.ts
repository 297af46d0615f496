import test from "ava";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { pixelPainter } from "../../../drawing/canvas/painter.ts";
import { type Rendering, renderLink } from "../../../drawing/links/render-link.ts";
import type { Item } from "../../../schemas/item.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { demoStore, labelTypes } from "../../../scripts/demo/catalogue.ts";
import { demoDesigns } from "../../../scripts/demo/designs.ts";
import { isThorough, sampleOf, sayTried } from "../../harness/searches/effort.ts";
import { items } from "../../scripts/demo/items.ts";
import { chosenFor } from "../../scripts/demo/rules.ts";
import { colorsIn, type Told, told } from "../drawing.ts";

const canvases = new Map(demoDesigns.map(({ id, canvas }) => [`t/demo/designs/${id}`, compileCanvas(canvas)]));

/** A product on a label, with the design that the demo's rules choose. */
function renderProduct(item: Item, labelType: LabelType): Told<Rendering> {
  const design_id = chosenFor(item, labelType.type);
  const drawn = renderLink(pixelPainter, {
    designerLink: { derivedFrom: "studiolink.v1", linkRev: 1, status: "ACTIVE", design_id, itemId: item.itemId },
    displayPosition: 0,
    item,
    labelType,
    store: demoStore,
    canvas: canvases.get(design_id ?? ""),
    images: new Map(),
  });
  return told(drawn);
}

const SOME = 60;
let latest: { labelType: LabelType; products: readonly (Told<Rendering> & { item: Item })[] } | undefined;

/** Returns products on a label: different products for each type, drawn once for all tests of that type. */
function productsOn(labelType: LabelType): readonly (Told<Rendering> & { item: Item })[] {
  const tried = isThorough ? items : sampleOf(items, { size: SOME, seed: labelType.type });
  if (latest?.labelType !== labelType)
    latest = { labelType, products: tried.map((item) => ({ item, ...renderProduct(item, labelType) })) };
  return latest.products;
}

/** One in this many products is drawn again, unchanged and with a different price; the code is the same for all. */
const REDRAWN_EVERY = 20;

const isOffer = ({ properties }: Item): boolean =>
  properties.some(({ key, value }) => key === "priceKind" && value === "special");
const withoutPrice = ({ price: _, ...item }: Item): Item => item;

for (const labelType of labelTypes.filter(({ display }) => display === "matrix")) {
  const { type, width, height, colors } = labelType;

  test(`the demo's products are drawn on label type ${type}, ${width} x ${height} in ${colors.join(", ")}`, (t) => {
    sayTried(t, productsOn(labelType).length, items.length, "products");
    for (const { item, picture, isEmpty, fault, warnings } of productsOn(labelType)) {
      t.is(fault, undefined, item.itemName);
      t.false(isEmpty);
      t.deepEqual([picture.width, picture.height, picture.palette], [width, height, colors]);
      // Small labels cut long names; any other warning would be a fault of the design or the data.
      t.deepEqual(
        warnings.filter((warning) => !warning.includes("is cut")),
        [],
        item.itemName,
      );
    }
  });

  test(`label type ${type} shows only its own colours, and red only for offers`, (t) => {
    for (const { item, picture } of productsOn(labelType)) {
      const expected = ["black", ...(colors.includes("red") && isOffer(item) ? ["red"] : []), "white"];
      t.deepEqual(colorsIn(picture), expected, item.itemName);
    }
  });

  test(`a product without a price is drawn on label type ${type}`, (t) => {
    const { fault, warnings } = renderProduct(withoutPrice(items[0] as Item), labelType);
    t.deepEqual({ fault, warnings }, { fault: undefined, warnings: [] });
  });

  test(`on label type ${type} a product always has the same pixels, and different pixels with a different price`, (t) => {
    const pixelsOf = (item: Item) => Buffer.from(renderProduct(item, labelType).picture.pixels);
    for (const { item, picture } of productsOn(labelType).filter((_, index) => index % REDRAWN_EVERY === 0)) {
      const pixels = Buffer.from(picture.pixels);
      t.true(pixelsOf(structuredClone(item)).equals(pixels), item.itemName);
      t.false(pixelsOf({ ...item, price: `9${item.price}` }).equals(pixels), item.itemName);
    }
  });

  if (width >= 296)
    test(`nothing is cut off on label type ${type}, which is at least 296 pixels wide`, (t) => {
      for (const { item, warnings } of productsOn(labelType)) t.deepEqual(warnings, [], item.itemName);
    });
}
