import { createCanvas, Path2D } from "@napi-rs/canvas";
import { LRUCache } from "lru-cache";
import { type Glyph, glyphOfRuns } from "../glyphs/pixels.ts";
import {
  type Coverage,
  HALF,
  LARGE,
  PHASES,
  type Position,
  REFERENCE,
  runsOf,
  shapeOf,
  sharpest,
  usualInk,
} from "../text/glyph-shape.ts";
import type { PlacedGlyph, Unit } from "./shape.ts";
import type { ShapingFont } from "./shaping-font.ts";

/** Maximum size of all cached pictures, as a number of runs: as many as in about ten thousand letters and words. */
const MAX_RUNS = 4_000_000;
const MAX_SHAPES = 20_000;
/** Maximum length of all cached outlines as text: as long as the outlines of about twenty thousand letters. */
const MAX_PATH_LENGTH = 32_000_000;

const pictures = new LRUCache<string, Glyph>({ maxSize: MAX_RUNS, sizeCalculation: ({ runs }) => runs.length + 20 });
const shapes = new LRUCache<string, string>({ max: MAX_SHAPES });
const paths = new LRUCache<string, Outline>({ maxSize: MAX_PATH_LENGTH, sizeCalculation: ({ length }) => length });
const scratch = createCanvas(256, 128);

/** The outline of a glyph with its extent, in units of the font, upwards. */
interface Outline {
  path: Path2D;
  /** Length of the path as text, in characters. */
  length: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns the ink of a unit relative to its pen. Each unit is drawn once and cached. */
export function pictureOf(unit: Unit, font: ShapingFont, size: number): Glyph {
  const key = `${font.name}/${size}/${keyOf(unit)}`;
  const known = pictures.get(key);
  if (known) return known;
  const made = drawUnit(unit, font, size);
  pictures.set(key, made);
  return made;
}

const keyOf = ({ glyphs }: Unit): string => glyphs.map(({ id, x, y }) => `${id},${x},${y}`).join(";");

function drawUnit(unit: Unit, font: ShapingFont, size: number): Glyph {
  // A joined word has strokes everywhere, so one position is as good as another.
  const phases = size < LARGE && !font.traits.isJoined ? PHASES : [0];
  const usual = usualInk(size, font.isBold);
  const positions = phases.map((shift): Position => ({ shift, coverage: coverageOf(unit, font, size, shift) }));
  const [first] = positions;
  if (size >= LARGE && first) return glyphOfRuns(runsOf(first.coverage, usual), 0);
  const shape = font.traits.keepsShape ? referenceShape(unit, font) : undefined;
  const { position, from } = sharpest(positions, shape, usual);
  return glyphOfRuns(runsOf(position.coverage, from), position.shift);
}

function referenceShape(unit: Unit, font: ShapingFont): string {
  const key = `${font.name}/${keyOf(unit)}`;
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const made = shapeOf(coverageOf(unit, font, REFERENCE, 0), HALF);
  shapes.set(key, made);
  return made;
}

/** Draws a unit at a pen position between two pixels, and returns the coverage of its pixels. */
function coverageOf({ glyphs }: Unit, font: ShapingFont, size: number, shift: number): Coverage {
  const right = size / font.unitsPerEm;
  const down = right * heightScale(font, size);
  const outlines = glyphs.map((glyph) => ({ glyph, outline: outlineOf(font, glyph.id) }));
  const reach = reachOf(outlines);
  const [originX, originY] = [Math.ceil(-reach.left * right) + 2, Math.ceil(reach.top * down) + 2];
  const width = Math.max(1, originX + Math.ceil(reach.right * right) + 2);
  const height = Math.max(1, originY + Math.ceil(-reach.bottom * down) + 2);
  if (width > scratch.width) scratch.width = width;
  if (height > scratch.height) scratch.height = height;
  const context = scratch.getContext("2d", { willReadFrequently: true });
  context.resetTransform();
  context.clearRect(0, 0, width, height);
  for (const { glyph, outline } of outlines) {
    context.setTransform(right, 0, 0, -down, originX + shift + glyph.x * right, originY - glyph.y * down);
    context.fill(outline.path);
  }
  const { data } = context.getImageData(0, 0, width, height);
  const values = new Uint8Array(width * height);
  for (let pixel = 0; pixel < values.length; pixel += 1) values[pixel] = data[pixel * 4 + 3] as number;
  return { width, height, originX, originY, values };
}

/** Rounds the upper end of the script's letters to a whole number of pixels, at sizes at which half a pixel is visible. */
function heightScale({ top }: ShapingFont, size: number): number {
  if (top === undefined || size >= LARGE) return 1;
  return Math.round(top * size) / (top * size);
}

function outlineOf(font: ShapingFont, id: number): Outline {
  const key = `${font.name}/${id}`;
  const known = paths.get(key);
  if (known) return known;
  const { xBearing, yBearing, width, height } = font.font.glyphExtents(id) ?? nothing;
  const written = font.font.glyphToPath(id);
  const made = {
    ...{ path: new Path2D(written), length: written.length + 100 },
    ...{ left: xBearing, right: xBearing + width, top: yBearing, bottom: yBearing + height },
  };
  paths.set(key, made);
  return made;
}

const nothing = { xBearing: 0, yBearing: 0, width: 0, height: 0 };

function reachOf(parts: readonly { glyph: PlacedGlyph; outline: Outline }[]): Omit<Outline, "path" | "length"> {
  const reach = { left: 0, right: 0, top: 0, bottom: 0 };
  for (const { glyph, outline } of parts) {
    reach.left = Math.min(reach.left, glyph.x + outline.left);
    reach.right = Math.max(reach.right, glyph.x + outline.right);
    reach.top = Math.max(reach.top, glyph.y + outline.top);
    reach.bottom = Math.min(reach.bottom, glyph.y + outline.bottom);
  }
  return reach;
}
