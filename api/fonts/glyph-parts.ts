import type { Tables } from "./font-tables.ts";

/** Flags of a part of a composite glyph (OpenType, `glyf`, "Composite Glyph Description"). */
const flags = { ARGUMENTS_ARE_WORDS: 1, HAS_SCALE: 8, MORE_PARTS: 0x20, HAS_TWO_SCALES: 0x40, HAS_MATRIX: 0x80 };
const GLYPH_HEADER_BYTES = 10;

/** A glyph with more than `limit` parts, or a glyph that contains itself and therefore has infinitely many. */
export interface PartsFault {
  glyph: number;
  parts: number;
}

/**
 * Finds a glyph that is composed of more than `limit` parts, including the parts of its parts, since drawing the glyph draws
 * each of them. A glyph outside the tables has no parts. The tables are those of a TrueType font that has been checked.
 */
export function findManyParts(tables: Tables, glyphs: number, limit: number): PartsFault | undefined {
  const partsOf = readerOf(tables, glyphs);
  const counts = new Map<number, number>();
  const underWay = new Set<number>();
  /** Counts just beyond the limit, so that neither depth nor time depends on the contents of the file. */
  const count = (glyph: number, depth: number): number => {
    const known = counts.get(glyph);
    if (known !== undefined) return known;
    if (underWay.has(glyph)) return Infinity;
    // The outermost glyph already has too many parts.
    if (depth > limit) return 0;
    underWay.add(glyph);
    let sum = 0;
    for (const part of partsOf(glyph)) {
      sum += 1 + count(part, depth + 1);
      if (sum > limit) break;
    }
    underWay.delete(glyph);
    counts.set(glyph, sum);
    return sum;
  };
  for (let glyph = 0; glyph < glyphs; glyph += 1) {
    const parts = count(glyph, 0);
    if (parts > limit) return { glyph, parts };
  }
  return undefined;
}

/** Returns a function that yields the direct parts of a glyph. */
function readerOf(tables: Tables, glyphs: number): (glyph: number) => Generator<number> {
  const [outlines, places] = [tables.get("glyf"), tables.get("loca")];
  const isLong = tables.get("head")?.readInt16BE(50) === 1;
  const placeOf = (glyph: number) =>
    isLong ? (places?.readUInt32BE(4 * glyph) ?? 0) : 2 * (places?.readUInt16BE(2 * glyph) ?? 0);
  return function* partsOf(glyph) {
    if (outlines === undefined || glyph >= glyphs) return;
    const data = outlines.subarray(placeOf(glyph), placeOf(glyph + 1));
    if (data.length < GLYPH_HEADER_BYTES || data.readInt16BE(0) >= 0) return;
    let at = GLYPH_HEADER_BYTES;
    let said = flags.MORE_PARTS;
    while (said & flags.MORE_PARTS && at + 4 <= data.length) {
      said = data.readUInt16BE(at);
      yield data.readUInt16BE(at + 2);
      at += 4 + (said & flags.ARGUMENTS_ARE_WORDS ? 4 : 2) + scaleBytes(said);
    }
  };
}

function scaleBytes(said: number): number {
  if (said & flags.HAS_SCALE) return 2;
  if (said & flags.HAS_TWO_SCALES) return 4;
  return said & flags.HAS_MATRIX ? 8 : 0;
}
