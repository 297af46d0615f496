import { LRUCache } from "lru-cache";
import { decimalText } from "../../evaluator/expression/decimal.ts";
import type { OwnFunction } from "../../evaluator/expression/expression.ts";
import { inStore } from "./format-functions.ts";
import { numberText } from "./format-number.ts";
import { priceText } from "./price-parts.ts";

/** Spellings of units in data. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
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
};

/** In languages with Cyrillic letters; in all others these units are written alike. */
const CYRILLIC: Readonly<Record<string, string>> = {
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
const names = new Map(Object.entries(SPELLINGS).flatMap(([name, all]) => all.map((one) => [one, name])));

/** A piece, by language; in any other it stays as it was sent. */
const PIECES: Readonly<Record<string, string>> = {
  ...{ bg: "бр.", bs: "kom", cs: "ks", da: "stk.", de: "Stk.", el: "τεμ.", en: "pc", es: "ud.", et: "tk", fi: "kpl" },
  ...{ fr: "pièce", hr: "kom", hu: "db", it: "pz", lt: "vnt.", lv: "gab.", nl: "stuk", pl: "szt.", pt: "un." },
  ...{ ro: "buc.", sk: "ks", sl: "kos", sr: "kom", "sr-Cyrl": "ком", sv: "st", tr: "adet", uk: "шт." },
};

/** What the law wants beside an offer: the lowest price of the 30 days before it, by language. */
const LOWEST: Readonly<Record<string, string>> = {
  ...{ bg: "Най-ниска за 30 дни", cs: "Nejnižší za 30 dní", da: "Laveste i 30 dage", de: "Niedrigster 30 Tage" },
  ...{ el: "Χαμηλότερη 30 ημερών", en: "Lowest in 30 days", es: "Más bajo en 30 días", et: "Madalaim 30 päeva" },
  ...{ fi: "Alin 30 päivään", fr: "Plus bas sur 30 jours", ga: "Is ísle le 30 lá", hr: "Najniža u 30 dana" },
  ...{
    hu: "Legalacsonyabb 30 nap",
    it: "Più basso in 30 giorni",
    lt: "Mažiausia per 30 dienų",
    lv: "Zemākā 30 dienās",
  },
  ...{ mt: "L-orħos fi 30 jum", nl: "Laagste in 30 dagen", pl: "Najniższa z 30 dni", pt: "Mais baixo em 30 dias" },
  ...{ ro: "Minim în 30 de zile", sk: "Najnižšia za 30 dní", sl: "Najnižja v 30 dneh", sr: "Najniža u 30 dana" },
  ...{ "sr-Cyrl": "Најнижа 30 дана", sv: "Lägsta på 30 dagar", tr: "30 günün en düşüğü", uk: "Найнижча за 30 днів" },
};

/** Functions that the texts of a design may call to write quantities and what the law wants beside a price. */
export const unitFunctions: readonly OwnFunction[] = [
  inStore("unit(string): string", ({ locale }, text: string) => unitIn(text, locale)),
  inStore("quantity(string): string", ({ locale }, text: string) => quantityIn(text, locale)),
  inStore("lowestPrice30(string): string", ({ locale, currency }, price: string) => {
    const words = inLanguage(LOWEST, locale) ?? LOWEST.en;
    return `${words}: ${priceText(price, locale, currency)}`;
  }),
];

/** A quantity without blanks around it. Blanks stand only behind a number: else two runs of them would share theirs. */
const QUANTITY = /^(?:(\d+(?:[.,]\d+)?)\s*)?(\p{L}[\p{L}\d²³]*)\.?$/u;

/** What is known of a locale. */
interface Tongue {
  language: string;
  /** Language and script, where the locale names one. */
  written: string;
  isCyrillic: boolean;
}
const tongues = new LRUCache<string, Tongue>({ max: 500 });

function tongueOf(locale: string): Tongue {
  const known = tongues.get(locale);
  if (known !== undefined) return known;
  const { language, script } = new Intl.Locale(locale);
  // Serbian is written with Latin letters unless the locale says otherwise, as its words above are.
  const letters = script ?? (language === "sr" ? "Latn" : new Intl.Locale(locale).maximize().script);
  const tongue = { language, written: `${language}-${script}`, isCyrillic: letters === "Cyrl" };
  tongues.set(locale, tongue);
  return tongue;
}

/** What a table has for a locale's language in its script, else for its language. */
function inLanguage(table: Readonly<Record<string, string>>, locale: string): string | undefined {
  const { language, written } = tongueOf(locale);
  return table[written] ?? table[language];
}

/** The unit of a quantity (`0.50 KG`), or a unit alone, as the language spells it. Throws RangeError where there is none. */
function unitIn(text: string, locale: string): string {
  const [, , sent] = QUANTITY.exec(text.trim()) ?? [];
  if (sent === undefined) throw new RangeError(`"${text}" has no unit`);
  const name = names.get(sent.toLowerCase()) ?? sent;
  if (name === "piece") return inLanguage(PIECES, locale) ?? sent;
  return (tongueOf(locale).isCyrillic && CYRILLIC[name]) || name;
}

/** A quantity with its number as the locale writes it, without zeros behind, and its unit. */
function quantityIn(text: string, locale: string): string {
  const [, number] = QUANTITY.exec(text.trim()) ?? [];
  if (number === undefined) return text;
  return `${numberText(decimalText(number.replace(",", ".")), locale)}\u00a0${unitIn(text, locale)}`;
}
