import test from "ava";
import { ExpressionError } from "../../../domain/expression/expression.ts";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { pixelPainter } from "../../../drawing/canvas/painter.ts";
import { type RenderingFacts, renderLink } from "../../../drawing/links/render-link.ts";
import type { CanvasDesign, Element } from "../../../schemas/canvas.ts";
import { notice } from "../../../schemas/drawing-notice.ts";
import type { DrawingFault } from "../../../schemas/image.ts";
import type { LabelType } from "../../../schemas/label-type.ts";
import type { Store } from "../../../schemas/store.ts";
import { storedItem } from "../../scripts/demo/items.ts";
import { colorsIn, inkOf, told } from "../drawing.ts";

const labelType: LabelType = {
  type: 1328,
  width: 296,
  height: 128,
  colors: ["white", "black", "red"],
  display: "matrix",
  flash: true,
  pages: 1,
};
const store: Store = {
  name: "Centar",
  timeZone: "Europe/Zagreb",
  currency: "EUR",
  locale: "hr-HR",
  linkDepartments: [],
};
const area = { x: 10, y: 10, width: 270, height: 60 };
const type = { font: "bold", size: 40, color: "black" } as const;
const price: Element = { kind: "price", ...area, ...type, value: "${item.price}" };
const text = (template: string): Element => ({ kind: "text", ...area, ...type, minimumSize: 8, text: template });

const canvas = (...elements: Element[]) => {
  const design: CanvasDesign = { name: "d", width: 296, height: 128, background: "white", elements };
  return compileCanvas(design);
};

const link = {
  derivedFrom: "studiolink.v1",
  linkRev: 1,
  status: "ACTIVE",
  design_id: "t/demo/designs/d",
  itemId: "7",
  facings: "3",
  location: "A-12",
} as const;

const facts: RenderingFacts = {
  designerLink: link,
  displayPosition: 1,
  item: storedItem({ itemId: "7", itemName: "Kruh", price: "1.99" }),
  labelType,
  store,
  canvas: canvas(price),
  images: new Map(),
};

test("an active link is drawn with its design", (t) => {
  const { picture, isEmpty, fault, warnings } = renderLink(pixelPainter, facts);
  t.truthy(inkOf(picture));
  t.deepEqual({ isEmpty, fault, warnings }, { isEmpty: false, fault: undefined, warnings: [] });
});

const empty: [rule: string, change: Partial<RenderingFacts>][] = [
  ["a deactivated link is an empty position", { designerLink: { ...link, status: "INACTIVE" } }],
  ["a removed link is an empty position", { designerLink: { ...link, status: "DELETED" } }],
  ["a link without its item is an empty position", { item: undefined }],
  [
    "an empty position has no fault, whatever its design",
    { item: undefined, designerLink: { ...link, design_id: null } },
  ],
];

for (const [rule, change] of empty) {
  test(rule, (t) => {
    const { picture, ...rest } = renderLink(pixelPainter, { ...facts, ...change });
    t.deepEqual(rest, { isEmpty: true, errors: [], warnings: [] });
    t.deepEqual(colorsIn(picture), ["white"]);
    t.deepEqual([picture.width, picture.height], [296, 128]);
  });
}

const faults: [rule: string, change: Partial<RenderingFacts>, reason: DrawingFault["reason"], detail: RegExp][] = [
  ["no design fits the label", { designerLink: { ...link, design_id: null } }, "NO_COMPATIBLE_DESIGN", /1328/],
  [
    "the design must not be drawn",
    { designFault: notice("DESIGN_UNFIT", { design: "d", type: 7 }), canvas: undefined },
    "NO_COMPATIBLE_DESIGN",
    /^the design "d" is not for the label type 7$/,
  ],
  ["the design's canvas is missing", { canvas: undefined }, "DRAWING_FAILED", /t\/demo\/designs\/d/],
  [
    "the design does not compile",
    { canvas: new ExpressionError("of no sense", "", 0, 1) },
    "DRAWING_FAILED",
    /of no sense/,
  ],
  ["the price does not fit", { canvas: canvas({ ...price, width: 10 }) }, "DRAWING_FAILED", /"1.99" does not fit/],
  [
    "the price is covered",
    { canvas: canvas(price, { kind: "box", ...area, fill: "red" }) },
    "DRAWING_FAILED",
    /covered/,
  ],
  ["the store's locale is invalid", { store: { ...store, locale: "x" } }, "DRAWING_FAILED", /locale/],
  ["the design has another size", { labelType: { ...labelType, width: 300 } }, "DRAWING_FAILED", /296 x 128/],
];

for (const [rule, change, reason, detail] of faults) {
  test(`a position shows the background and has a fault if ${rule}`, (t) => {
    const { picture, isEmpty, fault } = renderLink(pixelPainter, { ...facts, ...change });
    t.deepEqual(colorsIn(picture), ["white"]);
    t.false(isEmpty);
    t.is(fault?.reason, reason);
    t.regex(fault?.detail ?? "", detail);
  });
}

test("a link with an ECC model is left to the ECC renderer", (t) => {
  const { picture, ...rest } = renderLink(pixelPainter, {
    ...facts,
    designerLink: { ...link, design_id: null, eccModelId: "price-tag" },
  });
  t.deepEqual(rest, { isEmpty: true, isEcc: true, errors: [], warnings: [] });
  t.deepEqual(colorsIn(picture), ["white"]);
});

test("a drawing that fails midway shows nothing", (t) => {
  const { picture } = renderLink(pixelPainter, {
    ...facts,
    canvas: canvas(text("${item.itemName}"), { ...price, width: 10 }),
  });
  t.deepEqual(colorsIn(picture), ["white"]);
});

const values: [template: string, value: string][] = [
  ["${item.itemName} ${item.price}", "Kruh 1.99"],
  ["${link.displayPosition}", "1"],
  ["${link.facings * 2}", "6"],
  ["${link.location}", "A-12"],
  ["${device.type} ${device.width} ${device.height} ${device.dpi}", "1328 296 128 112"],
  ["${store.name} ${store.currency} ${store.locale} ${store.timeZone}", "Centar EUR hr-HR Europe/Zagreb"],
  ["${'red' in device.colors ? 'red' : 'no red'}", "red"],
  ["${number(item.price, 1)} ${date('2026-07-03T22:00:00Z', 'd.M.')}", "2,0 4.7."],
];

for (const [template, value] of values) {
  test(`a design may show ${template}`, (t) => {
    const { picture, warnings } = renderLink(pixelPainter, { ...facts, canvas: canvas(text(template)) });
    t.deepEqual(picture, renderLink(pixelPainter, { ...facts, canvas: canvas(text(value)) }).picture);
    t.deepEqual(warnings, []);
  });
}

test("an invalid code is an error, and the picture shows the other elements", (t) => {
  const code: Element = { kind: "ean13", ...area, y: 70, value: "3850334020803" };
  const { picture, fault, errors } = told(renderLink(pixelPainter, { ...facts, canvas: canvas(price, code) }));
  t.deepEqual(picture, renderLink(pixelPainter, { ...facts, canvas: canvas(price) }).picture);
  t.deepEqual(
    { fault, errors },
    {
      fault: undefined,
      errors: ['"3850334020803" is not a valid EAN-13: its check digit must be 2, not 3'],
    },
  );
});

test("a link without facings and location has neither value", (t) => {
  const { facings: _, location: __, ...bare } = link;
  const shown = canvas(text("${has(link.facings) || has(link.location) ? 'some' : 'none'}"));
  t.deepEqual(
    renderLink(pixelPainter, { ...facts, designerLink: bare, canvas: shown }).picture,
    renderLink(pixelPainter, { ...facts, canvas: canvas(text("none")) }).picture,
  );
});

test("the price uses the store's locale and currency", (t) => {
  const inLocale = (locale: string, currency: string) =>
    renderLink(pixelPainter, { ...facts, store: { ...store, locale, currency } }).picture;
  t.notDeepEqual(inLocale("hr-HR", "EUR"), inLocale("en-US", "EUR"));
  t.notDeepEqual(inLocale("hr-HR", "EUR"), inLocale("hr-HR", "USD"));
});
