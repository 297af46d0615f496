import { createCanvas } from "@napi-rs/canvas";
import { LRUCache } from "lru-cache";
import type { Runs } from "../pixels/framebuffer.ts";
import { type CodeTable, createCodeTable, getCode, setCode } from "./code-point-table.ts";
import { characterOf, type Face, missingBox, type Source } from "./fonts.ts";
import { type Coverage, runsOf, shapeOf, sharpest } from "./glyph-shape.ts";

const MAX_FACE_SIZES = 300;
/** From this size on strokes are several pixels wide, so it does not matter where they fall. */
const LARGE = 24;
/** From this size on a glyph keeps its shape at any threshold. */
const HUGE = 128;
/** The size at which a glyph's parts and holes are counted for reference. */
const REFERENCE = 64;
const HALF = 128;
/** Pen positions between two pixels: a stroke on one pixel column is sharper than a stroke on two. */
const PHASES = [0, 0.25, -0.25, 0.5];

/** Coverage (of 255) from which a pixel is ink, because e-paper has no greys. */
const INK = 112;
/**
 * Lower thresholds for small sizes, as pairs of size limit and coverage: thin strokes cover less than half of a pixel
 * and would break.
 */
const SMALL_INK = {
  thin: [
    [10, 60],
    [13, 72],
    [16, 88],
  ],
  bold: [[24, 104]],
} as const;

/** The ink of a character, relative to the pen on the baseline. */
export interface Glyph {
  runs: Runs;
  /** Shift to the right, in fractions of a pixel, at which it was drawn because it is sharpest there. */
  shift: number;
  /** Bounding box of its ink: first column and row, last column + 1 and row + 1. All are 0 where it has none. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Glyphs by face and size, then by code point. */
const glyphs = new LRUCache<string, CodeTable<Glyph>>({ max: MAX_FACE_SIZES });
/** Parts and holes of each glyph at the reference size, by family and character. */
const shapes = new Map<string, string>();
const nothing = glyphOf(new Int16Array(), 0);
const scratch = createCanvas(128, 128);
scratch.getContext("2d").lang = "en";

/** Gives the glyphs of a face at a size, by code point. Each is drawn once and cached. */
export function inkOf(face: Face, size: number): (code: number) => Glyph {
  const key = `${face}/${size}`;
  const cache = glyphs.get(key) ?? createCodeTable<Glyph>();
  glyphs.set(key, cache);
  return (code) => getCode(cache, code) ?? makeGlyph(face, size, code, cache);
}

function makeGlyph(face: Face, size: number, code: number, cache: CodeTable<Glyph>): Glyph {
  const { source, isMissing } = characterOf(face, code);
  // Only characters that the face has are cached: callers may send any others, and the cache must stay bounded.
  if (source === undefined) return isMissing ? boxOf(size) : nothing;
  const glyph = drawGlyph(source, face, size, String.fromCodePoint(code));
  setCode(cache, code, glyph);
  return glyph;
}

function drawGlyph(source: Source, face: Face, size: number, character: string): Glyph {
  const [, usual] = SMALL_INK[face.includes("bold") ? "bold" : "thin"].find(([below]) => size < below) ?? [0, INK];
  if (size >= HUGE) return glyphOf(runsOf(coverageOf(source, size, character, 0), INK), 0);
  const shifts = size < LARGE ? PHASES : [0];
  const positions = shifts.map((shift) => ({ shift, coverage: coverageOf(source, size, character, shift) }));
  const { position, from } = sharpest(positions, referenceShape(source, character), usual);
  return glyphOf(runsOf(position.coverage, from), position.shift);
}

function glyphOf(runs: Runs, shift: number): Glyph {
  if (runs.length === 0) return { runs, shift, left: 0, top: 0, right: 0, bottom: 0 };
  const glyph = {
    runs,
    shift,
    left: Infinity,
    top: runs[0] as number,
    right: -Infinity,
    bottom: runs.at(-3) as number,
  };
  for (let at = 0; at < runs.length; at += 3) {
    glyph.left = Math.min(glyph.left, runs[at + 1] as number);
    glyph.right = Math.max(glyph.right, runs[at + 2] as number);
  }
  return { ...glyph, bottom: glyph.bottom + 1 };
}

function referenceShape(source: Source, character: string): string {
  const key = `${source.family}/${character}`;
  const shape = shapes.get(key) ?? shapeOf(coverageOf(source, REFERENCE, character, 0), HALF);
  shapes.set(key, shape);
  return shape;
}

/** Draws a glyph at a pen phase and reads the coverage of its pixels, with a margin around it. */
function coverageOf({ family, stretch }: Source, size: number, character: string, phase: number): Coverage {
  const context = scratch.getContext("2d");
  context.resetTransform();
  context.font = `${size}px "${family}"`;
  const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } =
    context.measureText(character);
  const [left, top] = [Math.ceil(actualBoundingBoxLeft) + 2, Math.ceil(actualBoundingBoxAscent) + 2];
  const width = Math.max(1, left + Math.ceil(actualBoundingBoxRight) + 2);
  const height = Math.max(1, top + Math.ceil(actualBoundingBoxDescent) + 2);
  if (width > scratch.width || height > scratch.height) {
    scratch.width = Math.max(scratch.width, width);
    scratch.height = Math.max(scratch.height, height);
    // Resizing a canvas resets its settings.
    context.lang = "en";
    context.font = `${size}px "${family}"`;
  }
  context.clearRect(0, 0, width, height);
  context.setTransform(stretch, 0, 0, 1, left + phase, top);
  context.fillText(character, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const values = new Uint8Array(width * height);
  for (let pixel = 0; pixel < values.length; pixel += 1) values[pixel] = data[pixel * 4 + 3] as number;
  return { width, height, originX: left, originY: top, values };
}

/** An empty box, for a character that no source has. */
function boxOf(size: number): Glyph {
  const stroke = Math.max(1, Math.round(size / 14));
  const left = Math.round(missingBox.left * size);
  const right = left + Math.max(3, Math.round(missingBox.width * size));
  const height = Math.max(3, Math.round(missingBox.height * size));
  const runs: number[] = [];
  for (let y = -height; y < 0; y += 1) {
    if (y < stroke - height || y >= -stroke) runs.push(y, left, right);
    else runs.push(y, left, left + stroke, y, right - stroke, right);
  }
  return glyphOf(Int16Array.from(runs), 0);
}
