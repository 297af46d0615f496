import { createCanvas } from "@napi-rs/canvas";
import { LRUCache } from "lru-cache";
import type { Runs } from "../pixels/framebuffer.ts";
import { type CodeTable, createCodeTable, getCode, setCode } from "./code-point-table.ts";
import { characterOf, type Face, missingBox, type Source } from "./fonts.ts";
import { type Coverage, runsOf, shapeOf, sharpest } from "./glyph-shape.ts";

const FACE_SIZES_KEPT = 300;
/** From here on strokes are some pixels wide: it does not matter where they fall. */
const LARGE = 24;
/** From here on a glyph keeps its shape by itself. */
const HUGE = 128;
/** A size at which a glyph has the shape that its designer gave it. */
const REFERENCE = 64;
const HALF = 128;
/** The pen may stand between two pixels: a stroke that falls on one of them is sharper than one that falls on both. */
const PHASES = [0, 0.25, -0.25, 0.5];

/** Coverage (of 255) from which a pixel is ink: e-paper has no greys. */
const INK = 112;
/** Thin strokes of small sizes cover less than half of a pixel, and would break: size below, coverage. */
const SMALL_INK = {
  thin: [
    [10, 60],
    [13, 72],
    [16, 88],
  ],
  bold: [[24, 104]],
} as const;

/** The ink of a character, relative to a pen on the baseline. */
export interface Glyph {
  runs: Runs;
  /** How far right of the pen it was drawn, in parts of a pixel, because it is sharpest there. */
  shift: number;
  /** What its ink needs: first column and row, last column and row + 1. Where it has none, both are 0. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** By face and size, then by code point. */
const glyphs = new LRUCache<string, CodeTable<Glyph>>({ max: FACE_SIZES_KEPT });
/** Parts and holes of each glyph at the reference size. */
const shapes = new Map<string, string>();
const nothing = glyphOf(new Int16Array(), 0);
const scratch = createCanvas(128, 128);
scratch.getContext("2d").lang = "en";

/** The ink of characters of a face at a size, by code point. Each is drawn once, then kept. */
export function inkOf(face: Face, size: number): (code: number) => Glyph {
  const key = `${face}/${size}`;
  const kept = glyphs.get(key) ?? createCodeTable<Glyph>();
  glyphs.set(key, kept);
  return (code) => getCode(kept, code) ?? makeGlyph(face, size, code, kept);
}

function makeGlyph(face: Face, size: number, code: number, kept: CodeTable<Glyph>): Glyph {
  const { source, isMissing } = characterOf(face, code);
  // Only what the face has is kept: a caller may send any characters, and their number must not grow.
  if (source === undefined) return isMissing ? boxOf(size) : nothing;
  const glyph = drawGlyph(source, face, size, String.fromCodePoint(code));
  setCode(kept, code, glyph);
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

/** How much of each pixel a glyph covers, with a margin around it. */
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
    // A canvas of another size has forgotten all that was set on it.
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

/** An empty box: something stands here that nobody can draw. */
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
