import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import type { ShapingFont } from "../shaping/shaping-font.ts";
import { coverageOf } from "./coverage.ts";

/** A font file, and the characters that it draws. */
export type Source = PinnedSource | OwnSource;

/** A pinned font file, registered under its own family name. */
export interface PinnedSource {
  family: string;
  has: ReadonlySet<number>;
  /** Horizontal scale at which the font is drawn. */
  stretch: number;
}

/** A tenant's font. Only HarfBuzz reads it, as WebAssembly, which by itself has no access to anything outside. */
export interface OwnSource {
  font: ShapingFont;
  has: ReadonlySet<number>;
}

const MEASURED_AT = 1000;
const require = createRequire(import.meta.url);
const measuring = createCanvas(1, 1).getContext("2d");
measuring.lang = "en";

/** Registers a font file from a package. */
export function register(family: string, file: string, stretch: number): PinnedSource {
  const path = require.resolve(file);
  if (GlobalFonts.registerFromPath(path, family) === null) throw new TypeError(`${path} is not a font`);
  return { family, has: coverageOf(readFileSync(path)), stretch };
}

/** Returns the heights of a source's lines above and below the baseline, in em. */
export function lineOf(source: Source): { ascent: number; descent: number } {
  if ("font" in source) {
    const { font, unitsPerEm } = source.font;
    const { ascender, descender } = font.hExtents();
    return { ascent: ascender / unitsPerEm, descent: -descender / unitsPerEm };
  }
  measuring.font = `${MEASURED_AT}px "${source.family}"`;
  const { fontBoundingBoxAscent, fontBoundingBoxDescent } = measuring.measureText("x");
  return { ascent: fontBoundingBoxAscent / MEASURED_AT, descent: fontBoundingBoxDescent / MEASURED_AT };
}

/** Returns the advance of a character of the source, and the extent of its ink above and below the baseline, in em. */
export function measure(source: Source, character: string): { advance: number; top: number; bottom: number } {
  if ("font" in source) {
    const { font, unitsPerEm } = source.font;
    const glyph = glyphIn(source, character);
    const { yBearing, height } = font.glyphExtents(glyph) ?? { yBearing: 0, height: 0 };
    const advance = font.glyphHAdvance(glyph) / unitsPerEm;
    return { advance, top: yBearing / unitsPerEm, bottom: -(yBearing + height) / unitsPerEm };
  }
  measuring.font = `${MEASURED_AT}px "${source.family}"`;
  const { width, actualBoundingBoxAscent, actualBoundingBoxDescent } = measuring.measureText(character);
  return {
    advance: (width / MEASURED_AT) * source.stretch,
    top: actualBoundingBoxAscent / MEASURED_AT,
    bottom: actualBoundingBoxDescent / MEASURED_AT,
  };
}

/** Returns the number of a character's glyph in a tenant's font. */
export const glyphIn = ({ font }: OwnSource, character: string): number =>
  font.font.nominalGlyph(character.codePointAt(0) ?? 0) ?? 0;
