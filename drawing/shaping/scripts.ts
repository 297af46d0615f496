/** A script whose letters join, are stacked, run from right to left, or are too many for the typefaces of designs. */
export interface Script {
  /** The common name, and the tag (ISO 15924). */
  name: string;
  tag: string;
  /** The package of the script's font, and the names of the font's files. */
  package: string;
  family: string;
  isRightToLeft: boolean;
  /** Whether a word is one connected stroke, which is drawn as a whole to avoid gaps. */
  isJoined: boolean;
  /**
   * Whether dots and holes distinguish the script's letters. In other scripts, letters have so many strokes that an even
   * weight matters more.
   */
  keepsShape: boolean;
  /** A letter whose upper end is put between two rows of pixels, so that strokes there are sharp. */
  topLetter?: string;
  /** Smallest sizes, in pixels, at which the script's letters can be told apart, in thin and in bold faces. */
  readableFrom: { thin: number; bold: number };
}

const row = (
  name: string,
  tag: string,
  file: string,
  family: string,
  more: Partial<Script> & Pick<Script, "readableFrom">,
): Script => ({
  ...{ name, tag, package: `@expo-google-fonts/noto-sans-${file}`, family: `NotoSans${family}` },
  ...{ isRightToLeft: false, isJoined: false, keepsShape: true },
  ...more,
});

const ideographs = { keepsShape: false, readableFrom: { thin: 14, bold: 16 } };

export const scripts = {
  arabic: row("Arabic", "Arab", "arabic", "Arabic", {
    ...{ isRightToLeft: true, isJoined: true },
    readableFrom: { thin: 12, bold: 12 },
  }),
  hebrew: row("Hebrew", "Hebr", "hebrew", "Hebrew", {
    ...{ isRightToLeft: true, topLetter: "ה" },
    readableFrom: { thin: 11, bold: 11 },
  }),
  devanagari: row("Devanagari", "Deva", "devanagari", "Devanagari", {
    ...{ isJoined: true, keepsShape: false, topLetter: "क" },
    readableFrom: { thin: 12, bold: 14 },
  }),
  thai: row("Thai", "Thai", "thai", "Thai", { topLetter: "บ", readableFrom: { thin: 18, bold: 16 } }),
  japanese: row("Japanese", "Jpan", "jp", "JP", ideographs),
  simplified: row("Simplified Chinese", "Hans", "sc", "SC", ideographs),
  traditional: row("Traditional Chinese", "Hant", "tc", "TC", ideographs),
  korean: row("Korean", "Kore", "kr", "KR", ideographs),
} as const satisfies Record<string, Script>;

/** The script of a character. Signs and ideographs are used in several languages, each with its own font. */
type Kind = "arabic" | "hebrew" | "devanagari" | "thai" | "kana" | "hangul" | "ideograph";

/** Unicode blocks in ascending order. The baht sign, in the middle of Thai, is in the typefaces of designs. */
const blocks: readonly (readonly [from: number, to: number, kind: Kind])[] = [
  [0x0590, 0x05ff, "hebrew"],
  [0x0600, 0x06ff, "arabic"],
  [0x0750, 0x077f, "arabic"],
  [0x0870, 0x08ff, "arabic"],
  [0x0900, 0x097f, "devanagari"],
  [0x0e01, 0x0e3e, "thai"],
  [0x0e40, 0x0e5b, "thai"],
  [0x1100, 0x11ff, "hangul"],
  [0x2e80, 0x303f, "ideograph"],
  [0x3040, 0x30ff, "kana"],
  [0x3100, 0x312f, "ideograph"],
  [0x3130, 0x318f, "hangul"],
  [0x3190, 0x31ef, "ideograph"],
  [0x31f0, 0x31ff, "kana"],
  [0x3200, 0x9fff, "ideograph"],
  [0xa8e0, 0xa8ff, "devanagari"],
  [0xa960, 0xa97f, "hangul"],
  [0xac00, 0xd7ff, "hangul"],
  [0xf900, 0xfaff, "ideograph"],
  [0xfb1d, 0xfb4f, "hebrew"],
  [0xfb50, 0xfdcf, "arabic"],
  [0xfdf0, 0xfdff, "arabic"],
  [0xfe30, 0xfe4f, "ideograph"],
  [0xfe70, 0xfefc, "arabic"],
  [0xff00, 0xff60, "ideograph"],
  [0xff61, 0xff9f, "kana"],
  [0xffe0, 0xffee, "ideograph"],
  [0x20000, 0x3ffff, "ideograph"],
];

const classOf = (kinds?: readonly Kind[]): string =>
  blocks
    .filter(([, , kind]) => kinds?.includes(kind) ?? true)
    .map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`)
    .join("");

const SHAPED = new RegExp(`[${classOf()}]`, "u");
const FROM_THE_RIGHT = new RegExp(`[${classOf(["hebrew", "arabic"])}\u061c\u200f\u202b\u202e\u2067]`, "u");
const KANA = new RegExp(`[${classOf(["kana"])}]`, "u");
const HANGUL = new RegExp(`[${classOf(["hangul"])}]`, "u");

/** Characters between which lines of Chinese and Japanese may end, for a character class of a regular expression. */
export const IDEOGRAPHS = classOf(["ideograph", "kana"]);
export const THAI = classOf(["thai"]);

/** Whether text has characters that need shaping. The typefaces of designs draw all others. */
export const needsShaping = (text: string): boolean => SHAPED.test(text);

/** Whether text may contain anything that runs from right to left. */
export const mayRunFromRight = (text: string): boolean => FROM_THE_RIGHT.test(text);

export function kindOf(code: number): Kind | undefined {
  if (code < 0x0590) return undefined;
  return blocks.find(([from, to]) => code >= from && code <= to)?.[2];
}

export type ScriptId = keyof typeof scripts;

/**
 * Returns the scripts in which a text's ideographs may be written, in order of preference: by the text's language or, if that
 * is not conclusive, by its other characters.
 */
export function ideographsIn(text: string, locale: string): readonly ScriptId[] {
  const [language = "", ...subtags] = locale.split("-");
  if (language === "ja") return ["japanese"];
  if (language === "ko") return ["korean"];
  if (language === "zh") {
    return subtags.some((tag) => /^(Hant|TW|HK|MO)$/.test(tag)) ? ["traditional"] : ["simplified"];
  }
  if (KANA.test(text)) return ["japanese"];
  return HANGUL.test(text) ? ["korean"] : ["simplified", "japanese", "traditional", "korean"];
}
