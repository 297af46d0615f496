import { LRUCache } from "lru-cache";

/** Spellings of units in data. */
const SPELLINGS = {
  kg: ["kg", "kgs", "kilo", "кг"],
  g: ["g", "gr", "gm", "г", "гр"],
  mg: ["mg", "мг"],
  l: ["l", "lt", "ltr", "л"],
  dl: ["dl", "дл"],
  cl: ["cl", "сл"],
  ml: ["ml", "мл"],
  m: ["m", "м"],
  cm: ["cm", "см"],
  mm: ["mm", "мм"],
  "m²": ["m2", "m²", "м2", "м²"],
  "m³": ["m3", "m³", "м3", "м³"],
  piece: [
    ...["ko", "kom", "kos", "ks", "szt", "stk", "stück", "st", "pc", "pcs", "ea", "kpl", "db", "adet", "ad", "buc"],
    ...["pièce", "pièces", "pz", "ud", "uds", "un", "stuk", "stuks", "vnt", "gab", "tk", "τεμ", "шт", "бр", "ком"],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A known unit, under any of its names in data. */
export type Unit = keyof typeof SPELLINGS;

/** Spellings in languages with Cyrillic letters. All other languages spell these units the same way. */
const CYRILLIC: Readonly<Partial<Record<Unit, string>>> = {
  ...{
    kg: "кг",
    g: "г",
    mg: "мг",
    l: "л",
    dl: "дл",
    cl: "сл",
    ml: "мл",
    m: "м",
    cm: "см",
    mm: "мм",
    "m²": "м²",
    "m³": "м³",
  },
};
const units = new Map(
  Object.entries(SPELLINGS).flatMap(([unit, all]) => all.map((one) => [one as string, unit as Unit])),
);

/** The word for a piece, by language. In any other language it stays as it was sent. */
const PIECES: Readonly<Record<string, string>> = {
  ...{ bg: "бр.", bs: "kom", cs: "ks", da: "stk.", de: "Stk.", el: "τεμ.", en: "pc", es: "ud.", et: "tk", fi: "kpl" },
  ...{ fr: "pièce", hr: "kom", hu: "db", it: "pz", lt: "vnt.", lv: "gab.", nl: "stuk", pl: "szt.", pt: "un." },
  ...{ ro: "buc.", sk: "ks", sl: "kos", sr: "kom", "sr-Cyrl": "ком", sv: "st", tr: "adet", uk: "шт." },
};

/** Returns the unit of a spelling, if it is known. */
export const unitNamed = (spelling: string): Unit | undefined => units.get(spelling.toLowerCase());

/** Returns a unit as a language spells it. An unknown unit stays as it was sent. */
export function unitText({ unit, sent }: { unit: Unit | undefined; sent: string }, locale: string): string {
  if (unit === "piece") return inLanguage(PIECES, locale) ?? sent;
  if (unit === undefined) return sent;
  return (tongueOf(locale).isCyrillic && CYRILLIC[unit]) || unit;
}

/** The data of a locale. */
interface Tongue {
  language: string;
  /** Language and script, if the locale names one. */
  written: string;
  isCyrillic: boolean;
}
const tongues = new LRUCache<string, Tongue>({ max: 500 });

function tongueOf(locale: string): Tongue {
  const known = tongues.get(locale);
  if (known !== undefined) return known;
  const { language, script } = new Intl.Locale(locale);
  // Serbian is written in Latin letters unless the locale says otherwise, like its words above.
  const letters = script ?? (language === "sr" ? "Latn" : new Intl.Locale(locale).maximize().script);
  const tongue = { language, written: `${language}-${script}`, isCyrillic: letters === "Cyrl" };
  tongues.set(locale, tongue);
  return tongue;
}

/** Returns a table's entry for a locale's language in its script, otherwise for its language. */
export function inLanguage(table: Readonly<Record<string, string>>, locale: string): string | undefined {
  const { language, written } = tongueOf(locale);
  return table[written] ?? table[language];
}
