import type { TextElement, TextRun } from "../../schemas/canvas-texts.ts";
import { hyphenated } from "../lines/hyphenate.ts";
import { type Area, drawRuns, type Framebuffer } from "../pixels/framebuffer.ts";
import { colorIndex } from "../pixels/nearest-color.ts";
import { directionOf } from "../shaping/direction.ts";
import { type SetLine, type Setting, settingOf } from "../shaping/setting.ts";
import { type Inked, isHidden, type LetterColors, moveInside, newInk, shownInk } from "../text/draw-characters.ts";
import {
  areaOf,
  checkFit,
  type DrawnText,
  illegible,
  LINE_HEIGHT,
  MIN_TEXT_SIZE,
  strikeLine,
  struckTooSmall,
  tidy,
  topOf,
  warningsOf,
} from "../text/draw-text.ts";
import { lineHeightOf } from "../text/fit-text.ts";
import type { Face } from "../text/fonts.ts";
import { offsetOf } from "../text/offset.ts";
import { fitRuns, widthOf } from "./fit-runs.ts";
import { type RunText, runTexts } from "./run-texts.ts";

/** The style of a run. */
interface Look {
  setting: Setting;
  /** The run's size relative to the element's. */
  ratio: number;
  color: number;
}

/** A part of a line in a single style, and its position. */
interface Piece {
  look: Look;
  line: SetLine;
  width: number;
}

/**
 * Draws text with runs in its area, with one baseline per line. `parts` are the text of the element and of each run. Throws
 * DrawingError like `drawText`.
 */
export function drawTextWithRuns(
  target: Framebuffer,
  element: TextElement,
  parts: readonly string[],
  { color, paper }: LetterColors,
  storeLocale: string,
  drawBehind?: (area: Area) => void,
): DrawnText {
  const texts = parts.map(tidy);
  const text = texts.join("");
  const { locale = storeLocale, x, y, width } = element;
  const looks = looksOf(target, element, texts, color, locale);
  const { fitted, lineHeight, ascent, descent, readable } = layOut(element, texts, looks, locale);
  const omitted = checkFit(element, text, fitted, readable);
  if (omitted) return { warnings: omitted };

  const { size } = fitted;
  const distance = lineHeightOf(size, lineHeight);
  const block = (fitted.lines.length - 1) * distance + (ascent + descent) * size;
  const top = y + topOf(element, target.height - y, block, descent * size) + ascent * size;
  const isFromRight = directionOf(text, locale) === "rtl";
  const lines = fitted.lines.map((line, index) => {
    const baseline = Math.round(top + index * distance);
    return placed(piecesOf(runTexts(line, isFromRight), looks, element, size, baseline), element, { size, baseline });
  });
  drawBehind?.(areaOf(lines, ascent * size, descent * size));
  const struckBy = element.struckColor === undefined ? color : colorIndex(element.struckColor, target.palette);
  const { inks, inked } = inkLines(target, element, lines, looks, { color, paper, struckBy });
  const ofLooks = looks.flatMap(({ setting }) => setting.warnings());
  const warnings = [
    ...warningsOf(text, ofLooks, fitted, inks.some(isHidden)),
    ...illegible(text, element, readable, fitted),
    ...(struckBy === color ? struckTooSmall(element, text, size) : []),
  ];
  return { warnings, size, lines: lines.length, ...(element.whole && { inked: shownInk(target, inked) }) };

  /** Places the pieces of a line side by side, aligned as the element says, with all of their ink in its area. */
  function placed(pieces: readonly Piece[], { align }: TextElement, at: { size: number; baseline: number }) {
    const lineWidth = pieces.reduce((sum, piece) => sum + piece.width, 0);
    const left = x + offsetOf(align, width, lineWidth);
    const ink = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
    let pen = left;
    for (const piece of pieces) {
      piece.line.left = pen;
      pen += piece.width;
      const { from, to } = piece.look.setting.extentOf(piece.line, piece.width);
      ink.from = Math.min(ink.from, from);
      ink.to = Math.max(ink.to, to);
    }
    const move = pieces.length > 0 ? moveInside(ink.from, ink.to, x, x + width) : 0;
    for (const { line } of pieces) line.left += move;
    return { ...at, text, left: left + move, width: lineWidth, pieces };
  }
}

/** Returns the width and height of text with runs in its area. Undefined if it does not fit. */
export function measureTextWithRuns(
  element: TextElement,
  parts: readonly string[],
  storeLocale: string,
): { width: number; height: number } | undefined {
  const { locale = storeLocale } = element;
  const texts = parts.map(tidy);
  const { fitted, lineHeight, ascent, descent } = layOut(element, texts, settingsOf(element, texts, locale), locale);
  const { size, lines, leavesArea } = fitted;
  if (leavesArea) return undefined;
  const height = (lines.length - 1) * lineHeightOf(size, lineHeight) + (ascent + descent) * size;
  return { width: Math.max(0, ...lines.map(widthOf)) * size, height };
}

/**
 * Inks lines, struck through if the element says so. Returns the ink of each style, and the glyphs of text that must be whole.
 */
function inkLines(
  target: Framebuffer,
  element: TextElement,
  lines: readonly (Parameters<typeof strikeLine>[2] & { pieces: readonly Piece[] })[],
  looks: readonly Look[],
  { color, paper, struckBy }: LetterColors & { struckBy: number },
) {
  const inks = looks.map(newInk);
  const inked: Inked[] = [];
  for (const line of lines) {
    const strikeIt = (parting?: number) =>
      line.pieces.length > 0 && strikeLine(target, element, line, { color: struckBy, paper: parting });
    if (struckBy !== color) strikeIt();
    for (const { look, line: own } of line.pieces) {
      const ink = inks[looks.indexOf(look)] ?? newInk();
      look.setting.eachStamp(own, (glyph, left, above) => {
        drawRuns(target, glyph.runs, left, above, look.color, ink);
        if (element.whole) inked.push({ runs: glyph.runs, x: left, y: above, color: look.color });
      });
    }
    if (struckBy === color) strikeIt(paper);
  }
  return { inks, inked };
}

function looksOf(
  { palette }: Framebuffer,
  element: TextElement,
  texts: readonly string[],
  color: number,
  locale: string,
): Look[] {
  const { runs = [] } = element;
  return settingsOf(element, texts, locale).map((set, index) => {
    const own = runs[index - 1]?.color;
    return { ...set, color: own === undefined ? color : colorIndex(own, palette) };
  });
}

/** Returns the faces and relative sizes of an element's text and of its runs. */
function settingsOf(element: TextElement, texts: readonly string[], locale: string): Omit<Look, "color">[] {
  const whole = texts.join("");
  const { runs = [] } = element;
  return [{ text: "" }, ...runs].map((run, index) => {
    const { font = element.font, bold, size = element.size }: Partial<TextRun> = run;
    return { setting: settingOf(faceOf(font, bold), texts[index] ?? "", locale, whole), ratio: size / element.size };
  });
}

function faceOf(font: Face, bold: boolean | undefined): Face {
  if (bold === undefined) return font;
  if (font.startsWith("condensed")) return bold ? "condensed-bold" : "condensed";
  return bold ? "bold" : "regular";
}

/** Lays out text with runs, at a size at which no letters of any run could be mistaken. */
function layOut(element: TextElement, texts: readonly string[], looks: readonly Omit<Look, "color">[], locale: string) {
  const { width, height, lines = 1, balance: isBalanced, letterSpacing = 0, lineHeight: percent } = element;
  const spacing = letterSpacing / 100;
  const most = (of: (look: Omit<Look, "color">) => number): number => Math.max(...looks.map(of));
  const readable = most(({ setting, ratio }) => Math.ceil(setting.readable() / ratio));
  const size = Math.max(element.size, readable);
  const minimumSize = Math.max(Math.min(size, element.minimumSize ?? MIN_TEXT_SIZE), readable);
  const ascent = most(({ setting, ratio }) => setting.heights().ascent * ratio);
  const descent = most(({ setting, ratio }) => setting.heights().descent * ratio);
  const usual = most(({ setting, ratio }) => Math.max(LINE_HEIGHT, setting.lineHeight()) * ratio);
  const lineHeight = percent === undefined ? usual : percent / 100;
  const hyphenate = element.hyphenate ? (source: string) => hyphenated(source, locale) : undefined;
  const area = {
    width,
    height,
    size,
    minimumSize,
    lines,
    lineHeight,
    lineExtent: ascent + descent,
    isBalanced,
    hyphenate,
  };
  const measures = looks.map(
    ({ setting, ratio }) =>
      (part: string) =>
        setting.widthOf(part, spacing) * ratio,
  );
  return { fitted: fitRuns(texts, measures, area), lineHeight, ascent, descent, readable };
}

/** Returns the parts of a line with their styles. A run's size in whole pixels is at most its share of the element's size. */
function piecesOf(
  texts: readonly RunText[],
  looks: readonly Look[],
  { letterSpacing = 0 }: TextElement,
  size: number,
  baseline: number,
): Piece[] {
  return texts.flatMap(({ run, text }) => {
    const look = looks[run];
    if (look === undefined) return [];
    const own = Math.floor(look.ratio * size + ROUNDING);
    const spacing = (letterSpacing / 100) * own;
    const width = look.setting.widthOf(text, letterSpacing / 100) * own;
    return [{ look, width, line: { text, size: own, left: 0, baseline, spacing } }];
  });
}

/** Rounding tolerance for a quotient that should be a whole number. */
const ROUNDING = 1e-6;
