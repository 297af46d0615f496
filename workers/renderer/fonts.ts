import { createRequire } from "node:module";
import { createCanvas, GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";
import { LRUCache } from "lru-cache";
import type { Runs } from "./framebuffer.ts";

/** The typefaces a design may use: pinned files, so that a picture is the same on every machine. */
const files = {
  regular: "DejaVuSans.ttf",
  bold: "DejaVuSans-Bold.ttf",
  condensed: "DejaVuSansCondensed.ttf",
  "condensed-bold": "DejaVuSansCondensed-Bold.ttf",
} as const;

export type Face = keyof typeof files;

/** A typeface without a size: lengths are in em, and scale with it. */
interface Typeface {
  family: string;
  /** Heights above and below the baseline. */
  ascent: number;
  descent: number;
  /** How far each character moves the pen, as far as they were asked for. */
  advances: Map<string, number>;
  /** Characters that the face has, as far as they were asked for. */
  present: Set<string>;
}

/** A code point that no font has: what is drawn for it is what is drawn for every missing character. */
const MISSING = "\u{10ffff}";
const MISSING_AT = 32;
/** Coverage (of 255) from which a pixel is ink: e-paper has no greys. */
const INK = 112;
/** Strokes of a face that is not bold are thinner than a pixel at small sizes, and would break: size below, coverage. */
const THIN_INK = [
  [10, 60],
  [13, 72],
  [16, 88],
] as const;
const MEASURED_AT = 1000;
const SIZES_KEPT = 300;

const require = createRequire(import.meta.url);
const measuring = createCanvas(1, 1).getContext("2d");
const typefaces = Object.fromEntries(
  Object.entries(files).map(([face, file]) => [face, loadTypeface(`Shelfwire ${face}`, file)]),
) as Record<Face, Typeface>;
/** The ink of characters, by face and size. */
const glyphs = new LRUCache<string, Map<string, Runs>>({ max: SIZES_KEPT });

function loadTypeface(family: string, file: string): Typeface {
  GlobalFonts.registerFromPath(require.resolve(`dejavu-fonts-ttf/ttf/${file}`), family);
  measuring.font = `${MEASURED_AT}px "${family}"`;
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = measuring.measureText("x");
  return {
    family,
    ascent: fontBoundingBoxAscent / MEASURED_AT,
    descent: fontBoundingBoxDescent / MEASURED_AT,
    advances: new Map(),
    present: new Set(),
  };
}

/** Heights of a face above and below the baseline, in em. */
export const heightsOf = (face: Face): { ascent: number; descent: number } => typefaces[face];

/** How far a character moves the pen, in em. */
export function advanceOf(face: Face, character: string): number {
  const { advances, family } = typefaces[face];
  let advance = advances.get(character);
  if (advance === undefined) {
    measuring.font = `${MEASURED_AT}px "${family}"`;
    advance = measuring.measureText(character).width / MEASURED_AT;
    advances.set(character, advance);
  }
  return advance;
}

/** Width of a text in one line, in em. */
export function widthOf(face: Face, text: string): number {
  let width = 0;
  for (const character of text) width += advanceOf(face, character);
  return width;
}

/** The ink of characters of a face at a size, relative to the pen on the baseline. Each is drawn once, then kept. */
export function inkOf(face: Face, size: number): (character: string) => Runs {
  const key = `${face}/${size}`;
  const kept = glyphs.get(key) ?? new Map<string, Runs>();
  glyphs.set(key, kept);
  return (character) => {
    let runs = kept.get(character);
    if (runs === undefined) {
      runs = drawGlyph(face, size, character);
      kept.set(character, runs);
    }
    return runs;
  };
}

/** The characters of a text that the face lacks: each is drawn as the box that stands for all missing ones. */
export function missingIn(face: Face, text: string): string[] {
  const { present } = typefaces[face];
  const missing = new Set<string>();
  for (const character of text) {
    if (present.has(character)) continue;
    if (isMissing(face, character)) missing.add(character);
    else present.add(character);
  }
  return [...missing];
}

function isMissing(face: Face, character: string): boolean {
  const ink = inkOf(face, MISSING_AT);
  const box = ink(MISSING);
  const runs = ink(character);
  return runs.length === box.length && runs.every((value, place) => value === box[place]);
}

function drawGlyph(face: Face, size: number, character: string): Runs {
  const margin = Math.ceil(size / 2);
  const width = Math.ceil(advanceOf(face, character) * size) + 2 * margin;
  const height = 2 * size + margin;
  const context = createCanvas(width, height).getContext("2d");
  const baseline = Math.ceil(size * 1.5);
  context.font = `${size}px "${typefaces[face].family}"`;
  context.fillText(character, margin, baseline);
  const thin = face.includes("bold") ? undefined : THIN_INK.find(([below]) => size < below);
  return runsOf(context, width, height, margin, baseline, thin?.[1] ?? INK);
}

function runsOf(
  context: SKRSContext2D,
  width: number,
  height: number,
  originX: number,
  originY: number,
  inkFrom: number,
): Runs {
  const { data } = context.getImageData(0, 0, width, height);
  const runs: number[] = [];
  for (let y = 0; y < height; y += 1) {
    let start = -1;
    for (let x = 0; x <= width; x += 1) {
      const isInk = x < width && (data[(y * width + x) * 4 + 3] as number) >= inkFrom;
      if (isInk && start < 0) start = x;
      if (!isInk && start >= 0) {
        runs.push(y - originY, start - originX, x - originX);
        start = -1;
      }
    }
  }
  return Int16Array.from(runs);
}
