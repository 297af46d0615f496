import type { LayoutElement } from "../../schemas/canvas.ts";
import type { Area } from "../pixels/framebuffer.ts";
import { inWidth, type Line, lineHeights, priceOf, textOf } from "../templates/face.ts";
import { type EccFace, isGiven, priceValue } from "./ecc-elements.ts";
import { largestPrice, leastPrice, type OfferParts, offerParts } from "./ecc-offer-parts.ts";

/** The arrangement of the elements below an offer's name. */
export interface Arranged {
  elements: LayoutElement[];
  /** The price's area, and the size in pixels that a usual price has there. */
  price: Area;
  room: number;
}

/** Distance between two lines, and between a column and the price, in pixels. */
const [GAP, GUTTER] = [2, 6];
/** Shares of the width for a column next to the price. */
const SHARES = [0.34, 0.38, 0.42, 0.46, 0.5, 0.54, 0.58, 0.62];
/** Widths of prices with three and with four digits, relative to their size. Both determine how large a price may be. */
const PRICE_RATIOS = [1.45, 2.1];
/** Height of a price, relative to its size. */
const PRICE_HEIGHT = 0.9;

/** A label whose sides have at least this ratio is a strip. Its name and legal text have this share of the width. */
const [STRIP, STRIP_SHARE] = [3, 0.58];

const hasFormer = isGiven("formerPrice");

/**
 * Returns the arrangements that fit into an area with legal text at a scale. The arrangement with the largest price comes
 * first.
 */
export function arrange(face: EccFace, area: Area, scale: number): Arranged[] {
  const parts = offerParts(face, scale);
  const all = [...SHARES.flatMap((share) => beside(face, parts, area, share)), ...around(face, parts, area)];
  const least = leastPrice(face);
  const roomy = all.filter(({ price }) => price.width >= least.width && price.height >= least.height);
  return roomy.toSorted((one, other) => other.room - one.room);
}

/**
 * Returns an arrangement for a label on which no other fits: the legal text below the price, without the former price. If the
 * legal text does not fit here either, drawing reports it.
 */
export function forced(face: EccFace, area: Area, scale: number): LayoutElement[] {
  const parts = offerParts(face, scale);
  const lines = linesIn(parts, area.width);
  const bottom = lines ? lineHeights(lines, GAP) : area.height;
  const price = { ...area, height: area.height - bottom - GAP };
  if (lines && price.height >= leastPrice(face).height)
    return [
      priceIn(face, parts, price),
      columnOf(rowsOf(lines, area.width), { ...area, y: area.y + area.height - bottom, height: bottom }),
    ];
  const [left, right] = split(area, 0.5);
  return [columnOf(rowsOf([parts.lowest, parts.unit], left.width), left), priceIn(face, parts, right)];
}

/**
 * Arranges a strip: the name above the legal text, and the price to the right of both. Undefined if the label is not a strip.
 */
export function arrangeStrip(
  face: EccFace,
  area: Area,
  scale: number,
  nameIn: (area: Area) => { name: LayoutElement; below: Area },
): LayoutElement[] | undefined {
  const [left, right] = split(area, STRIP_SHARE);
  const { name, below } = nameIn(left);
  const parts = offerParts(face, scale);
  const column = face.width < face.height * STRIP ? undefined : columnIn(parts, below);
  return column && [name, column, priceIn(face, parts, right)];
}

/**
 * Arranges the legal text to the left of the price. The former price is above the legal text, next to the unit price, or above
 * the price.
 */
function beside(face: EccFace, parts: OfferParts, area: Area, share: number): Arranged[] {
  const [left, right] = split(area, share);
  const column = columnIn(parts, left);
  const lines = linesIn(parts, left.width);
  const { former } = parts;
  const below = cut(right, former.height + GAP);
  const isFormerAbove =
    lines && former.width <= right.width && lineHeights(lines, GAP) <= area.height && below.height > 0;
  return [
    ...(column ? [arranged([column, priceIn(face, parts, right)], right)] : []),
    ...(isFormerAbove
      ? [
          arranged(
            [
              columnOf(rowsOf(lines, left.width), left),
              { ...former.element, ...right, height: former.height, align: "right" },
              { ...priceIn(face, parts, below), visible: hasFormer },
              { ...priceIn(face, parts, right), visible: `!(${hasFormer})` },
            ],
            below,
          ),
        ]
      : []),
  ];
}

/**
 * Returns a column with the former price above the legal text, or next to the unit price. Undefined if the column does not fit.
 */
function columnIn(parts: OfferParts, area: Area): LayoutElement | undefined {
  const { former } = parts;
  const lines = linesIn(parts, area.width);
  if (lines === undefined) return undefined;
  if (former.width <= area.width && former.height + GAP + lineHeights(lines, GAP) <= area.height)
    return columnOf([former.element, ...rowsOf(lines, area.width)], area);
  const pair = pairOf(parts, area.width);
  const [lowest] = lines;
  if (pair === undefined || lineHeights([lowest], GAP) + GAP + pair.height > area.height) return undefined;
  return columnOf([...rowsOf([lowest], area.width), pair], area);
}

/** Returns the lines of legal text at a width. Undefined if there would be too many lines. */
function linesIn({ lowest, unit }: OfferParts, width: number): [lowest: Line, unit: Line] | undefined {
  const [first, last] = [inWidth(lowest, width), inWidth(unit, width)];
  return first && last && [first, last];
}

/**
 * Arranges the former price and the unit price above the price, and the lowest price below it: for squares and portrait
 * labels.
 */
function around(face: EccFace, parts: OfferParts, area: Area): Arranged[] {
  const lowest = inWidth(parts.lowest, area.width);
  const pair = pairOf(parts, area.width);
  if (lowest === undefined || pair === undefined) return [];
  const bottom = lineHeights([lowest], GAP);
  const below = cut(area, pair.height + GAP);
  const price = { ...below, height: below.height - bottom - GAP };
  if (price.height <= 0) return [];
  const last = { ...area, y: area.y + area.height - bottom, height: bottom };
  return [
    arranged(
      [
        { ...pair, x: area.x, y: area.y },
        { ...priceIn(face, parts, price), verticalAlign: "middle" },
        columnOf([rowOf(lowest, area.width)], last),
      ],
      price,
    ),
  ];
}

const arranged = (elements: LayoutElement[], price: Area): Arranged => ({
  elements,
  price,
  room: PRICE_RATIOS.reduce((sum, ratio) => sum + sizeIn(price, ratio), 0) / PRICE_RATIOS.length,
});

const sizeIn = ({ width, height }: Area, ratio: number): number => Math.min(width / ratio, height / PRICE_HEIGHT);

/** Returns the former price and the unit price side by side. Undefined if they do not fit. */
function pairOf({ former, unit, unitWidth }: OfferParts, width: number) {
  const left = width - former.width - GUTTER;
  if (left < unitWidth) return undefined;
  const height = Math.max(former.height, lineHeights([unit], 0));
  const aligned = { height, verticalAlign: "middle" } as const;
  return {
    ...({ kind: "stack", direction: "right", flow: "content", gap: GUTTER } as const),
    ...{ x: 0, y: 0, width, height },
    elements: [
      { ...former.element, ...aligned },
      { ...rowOf(unit, left), ...aligned },
    ],
  };
}

const rowOf = (line: Line, width: number) => textOf(line, { x: 0, y: 0, width });
const rowsOf = (lines: readonly Line[], width: number) => lines.map((line) => rowOf(line, width));

const columnOf = (elements: LayoutElement[], area: Area): LayoutElement => ({
  ...{ kind: "stack", ...area, gap: GAP, align: "end", flow: "content" },
  elements,
});

/** Returns a price as large as its area allows, but not so large that the unit price would fall below its minimum share. */
function priceIn({ priceColor }: EccFace, { unit }: OfferParts, area: Area) {
  const price = priceOf(area, { value: priceValue, color: priceColor, minimumSize: 9 });
  return { ...price, size: Math.min(price.size, largestPrice(unit.size)) };
}

function split({ x, width, ...area }: Area, share: number): [left: Area, right: Area] {
  const taken = Math.round(width * share);
  return [
    { ...area, x, width: taken },
    { ...area, x: x + taken + GUTTER, width: width - taken - GUTTER },
  ];
}

const cut = (area: Area, height: number): Area => ({ ...area, y: area.y + height, height: area.height - height });
