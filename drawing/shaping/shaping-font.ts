import { Blob, Font, Face as FontFile } from "harfbuzzjs";
import type { Script } from "./scripts.ts";

/** How what is written in a font is set and drawn. */
export type Traits = Pick<Script, "isJoined" | "keepsShape" | "tag">;

/** A font as HarfBuzz reads it. */
export interface ShapingFont {
  /** Identifies it in keys of caches. */
  name: string;
  traits: Traits;
  isBold: boolean;
  font: Font;
  unitsPerEm: number;
  /** Height of the letter whose upper end is put between two rows, in em; absent if it has no such letter. */
  top?: number;
}

/** Opens a font file. Of a letter of `topLetter` the upper end is put between two rows. */
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
