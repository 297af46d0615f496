import { MAX_PERCENT_UNSEPARATED } from "../../../schemas/check-canvas.ts";
import { type Setting, settingOf } from "../../shaping/setting.ts";
import type { PriceParts } from "../../values/format-price.ts";
import { DASH } from "../../values/styled-price.ts";
import type { Face } from "../fonts.ts";
import type { Glyph } from "../glyphs.ts";
import { offsetOf } from "../offset.ts";

/** A part of a price. Positions are in pixels from the left end of the price's baseline. */
export interface Piece {
  part: "integer" | "decimals" | "currency" | "second";
  text: string;
  setting: Setting;
  /** Start of the part's pen. */
  at: number;
  size: number;
  /** Height of the part's baseline above the integer's baseline. */
  rise: number;
}

export interface PriceLayout {
  size: number;
  pieces: readonly Piece[];
  width: number;
  /** Space that the price needs above and below the integer's baseline, in pixels. */
  above: number;
  below: number;
}

/** A glyph and the position of its origin. */
export interface Stamp {
  part: Piece["part"];
  glyph: Glyph;
  x: number;
  y: number;
}

/** First column and row, last column + 1 and last row + 1. The box always contains the left end of the baseline. */
export interface InkBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface PriceLook {
  font: Face;
  /** Locale of the price's currency signs, and of text that is not a number. */
  locale: string;
  /** Sizes of the decimals and of the currency, as fractions of the integer's size. */
  decimals: number;
  currency: number;
  /** Decimals, the currency and the amount in a second currency are not smaller than this, unless the integer is. */
  minimumSize: number;
  /** Where a currency after the number is drawn. If absent, it is drawn below the decimals if it fits there. */
  currencyPlace?: "below" | "beside" | undefined;
  /** The amount in a second currency. `size` is a fraction of the integer's. */
  second?: { text: string; size: number; position: "beside" | "below"; align?: Align | undefined };
}

type Align = "left" | "center" | "right";

/** Height of a digit, and descent of a comma below the baseline, in em: the minimum space for a price. */
const DIGIT = 0.745;
const COMMA = 0.15;

/** Spaces that group thousands. They are narrower than a digit, so that one price never looks like two. */
const GROUPS = /[\s\u00a0\u202f]/;
const GROUP_GAP = 0.17;

/**
 * Lays out a price at a size: the integer in full size, the decimals raised next to it. The currency is below the decimals if it
 * fits, otherwise raised next to them, or before the integer if the locale or the design puts it there. A separator that the
 * design omits is shown at sizes at which the decimals cannot be much smaller than the integer.
 */
export function layOutPrice(parts: PriceParts, size: number, look: PriceLook): PriceLayout {
  const small = (part: number): number => Math.max(Math.min(size, look.minimumSize), Math.round(size * part));
  const decimals = small(look.decimals);
  const raised = (own: number): number => heightOf(size) - heightOf(own);
  const currency = currencySize(small(look.currency), raised(decimals), small(0), look.currencyPlace);
  const gap = Math.ceil(size / 12);
  const pieces: Piece[] = [];
  let at = 0;
  const add = (part: Piece["part"], text: string, own: number, rise: number): number => {
    if (text === "") return 0;
    const setting = settingOf(look.font, text, look.locale);
    pieces.push({ part, text, setting, at, size: own, rise });
    return setting.widthOf(text) * own;
  };
  if (parts.before !== "") at += add("currency", parts.before, currency, raised(currency)) + gap;
  for (const [index, group] of (parts.isVerbatim ? [parts.integer] : parts.integer.split(GROUPS)).entries()) {
    if (index > 0) at += Math.max(1, Math.round(size * GROUP_GAP));
    at += add("integer", group, size, 0);
  }
  const isSmall = decimals * 100 <= size * MAX_PERCENT_UNSEPARATED;
  const separator = parts.separator || (isSmall ? "" : (parts.omittedSeparator ?? ""));
  at += add("integer", separator, size, 0);
  const isRaised = parts.decimals !== "" && parts.decimals !== DASH && raised(decimals) > 0;
  if (isRaised && separator === "") at += Math.ceil(size / 20);
  const isBelow = isRaised && look.currencyPlace !== "beside" && raised(decimals) > heightOf(currency);
  if (parts.after !== "" && isBelow) {
    at += Math.max(
      add("decimals", parts.decimals, decimals, raised(decimals)),
      add("currency", parts.after, currency, 0),
    );
  } else {
    // A dash is not small print: it replaces the decimals, but is as large as the integer.
    if (parts.decimals === DASH) at += add("integer", DASH, size, 0);
    else at += add("decimals", parts.decimals, decimals, raised(decimals));
    if (parts.after !== "") at += gap;
    at += add("currency", parts.after, currency, isRaised ? raised(currency) : 0);
  }
  const own = look.second && small(look.second.size);
  const width = look.second && own ? addSecond(pieces, look, at, gap, look.second, own) : at;
  return { size, pieces, width, ...reachOfPieces(pieces, size) };
}

/**
 * Returns the size of a currency. A currency that must be below the decimals shrinks until it fits there, but not to less than
 * `least`. If `least` is still too large, the currency keeps its size.
 */
function currencySize(wanted: number, room: number, least: number, place: PriceLook["currencyPlace"]): number {
  let size = wanted;
  while (place === "below" && size > least && heightOf(size) >= room) size -= 1;
  return place === "below" && heightOf(size) >= room ? wanted : size;
}

/** Adds the amount in the second currency, and returns the total width. */
function addSecond(
  pieces: Piece[],
  look: PriceLook,
  first: number,
  gap: number,
  { text, position, align = "left" }: NonNullable<PriceLook["second"]>,
  size: number,
): number {
  const isBeside = position === "beside";
  const shown = isBeside ? `/ ${text}` : text;
  const piece = { part: "second" as const, text: shown, setting: settingOf(look.font, shown, look.locale), size };
  const own = piece.setting.widthOf(shown) * size;
  if (isBeside) {
    pieces.push({ ...piece, at: first + 2 * gap, rise: 0 });
    return first + 2 * gap + own;
  }
  const drop = Math.ceil(pieces.reduce((most, { size }) => Math.max(most, size), 0) * COMMA) + 1 + heightOf(size);
  const width = Math.max(first, own);
  // The narrower of the two is moved, so that both have the area's alignment.
  for (const other of pieces) other.at += offsetOf(align, width, first);
  pieces.push({ ...piece, at: offsetOf(align, width, own), rise: -drop });
  return width;
}

/** Returns the glyphs of a price, relative to the left end of its baseline. */
export function stampPrice({ pieces }: PriceLayout): Stamp[] {
  const stamps: Stamp[] = [];
  for (const { part, text, setting, at: left, size, rise } of pieces) {
    const line = { size, text, left, baseline: -rise };
    setting.eachStamp(line, (glyph, x, y) => stamps.push({ part, glyph, x, y }));
  }
  return alignTops(stamps, pieces);
}

/** Shifts the raised decimals, and a raised currency, by the pixel by which rounding may misplace them. */
function alignTops(stamps: Stamp[], pieces: readonly Piece[]): Stamp[] {
  const rise = pieces.find(({ part }) => part === "decimals")?.rise ?? 0;
  if (rise <= 0) return stamps;
  const off = topOf(stamps, "integer") - topOf(stamps, "decimals");
  if (!Number.isFinite(off)) return stamps;
  return stamps.map((stamp) =>
    stamp.part === "decimals" || (stamp.part === "currency" && stamp.y < 0) ? { ...stamp, y: stamp.y + off } : stamp,
  );
}

/** Returns the first row of a part's ink. */
const topOf = (stamps: readonly Stamp[], part: Piece["part"]): number =>
  Math.min(...stamps.filter((stamp) => stamp.part === part).map(({ glyph, y }) => y + glyph.top));

/** Returns the bounding box of the stamps' ink. */
export function inkBoxOf(stamps: readonly Stamp[]): InkBox {
  const box = { left: 0, top: 0, right: 0, bottom: 0 };
  for (const { glyph, x, y } of stamps) {
    box.left = Math.min(box.left, x + glyph.left);
    box.top = Math.min(box.top, y + glyph.top);
    box.right = Math.max(box.right, x + glyph.right);
    box.bottom = Math.max(box.bottom, y + glyph.bottom);
  }
  return box;
}

const heightOf = (size: number): number => Math.ceil(size * DIGIT);

/**
 * Returns the space above and below the baseline. Currency signs, and text that is not a number, may need more space than
 * digits.
 */
function reachOfPieces(pieces: readonly Piece[], size: number): { above: number; below: number } {
  let above = heightOf(size);
  let below = Math.ceil(size * COMMA);
  for (const { setting, size: own, rise } of pieces) {
    const { top, bottom } = setting.reach();
    above = Math.max(above, Math.ceil(top * own) + rise);
    below = Math.max(below, Math.ceil(bottom * own) - rise);
  }
  return { above, below };
}
