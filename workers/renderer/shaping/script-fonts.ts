import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Blob, Font, Face as FontFile } from "harfbuzzjs";
import { type ScriptId, scripts } from "./scripts.ts";

/** A font of a script, as HarfBuzz reads it. */
export interface ScriptFont {
  /** Identifies it in keys of caches. */
  name: string;
  script: ScriptId;
  isBold: boolean;
  font: Font;
  unitsPerEm: number;
  /** Height of the letter whose upper end is put between two rows, in em; absent where the script has none. */
  top?: number;
}

const require = createRequire(import.meta.url);
const WEIGHTS = { thin: "400Regular", bold: "700Bold" };

/** Fonts that were asked for, by name; `undefined` where the package is not installed. */
const fonts = new Map<string, ScriptFont | undefined>();

/** The font of a script, which is loaded when it is first used; undefined where its package is not installed. */
export function fontOf(script: ScriptId, isBold: boolean): ScriptFont | undefined {
  const name = `${script}/${isBold ? "bold" : "thin"}`;
  if (!fonts.has(name)) fonts.set(name, load(name, script, isBold));
  return fonts.get(name);
}

function load(name: string, script: ScriptId, isBold: boolean): ScriptFont | undefined {
  const { package: folder, family, topLetter } = { topLetter: undefined, ...scripts[script] };
  const weight = isBold ? WEIGHTS.bold : WEIGHTS.thin;
  const path = resolve(`${folder}/${weight}/${family}_${weight}.ttf`);
  if (path === undefined) return undefined;
  const file = new FontFile(new Blob(readFileSync(path)));
  const font = new Font(file);
  const extents = topLetter === undefined ? undefined : font.glyphExtents(font.glyph(topLetter.charCodeAt(0)) ?? 0);
  const top = extents && { top: extents.yBearing / file.upem };
  return { name, script, isBold, font, unitsPerEm: file.upem, ...top };
}

function resolve(path: string): string | undefined {
  try {
    return require.resolve(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
