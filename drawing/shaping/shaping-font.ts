import { Blob, Font, Face as FontFile } from "harfbuzzjs";
import type { Script } from "./scripts.ts";

/** How text in a font is set and drawn. */
export type Traits = Pick<Script, "isJoined" | "keepsShape" | "tag">;

/** A font as HarfBuzz reads it. */
export interface ShapingFont {
  /** Identifies the font in cache keys. */
  name: string;
  traits: Traits;
  isBold: boolean;
  font: Font;
  unitsPerEm: number;
  /** Height of the letter whose upper end is put between two rows, in em. Absent if the font has no such letter. */
  top?: number;
}

/** Opens a font file. The upper end of `topLetter` is put between two rows. */
export function openFont(
  file: Uint8Array,
  { topLetter, ...how }: Pick<ShapingFont, "name" | "traits" | "isBold"> & { topLetter?: string | undefined },
): ShapingFont {
  const face = new FontFile(new Blob(file));
  const font = new Font(face);
  const glyph = topLetter === undefined ? undefined : font.glyph(topLetter.codePointAt(0) ?? 0);
  const extents = glyph === undefined ? undefined : font.glyphExtents(glyph);
  return { ...how, font, unitsPerEm: face.upem, ...(extents && { top: extents.yBearing / face.upem }) };
}
