import type { LayoutElement } from "../../schemas/canvas.ts";
import type { PriceElement } from "../../schemas/canvas-texts.ts";
import type { Area } from "../pixels/framebuffer.ts";
import {
  columnOf,
  type Face,
  grownPixels,
  heightOf,
  inWidth,
  type Line,
  lineHeights,
  pixelsOf,
  priceOf,
  textOf,
} from "./face.ts";

/** A part of a label, with its size in millimetres. */
interface Part {
  width: number;
  height: number;
  elements: (area: Area) => LayoutElement[];
  /** Whether a label on which the part does not fit is laid out without it. */
  isOptional?: true;
}

/** The content of a shelf label: a name on top, a price on the right, and lines next to or below it. */
export interface Shelf {
  /** Template of the name. If absent, the item's name. */
  name?: string;
  /** A second, smaller line of the name. */
  subtitle?: Line;
  lines: readonly Line[];
  price?: Partial<PriceElement>;
  /** A part next to the name in the upper right corner. */
  corner?: Part;
  /** A part to the left of the lines. */
  lead?: Part;
  /** Minimum height of the area below the name, in pixels. */
  least?: number;
  /** Draws several prices instead of one. `left` is where lines above the price begin. */
  prices?: (area: Area, left: number) => LayoutElement[];
}

/** Minimum size of a price's area, in millimetres. */
const LEAST_PRICE = { width: 15, height: 5 };
/** Minimum size of the name in pixels, and its share of the usual size when it has two lines. */
const [LEAST_NAME, TWO_LINES] = [12, 0.78];

/** Shares of the width that lines next to a price may take. The first share at which the lines fit is used. */
const SHARES = [0.38, 0.42, 0.46, 0.5, 0.54, 0.58, 0.62];

/**
 * Lays out a shelf label with lines next to or below the price, whichever leaves more room for the price. Undefined if what the
 * law requires does not fit on the label.
 */
export function shelf(face: Face, shown: Shelf): LayoutElement[] | undefined {
  const besides = SHARES.map((share) => layOut(face, shown, share)).find((found) => found !== undefined);
  const ways = [besides, layOut(face, shown, 1)].filter((found) => found !== undefined);
  const [best] = ways.toSorted((one, other) => other.room - one.room);
  if (best) return best.elements;
  const { corner, ...rest } = shown;
  return corner?.isOptional ? shelf(face, rest) : undefined;
}

/** Width of a price of three digits, relative to its height. */
const PRICE_RATIO = 2.2;

function layOut(face: Face, shown: Shelf, share: number): { elements: LayoutElement[]; room: number } | undefined {
  const { width, height } = face;
  const { lead, corner } = shown;
  const isWide = share < 1;
  const margin = Math.max(3, Math.round(Math.min(width, height) / 36));
  const gap = Math.max(2, Math.round(margin / 2));
  const inner = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
  const room = lead ? inner.width - pixelsOf(face, lead.width) - gap : inner.width;
  const lines = shown.lines.flatMap((line) => inWidth(line, Math.round(room * share)) ?? []);
  if (lines.length < shown.lines.length) return undefined;
  const needed = lineHeights(lines, gap) + (isWide ? 0 : gap + pixelsOf(face, LEAST_PRICE.height));
  const least = Math.max(needed, shown.least ?? 0, lead ? pixelsOf(face, lead.height) : 0);
  const head = headOf(face, shown, { ...inner, height: inner.height - least - gap }, isWide);
  if (head === undefined) return undefined;
  const top = inner.y + head.height + gap;
  const body = { ...inner, y: top, height: inner.y + inner.height - top };
  const leading = lead && { ...body, width: pixelsOf(face, lead.width) };
  const rest = { ...body, x: body.x + body.width - room, width: room };
  const { price, column } = isWide ? beside(rest, lines, share) : below(rest, lineHeights(lines, gap), gap);
  const isRoomy =
    price.width >= pixelsOf(face, LEAST_PRICE.width) && price.height >= pixelsOf(face, LEAST_PRICE.height);
  if (!isRoomy || (corner && grownPixels(face, corner.width) > inner.width / 2)) return undefined;
  const elements = [
    ...head.elements,
    ...(leading ? (lead?.elements(leading) ?? []) : []),
    ...(lines.length > 0 ? [columnOf(lines, column, gap)] : []),
    ...(shown.prices?.(price, column.x) ?? [priceOf(price, shown.price)]),
  ];
  return { elements, room: Math.min(price.width / PRICE_RATIO, price.height) };
}

/** Returns the name on one line, or on two smaller lines. Undefined if it does not fit even at its smallest size. */
function headOf(face: Face, { name: text = "${item.itemName}", corner, subtitle }: Shelf, area: Area, isWide: boolean) {
  const base = isWide ? face.height : Math.min(face.height, face.width * 0.75);
  const size = Math.max(16, Math.round(Math.min(base * 0.155, 8 + base * 0.09)));
  const cornerSize = corner && { width: grownPixels(face, corner.width), height: grownPixels(face, corner.height) };
  const width = area.width - (cornerSize ? cornerSize.width + 4 : 0);
  const under = subtitle ? lineHeights([subtitle], 0) : 0;
  const wanted = heightOf(Math.max(LEAST_NAME + 1, Math.round(size * TWO_LINES)), 2);
  const height = Math.min(Math.max(wanted, (cornerSize?.height ?? 0) - under), area.height - under);
  if (height < heightOf(LEAST_NAME, 2) || (cornerSize && cornerSize.height > height + under)) return undefined;
  const line: Line = {
    ...{ text, size, lines: 2, extra: height - heightOf(size, 2) },
    more: { minimumSize: LEAST_NAME, ellipsis: "middle" },
  };
  const name: LayoutElement = subtitle
    ? columnOf([line, subtitle], { ...area, width, height: height + under }, 0, "start")
    : textOf(line, { ...area, width });
  const x = area.x + area.width - (cornerSize?.width ?? 0);
  const beside = corner && cornerSize ? corner.elements({ x, y: area.y, ...cornerSize }) : [];
  return { elements: [name, ...beside], height: height + under };
}

/** Arranges lines to the left of the price. */
function beside({ x, y, width, height }: Area, lines: readonly Line[], share: number): { price: Area; column: Area } {
  const taken = lines.length > 0 ? Math.round(width * share) : 0;
  const column = { x, y, width: taken, height };
  return { column, price: { x: x + taken + 4, y, width: width - taken - 4, height } };
}

/** Arranges lines below the price. */
function below({ x, y, width, height }: Area, needed: number, gap: number): { price: Area; column: Area } {
  const column = { x, y: y + height - needed, width, height: needed };
  return { column, price: { x, y, width, height: height - needed - gap } };
}

/** Returns a box with text in it, white on red or black. */
const badgeOf = (area: Area, text: string): LayoutElement[] => {
  const { x, y, width, height } = area;
  return [
    { kind: "box", ...area, radius: Math.max(2, Math.round(height / 8)), fill: ["red", "black"] },
    {
      ...textOf({ text, size: Math.floor((height - 2) / 1.21) }, { x: x + 2, y, width: width - 4 }),
      ...{ height, align: "center", verticalAlign: "middle", minimumSize: 10 },
    },
  ];
};

/** The colour of a reduced price. */
export const offerColor = { color: ["red", "black"] as ("red" | "black")[] };

/** Returns a badge for the upper right corner. */
export const cornerOf = (text: string): NonNullable<Shelf["corner"]> => ({
  width: 14,
  height: 6.5,
  elements: (area) => badgeOf(area, text),
});
