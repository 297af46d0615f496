import test from "ava";
import { layoutOf } from "../../../drawing/canvas/draw.ts";
import { fillLayout } from "../../../drawing/canvas/fill-canvas.ts";
import { type Painter, pixelPainter } from "../../../drawing/canvas/painter.ts";
import { inShare, sellingPriceOf } from "../../../drawing/canvas/price-share.ts";
import { createEccRendering } from "../../../drawing/links/render-ecc-link.ts";
import { createFramebuffer, type Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { drawText } from "../../../drawing/text/draw-text.ts";
import { fitPrice, tidyPrice } from "../../../drawing/text/prices/fit-price.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { labelTypes } from "../../../scripts/demo/catalogue.ts";
import { chooseDemoDesign, renderDemo } from "../../../scripts/demo/draw.ts";
import { storedItem } from "../../scripts/demo/items.ts";
import { eccItem, fullModels, renderEcc } from "./ecc-links.ts";

/** A price on a label, with its drawn size; text counts as a price if it contains an amount of money. */
interface Sized {
  text: string;
  size: number;
  isSold: boolean;
}

/** Paints as usual, and records the sizes of the prices. */
function measuringPainter(sizes: Sized[]): Painter<Framebuffer> {
  return {
    blank: pixelPainter.blank,
    paint(canvas, facts) {
      const { width, height, colors } = facts.labelType;
      const target = createFramebuffer(width, height, colors, 0);
      const { elements } = fillLayout(layoutOf(canvas, facts.labelType), facts.variables);
      const selling = sellingPriceOf(elements, target, facts.store);
      for (const filled of elements) {
        const { element, text } = inShare(filled, selling);
        if (element.kind === "price") {
          const { layout } = fitPrice(tidyPrice(text), element, facts.store);
          sizes.push({ text, size: layout.size, isSold: !element.struck });
        } else if (element.kind === "text" && text.includes("€")) {
          const { size } = drawText(target, element, text, { color: 1, paper: 0 }, facts.store.locale);
          if (size !== undefined) sizes.push({ text, size, isSold: false });
        }
      }
      return pixelPainter.paint(canvas, facts);
    },
  };
}

const dear = storedItem({
  itemId: "8",
  itemName: "Maslinovo ulje extra djevičansko 0,75 l",
  price: "12.49",
  properties: {
    priceKind: "special",
    quantity: "0.75 l",
    unitPrice: "16.65",
    lowestPrice30: "13.99",
    formerPrice: "14.99",
  },
});
const regular = storedItem({
  itemId: "9",
  itemName: "Maslinovo ulje",
  price: "12.49",
  properties: { quantity: "0.75 l", unitPrice: "16.65" },
});

/** The factor by which the selling price outweighs every other price on its label. */
const LEAST = 1.3;

function outweighs(sizes: readonly Sized[]): string[] {
  const [sold, ...more] = sizes.filter(({ isSold }) => isSold);
  if (sold === undefined || more.length > 0)
    return [`${sizes.filter(({ isSold }) => isSold).length} prices are sold at`];
  return sizes
    .filter((one) => one !== sold && one.size * LEAST > sold.size)
    .map(({ text, size }) => `${text} at ${size} beside ${sold.text} at ${sold.size}`);
}

for (const labelType of labelTypes.filter(({ display }) => display === "matrix")) {
  const { type, width, height } = labelType;
  test(`label type ${type}, ${width} x ${height}: the price outweighs the former, lowest and unit price in the demo and in every model`, (t) => {
    for (const item of [dear, regular]) {
      const sizes = demoSizes(item, labelType);
      t.true(sizes.length > 1, JSON.stringify(sizes));
      t.deepEqual(outweighs(sizes), [], item.itemName ?? "");
    }
    for (const [model, parameters] of fullModels.filter(([name]) => name !== "notice")) {
      for (const item of [eccItem, dear]) {
        const sizes = eccSizes(item, labelType, model, parameters);
        t.true(sizes.length > 1, JSON.stringify(sizes));
        t.deepEqual(outweighs(sizes), [], `${model} of ${item.itemName}`);
      }
    }
  });
}

function demoSizes(item: typeof dear, labelType: LabelType): Sized[] {
  const sizes: Sized[] = [];
  renderDemo(item, labelType, chooseDemoDesign(item, labelType.type), undefined, measuringPainter(sizes));
  return sizes;
}

function eccSizes(
  item: typeof dear,
  labelType: LabelType,
  ...[model, parameters]: (typeof fullModels)[number]
): Sized[] {
  const sizes: Sized[] = [];
  renderEcc(labelType, model, parameters, {}, { item }, createEccRendering(measuringPainter(sizes)));
  return sizes;
}
