import type { TextElement } from "../../schemas/canvas-texts.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { hyphenated } from "../lines/hyphenate.ts";
import { type Area, drawRuns, type Framebuffer } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";
import { type SetLine, type Setting, settingOf } from "../shaping/setting.ts";
import { type Inked, isHidden, type LetterColors, moveInside, newInk, shownInk } from "./draw-characters.ts";
import { DrawingError } from "./drawing-error.ts";
import { type FittedText, fitText, lineHeightOf } from "./fit-text.ts";
import { offsetOf } from "./offset.ts";
import { strike, tooSmallToStrike } from "./prices/strike.ts";
import { shortened } from "./shortened.ts";

/** Size in pixels to which text may shrink unless its design specifies another. */
export const MIN_TEXT_SIZE = 8;
/** Distance between two lines, in em, unless the design specifies another distance or the script needs more. */
export const LINE_HEIGHT = 1.17;

/** The result of drawing text. */
export interface DrawnText {
  warnings: DrawingNotice[];
  /** In pixels. Absent if the text is left out. */
  size?: number;
  lines?: number;
  /** The ink of text that must be shown completely. No later element may cover it. */
  inked?: readonly Inked[];
}

/**
 * Draws text in its area. `drawBehind` is called with the text's area before the text is drawn. If not even an ellipsis fits,
 * leaves out text that had to be enlarged to be legible, and throws DrawingError for any other text. Also throws DrawingError
 * if the text must be shown completely and does not fit.
 */
export function drawText(
  target: Framebuffer,
  element: TextElement,
  sent: string,
  { color, paper }: LetterColors,
  storeLocale = "en",
  drawBehind?: (area: Area) => void,
): DrawnText {
  const { x, y, width } = element;
  const text = tidy(sent);
  const { setting, fitted, ascent, descent, lineHeight, spacing, readable } = layOutText(element, text, storeLocale);
  const omitted = checkFit(element, text, fitted, readable);
  if (omitted) return { warnings: omitted };

  const distance = lineHeightOf(fitted.size, lineHeight);
  const block = (fitted.lines.length - 1) * distance + (ascent + descent) * fitted.size;
  const top = y + topOf(element, target.height - y, block, descent * fitted.size) + ascent * fitted.size;
  const lines = fitted.lines.map((line, index) => {
    // No space is added after the last letter of a line.
    const lineWidth = line === "" ? 0 : (setting.widthOf(line, spacing) - spacing) * fitted.size;
    const left = x + offsetOf(element.align, width, lineWidth);
    const baseline = Math.round(top + index * distance);
    const set = { size: fitted.size, text: line, left, baseline, spacing: spacing * fitted.size };
    return { ...set, left: left + overhangOf(setting, set, lineWidth, x, x + width), width: lineWidth };
  });
  drawBehind?.(areaOf(lines, ascent * fitted.size, descent * fitted.size));
  const struckBy = element.struckColor === undefined ? color : colorIndex(element.struckColor, target.palette);
  const ink = newInk();
  const inked: Inked[] = [];
  for (const line of lines) {
    const strikeIt = (parting?: number) =>
      line.text !== "" && strikeLine(target, element, line, { color: struckBy, paper: parting });
    // A line of another colour is drawn under the letters, so that each letter is legible.
    if (struckBy !== color) strikeIt();
    setting.eachStamp(line, (glyph, x, y) => {
      drawRuns(target, glyph.runs, x, y, color, ink);
      if (element.whole) inked.push({ runs: glyph.runs, x, y, color });
    });
    if (struckBy === color) strikeIt(paper);
  }
  const warnings = [
    ...warningsOf(text, setting.warnings(), fitted, isHidden(ink)),
    ...illegible(text, element, readable, fitted),
    ...(struckBy === color ? struckTooSmall(element, text, fitted.size) : []),
  ];
  return { warnings, size: fitted.size, lines: lines.length, ...(element.whole && { inked: shownInk(target, inked) }) };
}

/** Returns the width and height of text in its area. Undefined if it does not fit. */
export function measureText(
  element: TextElement,
  sent: string,
  storeLocale: string,
): { width: number; height: number } | undefined {
  const { setting, fitted, ascent, descent, lineHeight, spacing } = layOutText(element, tidy(sent), storeLocale);
  const { size, lines, leavesArea } = fitted;
  if (leavesArea) return undefined;
  const widths = lines.map((line) => (line === "" ? 0 : setting.widthOf(line, spacing) - spacing));
  const height = (lines.length - 1) * lineHeightOf(size, lineHeight) + (ascent + descent) * size;
  return { width: Math.max(0, ...widths) * size, height };
}

/**
 * Returns warnings about the digits of struck-through text. A struck-through name needs no warning, because its letters are
 * still recognisable.
 */
export const struckTooSmall = ({ struck, font }: TextElement, text: string, size: number): DrawingNotice[] =>
  struck && /\d/.test(text) ? tooSmallToStrike(text, size, font) : [];

/** Returns warnings about text that is left out. Throws DrawingError if the text must be shown and does not fit. */
export function checkFit(
  { whole, size, width, height }: TextElement,
  text: string,
  fitted: Fit,
  readable: number,
): DrawingNotice[] | undefined {
  if (fitted.leavesArea && !whole && size < readable) {
    return [notice("TEXT_OMITTED", { text: shortened(text), least: readable })];
  }
  if (fitted.leavesArea || (whole && fitted.isCut)) {
    const facts = { text: shortened(text), width, height, size: fitted.size };
    throw new DrawingError(notice(whole ? "WHOLE_TEXT_NO_ROOM" : "TEXT_NO_ROOM", facts));
  }
  return undefined;
}

type Fit = Pick<FittedText, "size" | "isCut" | "leavesArea">;
type PlacedLine = SetLine & { width: number };

/** Returns the whole pixels that lines cover, each from its ascent to its descent. */
export function areaOf(lines: readonly PlacedLine[], ascent: number, descent: number): Area {
  const left = Math.floor(Math.min(...lines.map((line) => line.left)));
  const right = Math.ceil(Math.max(...lines.map((line) => line.left + line.width)));
  const top = Math.floor((lines[0]?.baseline ?? 0) - ascent);
  const bottom = Math.ceil((lines.at(-1)?.baseline ?? 0) + descent);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Assumed height of letters that a line strikes through, in em: between the heights of lowercase letters and capitals. */
const STRUCK_HEIGHT = 0.62;

export function strikeLine(
  target: Framebuffer,
  { struck, x, width }: TextElement,
  { left, width: lineWidth, baseline, size }: PlacedLine,
  line: { color: number; paper: number | undefined },
): void {
  const letters = {
    left: Math.round(left),
    right: Math.round(left + lineWidth),
    top: baseline - Math.round(size * STRUCK_HEIGHT),
    bottom: baseline,
  };
  if (struck) strike(target, letters, { ...line, struck, min: x, max: x + width });
}

/**
 * Returns the distance between the area's top and the first line. With alignment on the baseline, descenders hang below the area
 * but not below the label.
 */
export function topOf(
  { verticalAlign, height }: TextElement,
  toLabelEnd: number,
  block: number,
  descent: number,
): number {
  if (verticalAlign === "baseline") return Math.min(height - block + descent, toLabelEnd - block);
  return offsetOf(verticalAlign, height, block);
}

/** Lays out text in lines, at the size at which it fits, but never at a size at which its letters could be mistaken. */
export function layOutText(element: TextElement, text: string, storeLocale = "en") {
  const { font, width, height, lines = 1, ellipsis, balance: isBalanced } = element;
  const { locale = storeLocale, letterSpacing = 0, hyphenate: isParted } = element;
  const setting = settingOf(font, text, locale);
  const readable = setting.readable();
  const size = Math.max(element.size, readable);
  const minimumSize = Math.max(Math.min(size, element.minimumSize ?? MIN_TEXT_SIZE), readable);
  const { ascent, descent } = setting.heights();
  const { lineHeight: percent } = element;
  const lineHeight = percent === undefined ? Math.max(LINE_HEIGHT, setting.lineHeight()) : percent / 100;
  const spacing = letterSpacing / 100;
  const lineExtent = ascent + descent;
  const hyphenate = isParted ? (source: string) => hyphenated(source, locale) : undefined;
  const area = { width, height, size, minimumSize, lines, lineHeight, lineExtent, ellipsis, isBalanced, hyphenate };
  const fitted = fitText(text, area, (part) => setting.widthOf(part, spacing));
  return { setting, fitted, ascent, descent, lineHeight, spacing, readable };
}

/** Returns the shift that moves a line's ends inside the area. Some letters, such as a J, begin to the left of the pen. */
function overhangOf(setting: Setting, line: SetLine, width: number, min: number, max: number): number {
  if (line.text === "") return 0;
  const { from, to } = setting.extentOf(line, width);
  return moveInside(from, to, min, max);
}

export function warningsOf(
  text: string,
  lacking: readonly DrawingNotice[],
  fitted: Fit,
  isUnseen: boolean,
): DrawingNotice[] {
  const warnings = [...lacking];
  if (fitted.isCut) warnings.push(notice("TEXT_CUT", { text: shortened(text), size: fitted.size }));
  if (isUnseen) warnings.push(notice("TEXT_UNSEEN", { text: shortened(text) }));
  return warnings;
}

/** Returns warnings for sizes in a design at which letters would look alike. */
export function illegible(text: string, element: TextElement, readable: number, { size, isCut }: Fit): DrawingNotice[] {
  if (element.size < readable) return [notice("TEXT_ENLARGED", { text: shortened(text), size, asked: element.size })];
  const asked = element.minimumSize ?? MIN_TEXT_SIZE;
  return isCut && asked < readable ? [notice("TEXT_ILLEGIBLE", { text: shortened(text), least: readable })] : [];
}

/** Latin letters and signs that are already composed, without line breaks and tabs. Most text contains no other characters. */
const TIDY = /^[ -~\u00a0-\u02ff]*$/;

/** Normalizes text: letters are composed with their accents (NFC), line breaks become line feeds, and tabs become spaces. */
export const tidy = (text: string): string =>
  TIDY.test(text)
    ? text
    : text
        .normalize("NFC")
        .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n")
        .replaceAll("\t", " ");
