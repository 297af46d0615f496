import { createHash } from "node:crypto";
import type { AssetFile } from "../../schemas/asset.ts";
import { smallestReadable } from "../glyphs/legibility.ts";
import { openOwnSource } from "../text/own-source.ts";
import { lineOf, type OwnSource } from "../text/sources.ts";

/** The stored result of reading a font. */
export type ReadFont = Required<Pick<AssetFile, "readableFrom">>;

/** Maximum extents, in em: of a line, and of a glyph, which must fit on a canvas at every size. */
const MAX_LINE = 4;
const MAX_GLYPH = { width: 12, height: 4 };

/**
 * Reads a font as drawings will: all of its glyphs, and the plain ones at small sizes. Throws with the reason if it is
 * faulty.
 */
export function readFont(file: Uint8Array): ReadFont {
  const name = createHash("sha256").update(file).digest("hex");
  const source = openOwnSource(name, file);
  if (source.has.size === 0) throw new Error("its character map (cmap) is empty or cannot be read");
  const { ascent, descent } = lineOf(source);
  const line = ascent + descent;
  if (!(ascent > 0 && line <= MAX_LINE))
    throw new Error(`its lines are ${line.toFixed(2)} em high: its ascender and descender (hhea) are wrong`);
  checkGlyphs(source);
  return { readableFrom: smallestReadable(source) };
}

function checkGlyphs({ font: { font, unitsPerEm }, has }: OwnSource): void {
  for (const code of has) {
    const { width = 0, height = 0 } = font.glyphExtents(font.nominalGlyph(code) ?? 0) ?? {};
    if (width <= MAX_GLYPH.width * unitsPerEm && -height <= MAX_GLYPH.height * unitsPerEm) continue;
    const size = [width, -height].map((extent) => Math.round(extent / unitsPerEm)).join(" x ");
    throw new Error(`the glyph of U+${code.toString(16).toUpperCase().padStart(4, "0")} is ${size} em large`);
  }
}
