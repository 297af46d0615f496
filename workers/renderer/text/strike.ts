import { drawLine, type Framebuffer } from "../pixels/framebuffer.ts";
import type { Stamp } from "./price-layout.ts";

export type Struck = true | "middle" | "diagonal";

/** Thickness of the line, in heights of the letters: as thin as a stroke, so that what is struck can be read. */
const THICKNESS = 1 / 12;

/** How far the line reaches beyond the letters at each end, in heights of the letters. */
const OVERHANG = 1 / 12;

/** Columns of a box of letters, and its rows: the last one + 1 is the baseline. */
interface Letters {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A way of striking, and the columns that the line may not leave. */
interface Strike {
  struck: Struck;
  color: number;
  min: number;
  max: number;
}

/**
 * Strikes a price through its digits: with a diagonal over all of them, or with a line through the middle of the digits.
 * Raised decimals have a middle of their own, and so a line of their own; so has the amount in a second currency. Of `true`
 * the diagonal is taken: a line through the middle makes a 0 look like an 8.
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

/** Strikes letters through, with a line for letters of this height. */
export function strike(
  target: Framebuffer,
  { left, right, top, bottom }: Letters,
  { struck, color, min, max }: Strike,
  height = bottom - top,
): void {
  const thickness = Math.max(1, Math.round(height * THICKNESS));
  const overhang = Math.max(1, Math.round((bottom - top) * OVERHANG));
  const [from, to] = [Math.max(min, left - overhang), Math.min(max, right + overhang) - 1];
  const middle = Math.floor((top + bottom - 1) / 2);
  if (struck === "diagonal") drawLine(target, [from, bottom - 1], [to, top], thickness, color);
  else drawLine(target, [from, middle], [to, middle], thickness, color);
}
