/** Units for net contents, counts and money, as labels in Europe show them. */
const UNITS = [
  ...["mg", "g", "gr", "dag", "dkg", "kg", "ml", "cl", "dl", "l", "lt", "ltr", "hl"],
  ...["mm", "cm", "dm", "m", "km", "m2", "m²", "m3", "m³", "W", "kW", "V", "Ah", "mAh", "°C", "%"],
  ...[
    "kom",
    "kos",
    "ko",
    "ks",
    "szt",
    "stk",
    "stck",
    "st",
    "stück",
    "pcs",
    "pc",
    "kpl",
    "db",
    "adet",
    "ad",
    "buc",
    "vnt",
    "tk",
    "gab",
    "pièce",
    "pièces",
    "pce",
    "pz",
    "pezzi",
    "ud",
    "uds",
    "un",
    "stuk",
    "stuks",
    "WL",
  ],
  ...["γρ", "κιλά", "κιλό", "λίτρα", "λίτρο", "λτ", "τεμ", "τμχ", "кг", "г", "гр", "мл", "л", "шт", "бр", "ком"],
  ...["€", "$", "£", "EUR", "kn", "Ft", "Kč", "zł", "lei", "лв", "₺", "TL", "CHF", "kr"],
  ...["كغ", "كجم", "كغم", "كيلو", "غرام", "جرام", "جم", "غم", "غ", "مل", "لتر", "ل", "قطعة", "ريال", "درهم"],
  ...['ק"ג', "ק״ג", "גרם", "גר", "ג'", 'מ"ל', "מ״ל", "ליטר", "ל'", "יח'", "₪"],
  ...["किग्रा", "किलो", "ग्राम", "ग्रा", "मिली", "लीटर", "₹"],
];

/** Units in scripts that have no space after them. */
export const UNITS_WITHOUT_BLANKS =
  "キログラム|グラム|キロ|ミリリットル|リットル|個|枚|本|袋|円|千克|公斤|克|毫升|升|元|กิโลกรัม|กก|กรัม|มล|ลิตร|ชิ้น|แพ็ค|บาท";

const UNIT = `(?:${UNITS.toSorted((one, other) => other.length - one.length)
  .join("|")
  .replaceAll("$", "\\$")})`;
/** A unit, including a ratio (`€/kg`), followed by the end of a word. */
const UNIT_WORD = `(?:${UNIT}(?:/${UNIT})?(?![\\p{L}\\p{N}])|${UNITS_WITHOUT_BLANKS})`;
const DIGIT = "[\\d٠-٩۰-۹०-९๐-๙]";
export const NUMBER = `${DIGIT}+(?:[.,'’٫٬\\u00a0\\u202f]${DIGIT}+)*`;

/** Matches even if more text is joined to the unit: `kg=40PR`, `g+50 g`. */
const STARTS_AS_UNIT = new RegExp(`^${UNIT_WORD}`, "iu");
const TIMES = /^[x×]$/i;
const ENDS_IN_NUMBER = new RegExp(`${DIGIT}$`, "u");
const ENDS_IN_TIMES = /\d\s?[x×]$/i;
const ENDS_IN_SIGN = /^[€$£¥฿₪₹]$/;

/**
 * Whether a line must not end between two words: a number stays with its unit (`1,5 kg`), and with its multiplier (`6 x 0,5
 * l`).
 */
export const belongTogether = (word: string, next: string): boolean =>
  (ENDS_IN_NUMBER.test(word) && (STARTS_AS_UNIT.test(next) || TIMES.test(next))) ||
  ((ENDS_IN_TIMES.test(word) || ENDS_IN_SIGN.test(word)) && /^\d/.test(next));

/** Matches a unit at the beginning of a text: `kg` in `kg/m`. */
export const STARTS_WITH_UNIT = `${UNIT}(?![\\p{L}\\p{N}])`;

/**
 * A letter with its combining marks. In Thai also with the vowels before and after it, in Devanagari with the letters joined
 * to it.
 */
export const LETTER =
  "[\\u0e40-\\u0e44]?.[\\p{M}\\u0e30\\u0e32\\u0e33\\u0e45\\u200d]*(?:(?<=\\u094d\\u200d?)\\p{L}\\p{M}*)*";

/** Parts that are never cut: a number with its unit, half of which would be wrong, or a letter with its marks. */
export const ATOMS = new RegExp(`(?:${NUMBER}\\s?[x×]\\s?)*${NUMBER}(?:[\\s\\u00a0]?${UNIT_WORD})?|${LETTER}`, "gisu");

/** The net content at the end of a name, such as `6 x 0,5 l`, followed by up to three more signs. */
export const NET_CONTENT = new RegExp(
  `(?:${NUMBER}\\s?[x×]\\s?)*${NUMBER}[\\s\\u00a0]?${UNIT_WORD}[\\p{P}\\s]{0,3}$`,
  "iu",
);
