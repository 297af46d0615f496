import type { Element, LayoutElement } from "../../schemas/canvas.ts";
import { MILLIMETRES_PER_INCH } from "../../schemas/lengths.ts";
import {
  columnOf,
  heightOf,
  priceOf as largePriceOf,
  lineHeights,
  textOf as lineOf,
  smallLine,
} from "../templates/face.ts";
import { shelf } from "../templates/shelf.ts";
import {
  type Area,
  EAN_WIDTH,
  type EccFace,
  type EccModel,
  eanOf,
  given,
  gridOf,
  hasUnitPrice,
  priceOf,
  priceValue,
  qrOf,
  SHARE_PERCENT,
  textOf,
  titleText,
  unitPriceParameter,
  unitPriceText,
  whole,
} from "./ecc-elements.ts";
import { largestPrice, unitLine } from "./ecc-offer-parts.ts";

export const priceTag: EccModel = {
  id: "price-tag",
  summary: "Name, price and code of an item",
  parameters: [
    { key: "title", summary: "Replaces the item's name" },
    { key: "price", summary: "Replaces the item's price" },
    unitPriceParameter,
    { key: "note", summary: "Small print below the name" },
  ],
  layOut: (face) => onStrip(face) ?? onShelf(face) ?? packed(face),
  segments: (face) => ({ ...priceOf(face, face.ink), ...whole(face), align: "right", value: priceValue }),
};

/** Sizes of the unit price, relative to its size in the shipped designs. On a small label it gives way to the price. */
const SCALES = [1, 0.9, 0.8, 0.7];
/** Minimum height of bars in pixels, and their share of the label's height. */
const [LEAST_BARS, BARS] = [20, 0.18];
/** Minimum side of a QR code with an item's digits in pixels, and its share of the label's shorter side. */
const [LEAST_QR, QR] = [60, 0.36];
/** A label with at least this aspect ratio is a strip. Its price takes up the whole height and this share of the width. */
const [STRIP, PRICE_SHARE] = [3, 0.4];
/** Scale of legal text on a strip, whose price is larger than on other labels of its height. */
const STRIP_SCALE = 1.2;
/** Minimum height of a price, relative to the height of its label. */
const LEAST_PRICE = 0.3;
/** Minimum size of the name, in pixels. */
const LEAST_NAME = 12;

/** Returns the note, the unit price with its legal text at this scale, and a price of matching size. */
function linesOf(face: EccFace, scale: number) {
  const unit = unitLine(face, scale);
  const note = smallLine(face, given("note", '""'), "has(link.parameters.note)");
  return {
    lines: [note, unit],
    price: { value: priceValue, color: face.ink, size: largestPrice(unit.size), minimumSize: 9 },
  };
}

const hasBars = ({ code }: EccFace, width: number): boolean => code === "ean13" && width >= EAN_WIDTH;

const barsHeight = ({ height }: EccFace): number => Math.max(LEAST_BARS, Math.round(height * BARS));

/** Returns bars on the left. On a large label, they take at most half of the width. */
const barsIn = (face: EccFace, area: Area): Element => ({
  ...eanOf({ ...area, width: Math.min(area.width, Math.max(EAN_WIDTH, Math.round(face.width / 2))) }),
  align: "left",
});

/** Arranges a label like the shipped designs, with the code below or on the left. Undefined if a price then does not fit. */
function onShelf(face: EccFace): LayoutElement[] | undefined {
  const { margin, inner } = gridOf(face);
  const height = hasBars(face, inner) ? barsHeight(face) : 0;
  const upper = { ...face, height: face.height - height - (height && margin) };
  const lead = face.code === "qr" && { lead: qrPart(face) };
  for (const scale of SCALES) {
    const elements = shelf(upper, { name: titleText, ...linesOf(upper, scale), ...lead });
    const bars = { x: margin, y: face.height - margin - height, width: inner, height };
    if (elements?.some((element) => element.kind === "price" && element.height >= face.height * LEAST_PRICE))
      return height > 0 ? [...elements, barsIn(face, bars)] : elements;
  }
  return undefined;
}

function qrPart(face: EccFace) {
  const side = Math.max(LEAST_QR, Math.round(Math.min(face.width, face.height) * QR));
  const length = (side * MILLIMETRES_PER_INCH) / face.dpi;
  const elements = (area: Area): Element[] => [{ ...qrOf("item.ean", area), align: "left" }];
  return { width: length, height: length, elements };
}

/** Arranges a strip: name, lines and bars above one another, and the price to their right. Undefined for other labels. */
function onStrip(face: EccFace): LayoutElement[] | undefined {
  const { margin, inner } = gridOf(face);
  if (face.width < face.height * STRIP || face.code === "qr") return undefined;
  const width = Math.round(inner * (1 - PRICE_SHARE)) - margin;
  const bars = hasBars(face, width) ? barsHeight(face) : 0;
  const left = { x: margin, y: margin, width, height: face.height - 2 * margin - bars };
  const { lines, price } = linesOf(face, STRIP_SCALE);
  const below = lineHeights(lines, 2) + 4;
  const size = Math.floor(((left.height - below) / heightOf(100)) * 100);
  if (size < LEAST_NAME) return undefined;
  const most = Math.min(size, Math.round(face.height * 0.2));
  const name = { text: titleText, size: most, more: { minimumSize: LEAST_NAME, ellipsis: "middle" as const } };
  const right = {
    ...left,
    x: margin + width + margin,
    width: inner - width - margin,
    height: face.height - 2 * margin,
  };
  return [
    lineOf(name, left),
    columnOf(lines, { ...left, y: left.y + left.height - below, height: below - 2 }, 2),
    ...(bars > 0 ? [barsIn(face, { ...left, y: left.y + left.height, height: bars })] : []),
    { ...largePriceOf(right, price), verticalAlign: "middle" },
  ];
}

/** Arranges labels whose parts must be small. */
function packed(face: EccFace): LayoutElement[] {
  const { margin, inner, row } = gridOf(face);
  const texts: Element[] = [
    { ...textOf(face, "narrow", 20), ...row(0, 27), text: titleText, lines: 2, ellipsis: "middle" },
    ...noteAndUnitPrice(face, row(27, 15)),
  ];
  const rest = row(42, 58);
  const priceIn = (area: Area): Element => ({ ...priceOf(face, face.ink), ...area, value: priceValue });
  if (face.code !== "qr") return [...texts, priceIn(rest)];
  const side = Math.min(rest.height, Math.floor(inner / 2));
  const code = { ...rest, y: rest.y + rest.height - side, width: side, height: side };
  return [...texts, qrOf("item.ean", code), priceIn({ ...rest, x: margin + side, width: inner - side })];
}

const unitPrice = { text: unitPriceText, visible: hasUnitPrice, minimumPercentOfPrice: SHARE_PERCENT };

/** Returns the note, with the unit price next to it if the item has one. */
function noteAndUnitPrice(face: EccFace, row: Area): Element[] {
  const note = { ...textOf(face, "narrow", 12), ...row, text: given("note", '""') };
  const width = Math.floor(row.width / 2);
  return [
    { ...note, visible: `!(${hasUnitPrice})` },
    { ...note, width: row.width - width - 4, visible: hasUnitPrice },
    { ...textOf(face, "narrow", 12), ...row, x: row.x + row.width - width, width, align: "right", ...unitPrice },
  ];
}
