import type { OwnSource } from "../text/sources.ts";
import { fontOf } from "./script-fonts.ts";
import { ideographsIn, kindOf, type ScriptId, scripts } from "./scripts.ts";
import type { ShapingFont } from "./shaping-font.ts";

/** A run of text in one font. Without a font, the design's typeface draws it. */
export interface Run {
  text: string;
  script?: ScriptId | undefined;
  font?: ShapingFont | undefined;
}

/** The properties of a whole text that decide its fonts. A part of the text may lack them. */
export interface Choice {
  isBold: boolean;
  /** The tenant's font, if the design names one. For the letters that it has, it takes precedence over a script's font. */
  own: OwnSource | undefined;
  ideographs: readonly ScriptId[];
}

/** Chooses fonts for a whole text in a language. */
export const chooseFor = (text: string, locale: string, isBold: boolean, own?: OwnSource): Choice => ({
  isBold,
  own,
  ideographs: ideographsIn(text, locale),
});

/** Marks, joiners and variation selectors belong to the preceding character. */
const CONTINUES = /^[\p{M}\u200c\u200d]$/u;

/** Splits text by script and font. */
export function itemise(text: string, choice: Choice): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const script = scriptOf(character, choice);
    const font = script && fontFor(character, script, choice);
    const joins = last?.script !== undefined && CONTINUES.test(character);
    if (last && ((last.script === script && last.font === font) || joins)) last.text += character;
    else runs.push({ text: character, script, font });
  }
  return runs;
}

function fontFor(character: string, script: ScriptId, { own, isBold }: Choice): ShapingFont | undefined {
  if (!own?.has.has(character.codePointAt(0) ?? 0)) return fontOf(script, isBold);
  const known = ownFonts.get(own) ?? new Map<ScriptId, ShapingFont>();
  ownFonts.set(own, known);
  const font = known.get(script) ?? { ...own.font, name: `${own.font.name}/${script}`, traits: scripts[script] };
  known.set(script, font);
  return font;
}

/**
 * Tenants' fonts with the traits of the scripts that are written in them. Each is a single object, so that runs can be
 * compared by identity.
 */
const ownFonts = new WeakMap<OwnSource, Map<ScriptId, ShapingFont>>();

function scriptOf(character: string, { own, isBold, ideographs }: Choice): ScriptId | undefined {
  const code = character.codePointAt(0) ?? 0;
  const kind = kindOf(code);
  if (kind === undefined || kind === "arabic" || kind === "hebrew" || kind === "devanagari" || kind === "thai") {
    return kind;
  }
  if (kind === "hangul") return "korean";
  if (own?.has.has(code)) return ideographs[0];
  return ideographs.find((script) => fontOf(script, isBold)) ?? ideographs[0];
}
