import test from "ava";
import { layoutOf } from "../../../drawing/canvas/draw.ts";
import { fillLayout } from "../../../drawing/canvas/fill-canvas.ts";
import type { Painter } from "../../../drawing/canvas/painter.ts";
import { createEccRendering } from "../../../drawing/links/render-ecc-link.ts";
import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import type { Item } from "../../../schemas/item.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import { demoStore, labelTypes } from "../../../scripts/demo/catalogue.ts";
import { chooseDemoDesign, renderDemo } from "../../../scripts/demo/draw.ts";
import { items as sample, storedItem } from "../../scripts/demo/items.ts";
import { told } from "../drawing.ts";
import { eccItem, fullModels, renderEcc } from "./ecc-links.ts";

const matrix = labelTypes.filter(({ display }) => display === "matrix");
const sizes = [...new Map(matrix.map((type) => [`${type.width}x${type.height}`, type])).values()];

const NOTHING: Framebuffer = { width: 0, height: 0, palette: [], pixels: new Uint8Array() };
/** The text of each element written since the list was last emptied. */
let texts: string[] = [];
/** Records the written text, and paints nothing. */
const writingPainter: Painter<Framebuffer> = {
  blank: () => NOTHING,
  paint(canvas, { labelType, variables }) {
    const { elements, warnings } = fillLayout(layoutOf(canvas, labelType), variables);
    texts.push(...elements.map(({ text }) => text));
    return { picture: NOTHING, errors: [], warnings: [...warnings] };
  },
};
/** One rendering for all items, as a renderer uses one for all labels, so that each model is compiled only once. */
const writing = createEccRendering(writingPainter);

/** The text written for an item on a label, in the demo's design and in each model, with the warnings. */
function written(item: Item, labelType: LabelType): { texts: string[]; warnings: readonly string[] }[] {
  const models = fullModels.filter(([model]) => model !== "notice");
  return [
    () => renderDemo(item, labelType, chooseDemoDesign(item, labelType.type), undefined, writingPainter),
    ...models.map(
      ([model, parameters]) =>
        () =>
          renderEcc(labelType, model, parameters, {}, { item }, writing),
    ),
  ].map((render) => {
    texts = [];
    const { fault, warnings } = told(render());
    if (fault) throw new Error(fault.detail);
    return { texts, warnings };
  });
}

const UNIT_PRICE = /(?:^|\s)([\d.]+,\d+)\u00a0€\/(\S+)$/;
const unitPricesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const [, amount, unit] = UNIT_PRICE.exec(text) ?? [];
    return text.includes("€/") ? [`${amount} for one ${unit}`] : [];
  });

const propertyOf = ({ properties }: Item, key: string): string =>
  properties.find((property) => property.key === key)?.value ?? "";

/**
 * The item with its quantity in the smaller unit, as other retailers' lists have it, and without this list's rounding.
 */
function inSmallUnits(item: Item): Item {
  const [number = "", unit = ""] = propertyOf(item, "quantity").split(" ");
  const smaller = { kg: "g", l: "ml" }[unit];
  const contents = Math.round((Number(item.price) / Number(propertyOf(item, "unitPrice"))) * 1000);
  const quantity = smaller ? `${contents} ${smaller}` : `${number} ${unit}`;
  const properties = item.properties.map((one) => (one.key === "quantity" ? { ...one, value: quantity } : one));
  return { ...item, properties };
}

const amounts = new Intl.NumberFormat("hr-HR", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const wordOf: Readonly<Record<string, string>> = { kg: "kg", l: "l", m: "m", ko: "kom" };

for (const labelType of sizes) {
  const { width, height } = labelType;
  test(`${width} x ${height}: every sample unit price is shown as sent, for its legal unit`, (t) => {
    for (const item of sample) {
      const unit = wordOf[propertyOf(item, "quantity").split(" ")[1] ?? ""];
      const expected = `${amounts.format(propertyOf(item, "unitPrice") as Intl.StringNumericLiteral)} for one ${unit}`;
      for (const one of [item, inSmallUnits(item)])
        for (const { texts } of written(one, labelType)) t.deepEqual(unitPricesIn(texts), [expected], item.itemName);
    }
  });
}

const unknown: [what: string, price: string, quantity: string, unitPrice: string][] = [
  ["belongs to another price", "0.99", "500 g", "11.98"],
  ["has no legal unit", "5.99", "40 pranja", "0.15"],
  ["belongs to another quantity", "2", "0.40 g", "5"],
];

for (const [what, price, quantity, unitPrice] of unknown) {
  test(`a unit price that ${what} is omitted with its caption and reported once`, (t) => {
    const item = storedItem({ itemId: "1", itemName: "A", price, properties: { quantity, unitPrice } });
    for (const labelType of sizes) {
      for (const { texts, warnings } of written(item, labelType)) {
        t.deepEqual(unitPricesIn(texts), []);
        t.false(texts.some((text) => text.startsWith("Jed.")));
        t.is(warnings.length, 1, warnings.join("; "));
      }
    }
  });
}

test("a link with its own price must have its own unit price, or shows none", (t) => {
  const [labelType] = sizes as [LabelType];
  const shown = (parameters: Readonly<Record<string, string>>): string[] => {
    texts = [];
    renderEcc(labelType, "price-tag", parameters, {}, { item: eccItem }, writing);
    return unitPricesIn(texts);
  };
  t.deepEqual(shown({}), ["1,99 for one kg"]);
  t.deepEqual(shown({ price: "1.49" }), []);
  t.deepEqual(shown({ price: "1.49", unitPrice: "1.49" }), ["1,49 for one kg"]);
});

test("a store may show unit prices per 100 g and per 100 ml", (t) => {
  const [labelType] = sizes as [LabelType];
  texts = [];
  const store = { ...demoStore, parameters: { UNIT_PRICE_PER_100: true } };
  renderEcc(labelType, "price-tag", {}, {}, { store }, writing);
  t.true(texts.includes("0,20\u00a0€/100\u00a0g"), texts.join("; "));
});
