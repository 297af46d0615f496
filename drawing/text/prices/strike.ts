import { type DrawingNotice, notice } from "../../../schemas/drawing-notice.ts";
import { type Area, clip, copyOf, drawLine, type Framebuffer, paste } from "../../pixels/framebuffer.ts";
import type { Face } from "../fonts.ts";
import { shortened } from "../shortened.ts";
import type { Stamp } from "./price-layout.ts";

export type Struck = true | "middle" | "diagonal";

/** Returns the smallest size, in pixels, at which a struck digit still looks more like itself than like any other digit. */
const leastStruckSize = (face: Face): number => (face === "narrow" ? 64 : 20);

/** Returns warnings about a price whose digits may be misread because a line of their own colour crosses them. */
export function tooSmallToStrike(price: string, size: number, face: Face): DrawingNotice[] {
  const least = leastStruckSize(face);
  return size >= least ? [] : [notice("STRUCK_PRICE_SMALL", { text: shortened(price), size, least })];
}

/** Thickness of the line, relative to the height of the letters: as thin as a stroke, so that the text can be read. */
const THICKNESS = 1 / 16;

/** Width of the blank margin on each side of the line, relative to the height of the letters. */
const HALO = 1 / 24;

/** How far the line extends beyond the letters at each end, relative to their height. */
const OVERHANG = 1 / 12;

/** Columns and rows of a box of letters. The last row + 1 is the baseline. */
interface Letters {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** How letters are struck through, and the columns to which the line is limited. */
interface Strike {
  struck: Struck;
  color: number;
  /** The background colour of the letters, which separates a line over them from their strokes. */
  paper?: number | undefined;
  min: number;
  max: number;
}

/**
 * Strikes a price through its digits: with a diagonal over all of them, or with a line through the middle of the digits. Raised
 * decimals have their own middle and therefore their own line. The same applies to the amount in a second currency. `true` means
 * the diagonal, because a line through the middle makes a 0 look like an 8.
 */
export function strikePrice(target: Framebuffer, stamps: readonly Stamp[], line: Strike): void {
  const inked = stamps.filter(({ glyph }) => glyph.right > 0);
  const digits = inked.filter(({ part }) => part === "integer" || part === "decimals");
  const second = inked.filter(({ part }) => part === "second");
  const levels = [...Map.groupBy(digits, ({ y }) => y).values()];
  const struck = line.struck === true ? "diagonal" : line.struck;
  const all = [...(struck === "diagonal" ? [digits] : levels), second].filter((group) => group.length > 0);
  const groups = all.map((group) => ({
    left: Math.min(...group.map(({ glyph, x }) => x + glyph.left)),
    right: Math.max(...group.map(({ glyph, x }) => x + glyph.right)),
    top: Math.min(...group.map(({ glyph, y }) => y + glyph.top)),
    bottom: Math.max(...group.map(({ y }) => y)),
  }));
  const height = Math.max(...groups.map(({ top, bottom }) => bottom - top));
  for (const letters of groups) strike(target, letters, { ...line, struck }, height);
}

/** Strikes letters through, with a line whose thickness suits letters of the given height. */
export function strike(
  target: Framebuffer,
  { left, right, top, bottom }: Letters,
  { struck, color, paper, min, max }: Strike,
  height = bottom - top,
): void {
  const thickness = Math.max(1, Math.round(height * THICKNESS));
  const overhang = Math.max(1, Math.round((bottom - top) * OVERHANG));
  const [from, to] = [Math.max(min, left - overhang), Math.min(max, right + overhang) - 1];
  const middle = Math.floor((top + bottom - 1) / 2);
  const [begin, end] = struck === "diagonal" ? [bottom - 1, top] : [middle, middle];
  if (paper !== undefined) {
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    drawInside(target, box, [from, begin], [to, end], thickness + 2 * haloOf(height), paper);
  }
  drawLine(target, [from, begin], [to, end], thickness, color);
}

/** Returns the width, in pixels, of the blank margin on each side of a line, which separates it from the letters' strokes. */
const haloOf = (height: number): number => Math.max(1, Math.round(height * HALO));

/** Draws the part of a line that is inside an area. */
function drawInside(target: Framebuffer, area: Area, from: Point, to: Point, thickness: number, color: number): void {
  const { x, y, width, height } = clip(area, target);
  if (width === 0 || height === 0) return;
  const part = { width, height, palette: target.palette, pixels: copyOf(target, area) };
  drawLine(part, [from[0] - x, from[1] - y], [to[0] - x, to[1] - y], thickness, color);
  paste(target, part, x, y);
}

type Point = readonly [x: number, y: number];
