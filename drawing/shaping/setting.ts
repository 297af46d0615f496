import { spendBudget } from "../../domain/expression/meter.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { type Characters, eachStamp } from "../text/draw-characters.ts";
import {
  characterOf,
  type Face,
  heightsOf,
  isBoldFace,
  missingIn,
  ownSourceOf,
  reachOf,
  readableSize,
  replacedIn,
  traitsOf,
  widthOf,
} from "../text/fonts.ts";
import { type Glyph, inkOf } from "../text/glyphs.ts";
import { type Direction, directionOf, inVisualOrder, mirrored } from "./direction.ts";
import { type Choice, chooseFor, itemise, type Run } from "./itemise.ts";
import { needsShaping, type ScriptId, scripts } from "./scripts.ts";
import { type ShapedText, shapeText } from "./shape.ts";
import { pictureOf } from "./unit-pictures.ts";

/** A line without its face. */
export type SetLine = Omit<Characters, "face">;

/** How text is measured and drawn. Lengths are in em and scale with the size. */
export interface Setting {
  /** Returns the width of a part of the text on one line, with `spacing` after each letter. */
  widthOf(part: string, spacing?: number): number;
  /** Returns the extent of the text's ink above and below the baseline. */
  reach(): { top: number; bottom: number };
  /**
   * Returns the heights of the text's lines above and below the baseline: the face's own, or more if the ink extends further.
   */
  heights(): { ascent: number; descent: number };
  /**
   * Returns the minimum distance between two lines for the text's scripts, so that marks do not touch the marks of the next line.
   */
  lineHeight(): number;
  /** Returns the smallest size, in pixels, at which all characters can be told apart from others. */
  readable(): number;
  /** Returns warnings about characters that cannot be drawn. */
  warnings(): DrawingNotice[];
  /** Returns the first column of a line's ink, and its last column + 1. `width` is the line's width in pixels. */
  extentOf(line: SetLine, width: number): { from: number; to: number };
  /** Calls `visit` with each glyph picture of a line and its origin, from left to right. */
  eachStamp(line: SetLine, visit: (glyph: Glyph, x: number, y: number) => void): void;
}

/**
 * Chooses how text is set: letter by letter in the face, or with shaping for its scripts. For a part of a text, `whole` decides
 * the direction and the fonts.
 */
export const settingOf = (face: Face, text: string, locale: string, whole = text): Setting =>
  needsShaping(whole) ? shapedSetting(face, text, locale, whole) : plainSetting(face, text);

function plainSetting(face: Face, text: string): Setting {
  // The text is examined once, for all methods.
  const traits = traitsOf(face, text);
  return {
    widthOf: (part, spacing) => widthOf(face, part, spacing),
    reach: () => traits,
    heights: () => heightsOf(face, text, traits),
    lineHeight: () => 0,
    readable: () => traits.readableFrom,
    warnings() {
      if (!traits.isLacking) return [];
      const inLine = text.replaceAll("\n", "");
      return lackedBy(missingIn(face, inLine), replacedIn(face, inLine));
    },
    extentOf: (line, width) => extentOf({ face, ...line }, width),
    eachStamp: (line, visit) => eachStamp({ face, ...line }, visit),
  };
}

/** Returns the extent of a line from its first to its last letter: no other letter extends further. */
function extentOf({ face, size, text, left }: Characters, width: number): { from: number; to: number } {
  const glyphOf = inkOf(face, size);
  const [first, last] = [text.codePointAt(0) ?? 0, text.codePointAt(text.length - 1) ?? 0];
  const [firstGlyph, lastGlyph] = [glyphOf(first), glyphOf(last)];
  const lastPen = left + width - characterOf(face, last).advance * size;
  return {
    from: Math.round(left - firstGlyph.shift) + firstGlyph.left,
    to: Math.round(lastPen - lastGlyph.shift) + lastGlyph.right,
  };
}

/**
 * Steps for each character of shaped text, and for each glyph once when its line is placed and once when it is drawn. They
 * limit the time without a cache, and do not depend on what is cached.
 */
const STEPS_PER_CHARACTER = 20;
const STEPS_PER_GLYPH = 150;

function shapedSetting(face: Face, text: string, locale: string, whole: string): Setting {
  spendBudget(text.length * STEPS_PER_CHARACTER);
  const choice = chooseFor(whole, locale, isBoldFace(face), ownSourceOf(face));
  const base = directionOf(whole, locale);
  const runs = itemise(text.replaceAll("\n", " "), choice);
  const set: Shaping = { face, choice, locale };
  return {
    widthOf: (part, spacing = 0) =>
      itemise(part, choice).reduce((width, run) => width + widthOfRun(set, run, spacing), 0),
    reach: () => reachOfRuns(set, runs),
    heights() {
      const [{ top, bottom }, { ascent, descent }] = [reachOfRuns(set, runs), heightsOf(face, "")];
      return { ascent: Math.max(ascent, top), descent: Math.max(descent, bottom) };
    },
    lineHeight() {
      const { top, bottom } = reachOfRuns(set, runs);
      return top + bottom;
    },
    readable: () => Math.max(0, ...runs.map((run) => readableRun(set, run))),
    warnings: () => warningsOf(set, runs),
    extentOf(line) {
      const extent = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
      stampLine(set, base, line, (glyph, x) => {
        if (glyph.runs.length === 0) return;
        extent.from = Math.min(extent.from, x + glyph.left);
        extent.to = Math.max(extent.to, x + glyph.right);
      });
      return extent.from <= extent.to ? extent : { from: line.left, to: line.left };
    },
    eachStamp: (line, visit) => stampLine(set, base, line, visit),
  };
}

type Visit = Parameters<Setting["eachStamp"]>[1];

function stampLine(set: Shaping, base: Direction, { left, text, ...rest }: SetLine, visit: Visit): void {
  let pen = left;
  for (const level of inVisualOrder(text, base)) {
    const parts = itemise(level.text, set.choice);
    for (const run of level.isFromRight ? parts.reverse() : parts) {
      pen += stampRun(set, run, level.isFromRight, { ...rest, left: pen }, visit);
    }
  }
}

interface Shaping {
  face: Face;
  choice: Choice;
  locale: string;
}

/** Returns the shapes of a run. Undefined if the design's typeface draws it. */
function shapesOf({ locale }: Shaping, { font, script, text }: Run, isFromRight?: boolean): ShapedText | undefined {
  if (font === undefined || script === undefined) return undefined;
  return shapeText(font, text, isFromRight ?? scripts[script].isRightToLeft, locale);
}

function widthOfRun(set: Shaping, run: Run, spacing: number): number {
  const shapes = shapesOf(set, run);
  if (shapes === undefined) return widthOf(set.face, run.text, spacing);
  return shapes.advance + shapes.units.length * spacing;
}

function stampRun(set: Shaping, run: Run, isFromRight: boolean, line: Omit<SetLine, "text">, visit: Visit): number {
  const { size, left, baseline, spacing = 0 } = line;
  const shapes = shapesOf(set, run, isFromRight);
  if (shapes === undefined || run.font === undefined) {
    const text = isFromRight ? mirrored(run.text) : run.text;
    eachStamp({ ...line, face: set.face, text }, visit);
    return widthOf(set.face, text, spacing / size) * size;
  }
  let pen = left;
  for (const unit of shapes.units) {
    spendBudget(unit.glyphs.length * STEPS_PER_GLYPH);
    const picture = pictureOf(unit, run.font, size);
    visit(picture, Math.round(pen - picture.shift), baseline);
    pen += unit.advance * size + spacing;
  }
  return pen - left;
}

function reachOfRuns(set: Shaping, runs: readonly Run[]): { top: number; bottom: number } {
  const reach = { top: 0, bottom: 0 };
  for (const run of runs) {
    const { top, bottom } = shapesOf(set, run) ?? reachOf(set.face, run.text);
    reach.top = Math.max(reach.top, top);
    reach.bottom = Math.max(reach.bottom, bottom);
  }
  return reach;
}

function readableRun({ face, choice }: Shaping, { script, font, text }: Run): number {
  if (script === undefined || font === undefined) return readableSize(face, text);
  return scripts[script].readableFrom[choice.isBold ? "bold" : "thin"];
}

function warningsOf(set: Shaping, runs: readonly Run[]): DrawingNotice[] {
  const absent = new Set<ScriptId>();
  const [missing, replaced] = [new Set<string>(), new Set<string>()];
  for (const run of runs) {
    if (run.script !== undefined && run.font === undefined) {
      absent.add(run.script);
      continue;
    }
    const shapes = shapesOf(set, run);
    for (const character of shapes?.missing ?? missingIn(set.face, run.text)) missing.add(character);
    for (const character of shapes ? [] : replacedIn(set.face, run.text)) replaced.add(character);
  }
  const installing = [...absent].map((script) =>
    notice("SCRIPT_NOT_INSTALLED", { script: scripts[script].name, package: scripts[script].package }),
  );
  return [...lackedBy([...missing], [...replaced]), ...installing];
}

/**
 * Returns warnings about characters that are drawn as boxes, and about characters that a built-in typeface draws because the
 * tenant's font lacks them.
 */
const lackedBy = (missing: readonly string[], replaced: readonly string[]): DrawingNotice[] => [
  ...(missing.length > 0 ? [notice("LETTERS_MISSING", { letters: listOf(missing) })] : []),
  ...(replaced.length > 0 ? [notice("LETTERS_REPLACED", { letters: listOf(replaced) })] : []),
];

const listOf = (characters: readonly string[]): string => characters.map((character) => `"${character}"`).join(", ");
