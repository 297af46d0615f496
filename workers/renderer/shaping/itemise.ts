import { fontOf, type ScriptFont } from "./script-fonts.ts";
import { ideographsIn, kindOf, type ScriptId } from "./scripts.ts";

/** A part of a text for one font; without one it is drawn by the typeface of its design. */
export interface Run {
  text: string;
  script?: ScriptId | undefined;
  font?: ScriptFont | undefined;
}

/** What the fonts of a text are chosen by: of the whole text, since a part of it may tell less. */
export interface Choice {
  isBold: boolean;
  ideographs: readonly ScriptId[];
}

/** Chooses fonts for a whole text in a language. */
export const chooseFor = (text: string, locale: string, isBold: boolean): Choice => ({
  isBold,
  ideographs: ideographsIn(text, locale),
});

/** Marks, joiners and variation selectors belong to what is before them. */
const CONTINUES = /^[\p{M}\u200c\u200d]$/u;

/** Splits a text by script. */
export function itemise(text: string, choice: Choice): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const last = runs.at(-1);
    const script = scriptOf(character, choice);
    const joins = last?.script !== undefined && CONTINUES.test(character);
    if (last && (last.script === script || joins)) last.text += character;
    else runs.push({ text: character, script, font: script && fontOf(script, choice.isBold) });
  }
  return runs;
}

function scriptOf(character: string, { isBold, ideographs }: Choice): ScriptId | undefined {
  const kind = kindOf(character.codePointAt(0) ?? 0);
  if (kind === undefined || kind === "arabic" || kind === "hebrew" || kind === "devanagari" || kind === "thai") {
    return kind;
  }
  if (kind === "hangul") return "korean";
  return ideographs.find((script) => fontOf(script, isBold)) ?? ideographs[0];
}
