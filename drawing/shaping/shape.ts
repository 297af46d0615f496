import { Buffer, Direction, shape } from "harfbuzzjs";
import { LRUCache } from "lru-cache";
import type { ShapingFont } from "./shaping-font.ts";

/** A glyph of a font by its number, moved from the start of its unit. Lengths are in units of the font, upwards. */
export interface PlacedGlyph {
  id: number;
  x: number;
  y: number;
}

/** Glyphs that are drawn as one picture: a letter with its marks, or a word whose letters join. */
export interface Unit {
  glyphs: readonly PlacedGlyph[];
  /** The distance by which the unit moves the pen, in em. */
  advance: number;
}

/** Shaped text. Its units run from left to right, and lengths are in em. */
export interface ShapedText {
  units: readonly Unit[];
  advance: number;
  /** Extent of the text's ink above and below the baseline. */
  top: number;
  bottom: number;
  /** Characters that the font lacks. */
  missing: readonly string[];
}

/** Maximum number of cached glyphs of all shaped text: as many as in about ten thousand names. */
const MAX_GLYPHS = 500_000;
const NOTHING = 0;

/** One buffer for all text, because the memory of more buffers would be released only by the garbage collector. */
const buffer = new Buffer();
const shapedTexts = new LRUCache<string, ShapedText>({
  maxSize: MAX_GLYPHS,
  sizeCalculation: ({ units }) => units.reduce((sum, { glyphs }) => sum + glyphs.length, 1),
});

/** Shapes text in one script and direction. */
export function shapeText(font: ShapingFont, text: string, isFromRight: boolean, locale: string): ShapedText {
  const key = `${font.name}/${isFromRight}/${locale}/${text}`;
  const known = shapedTexts.get(key);
  if (known) return known;
  const made = measure(font, text, glyphsOf(font, text, isFromRight, locale));
  shapedTexts.set(key, made);
  return made;
}

interface ShapedGlyph extends PlacedGlyph {
  cluster: number;
  advance: number;
}

/** Returns the glyphs of text from left to right, as HarfBuzz returns them. */
function glyphsOf({ font, traits }: ShapingFont, text: string, isFromRight: boolean, locale: string): ShapedGlyph[] {
  buffer.reset();
  buffer.addText(text);
  // The script of the letters: a language's writing system, such as Jpan, comprises several.
  buffer.guessSegmentProperties();
  if (traits.isJoined) buffer.setScript(traits.tag);
  buffer.setDirection(isFromRight ? Direction.RTL : Direction.LTR);
  buffer.setLanguage(locale);
  shape(font, buffer);
  const positions = buffer.getGlyphPositions();
  return buffer.getGlyphInfos().map(({ codepoint, cluster }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    return { id: codepoint, cluster, advance: xAdvance, x: xOffset, y: yOffset };
  });
}

function measure(font: ShapingFont, text: string, glyphs: readonly ShapedGlyph[]): ShapedText {
  const { unitsPerEm, traits } = font;
  const isWhole = traits.isJoined;
  const units: { glyphs: PlacedGlyph[]; advance: number }[] = [];
  const missing = new Set<string>();
  let [top, bottom, advance, cluster] = [0, 0, 0, -1];
  for (const glyph of glyphs) {
    if (units.length === 0 || (!isWhole && glyph.cluster !== cluster)) units.push({ glyphs: [], advance: 0 });
    cluster = glyph.cluster;
    const unit = units.at(-1) as (typeof units)[number];
    if (glyph.id === NOTHING) missing.add(String.fromCodePoint(text.codePointAt(glyph.cluster) ?? 0));
    unit.glyphs.push({ id: glyph.id, x: unit.advance + glyph.x, y: glyph.y });
    unit.advance += glyph.advance;
    advance += glyph.advance;
    const { yBearing, height } = font.font.glyphExtents(glyph.id) ?? { yBearing: 0, height: 0 };
    top = Math.max(top, glyph.y + yBearing);
    bottom = Math.max(bottom, -(glyph.y + yBearing + height));
  }
  const inEm = (length: number): number => length / unitsPerEm;
  return {
    units: units.map((unit) => ({ ...unit, advance: inEm(unit.advance) })),
    ...{ advance: inEm(advance), top: inEm(top), bottom: inEm(bottom), missing: [...missing] },
  };
}
