import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type ScriptId, scripts } from "./scripts.ts";
import { openFont, type ShapingFont } from "./shaping-font.ts";

const require = createRequire(import.meta.url);
const WEIGHTS = { thin: "400Regular", bold: "700Bold" };

/** Requested fonts, by name. `undefined` if the package is not installed. */
const fonts = new Map<string, ShapingFont | undefined>();

/** Returns the font of a script, which is loaded when it is first used. Undefined if its package is not installed. */
export function fontOf(script: ScriptId, isBold: boolean): ShapingFont | undefined {
  const name = `${script}/${isBold ? "bold" : "thin"}`;
  if (!fonts.has(name)) fonts.set(name, load(name, script, isBold));
  return fonts.get(name);
}

function load(name: string, script: ScriptId, isBold: boolean): ShapingFont | undefined {
  const { package: folder, family, topLetter } = { topLetter: undefined, ...scripts[script] };
  const weight = isBold ? WEIGHTS.bold : WEIGHTS.thin;
  const path = resolve(`${folder}/${weight}/${family}_${weight}.ttf`);
  if (path === undefined) return undefined;
  return openFont(readFileSync(path), { name, traits: scripts[script], isBold, topLetter });
}

function resolve(path: string): string | undefined {
  try {
    return require.resolve(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
