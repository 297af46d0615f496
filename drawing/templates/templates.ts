import type { CanvasDesign, LayoutElement } from "../../schemas/canvas.ts";
import { dpiOf } from "../../schemas/panels.ts";
import {
  type Face,
  grownPixels,
  grownSizeFor,
  LEGAL,
  type Line,
  lowestPriceLine,
  sizeFor,
  smallLine,
  textOf,
  unitPriceLine,
} from "./face.ts";
import type { LayingOut, TemplateId } from "./listed.ts";
import { loyalty } from "./loyalty.ts";
import { cornerOf, offerColor, shelf } from "./shelf.ts";
import { wordsOf } from "./words.ts";

const quantity = (face: Face): Line => smallLine(face, "${quantity(item.quantity)}", "has(item.quantity)");

/** Side of a QR code with a GS1 Digital Link, in millimetres: 37 modules of two pixels at 100 dpi. */
const CODE_MM = 19;

/**
 * Returns the discount, but only against the lowest price of 30 days. Without that price, or without a discount against it,
 * returns `word`.
 */
const discountText = (word: string): string =>
  `\${has(item.lowestPrice30) && discount(item.price, item.lowestPrice30) != "" ? discount(item.price, item.lowestPrice30) : "${word}"}`;

/** The elements of each template. Undefined if they do not fit on a label. */
const layouts: Readonly<Record<TemplateId, (face: Face) => LayoutElement[] | undefined>> = {
  standard: (face) => shelf(face, { lines: [quantity(face), unitPriceLine(face)] }),
  offer: (face) =>
    shelf(face, {
      lines: [lowestPriceLine(face), unitPriceLine(face)],
      corner: { ...cornerOf(discountText(face.words.offer)), isOptional: true },
      price: offerColor,
    }),
  loyalty: loyalty,
  deposit: (face) =>
    shelf(face, {
      lines: [
        {
          text: `+ \${price(item.deposit)} ${face.words.deposit}`,
          size: grownSizeFor(face, LEGAL.lowestPrice),
          lines: 3,
          sample: `+ ${face.words.longestPrice} ${face.words.deposit}`,
          visible: "has(item.deposit)",
          more: { whole: true, minimumSize: sizeFor(face, LEGAL.lowestPrice) },
        },
        unitPriceLine(face),
      ],
    }),
  produce: (face) =>
    shelf(face, {
      lines: [
        smallLine(
          face,
          '${[has(item.origin) ? item.origin : "", has(item.quality) ? item.quality : ""].filter(x, x != "").size() == 2 ? item.origin + " · " + item.quality : has(item.origin) ? item.origin : has(item.quality) ? item.quality : ""}',
        ),
        {
          text: "PLU ${item.plu}",
          size: grownSizeFor(face, 4),
          sample: "PLU 94011",
          visible: "has(item.plu)",
          extra: 10,
          more: {
            whole: true,
            minimumSize: sizeFor(face, 3),
            box: { stroke: "black", thickness: 2, radius: 3, padding: 3 },
          },
        },
      ],
      price: { suffix: '${has(item.quantity) ? "/" + baseUnit(item.quantity) : ""}', currencyPercent: 30 },
    }),
  wine: (face) =>
    shelf(face, {
      subtitle: smallLine(face, '${has(item.vintage) ? item.vintage + "  " : ""}${has(item.grape) ? item.grape : ""}'),
      lines: [smallLine(face, "${item.origin}", "has(item.origin)"), quantity(face), unitPriceLine(face)],
    }),
  clearance: (face) =>
    shelf(face, {
      lines: [lowestPriceLine(face), unitPriceLine(face)],
      corner: { ...cornerOf(face.words.clearance), width: 22 },
      price: offerColor,
    }),
  bilingual: (face) =>
    shelf(face, {
      subtitle: smallLine(face, "${item.itemName2}", "has(item.itemName2)"),
      lines: [quantity(face), unitPriceLine(face)],
    }),
  "two-items"(face) {
    const half = Math.floor(face.width / 2);
    const elements = shelf({ ...face, width: half - 2 }, { lines: [unitPriceLine(face)] });
    if (elements === undefined || face.width / face.height < 2.7) return undefined;
    return [
      {
        kind: "line",
        x: half,
        y: 4,
        width: 1,
        height: face.height - 8,
        color: "black",
        visible: "link.displayPosition == 0",
      },
      ...[0, 1].map(
        (position): LayoutElement => ({
          kind: "group",
          ...{ x: position * (half + 2), y: 0, width: half - 2, height: face.height },
          visible: `link.displayPosition == ${position}`,
          elements,
        }),
      ),
    ];
  },
  pictogram: (face) =>
    shelf(face, {
      lines: [quantity(face), unitPriceLine(face)],
      corner: {
        ...{ width: 9, height: 8 },
        elements: (area) => [
          { kind: "image", ...area, image: "${item.pictogram}", tint: "black", visible: "has(item.pictogram)" },
        ],
      },
      lead: {
        ...{ width: CODE_MM, height: CODE_MM },
        elements: (area) => [
          { kind: "qr", ...area, value: "${digitalLink(item.ean)}", align: "left", visible: "has(item.ean)" },
        ],
      },
    }),
  "no-price": (face) =>
    shelf(face, {
      lines: [],
      prices: ({ x, y, width, height }) => {
        const line = { text: face.words.noPrice, size: Math.max(14, grownPixels(face, 4)) };
        return [{ ...textOf(line, { x, y, width }), height, align: "center", verticalAlign: "middle" }];
      },
    }),
};

/**
 * Returns the design of a template for labels of a type in a store's language. Undefined if the template does not support
 * them.
 */
export function templateCanvas(
  templateId: TemplateId,
  labelType: LayingOut["labelType"],
  locale: string,
): CanvasDesign | undefined {
  if (labelType.display === "segment") return undefined;
  const { width, height } = labelType;
  const elements = layouts[templateId]({ width, height, dpi: dpiOf(labelType), words: wordsOf(locale) });
  return elements && { name: templateId, width, height, background: "white", elements };
}
