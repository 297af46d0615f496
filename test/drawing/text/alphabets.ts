const latin = "abcdefghijklmnopqrstuvwxyz";
const russian = "абвгдежзийклмнопрстуфхцчшщъьюя";
/** The Vietnamese vowels with each of their tones. */
const vietnamese = [..."aăâeêioôơuưy"]
  .flatMap((vowel) => ["", "\u0301", "\u0300", "\u0309", "\u0303", "\u0323"].map((tone) => vowel + tone))
  .join("")
  .normalize("NFC");

/** Each language's lowercase letters, in its own alphabet and in its loanwords. */
const smallLetters: Readonly<Record<string, string>> = {
  bg: `${russian}ѝ`,
  cs: `${latin}áčďéěíňóřšťúůýž`,
  da: `${latin}æøåéü`,
  de: `${latin}äöüßéà`,
  el: "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
  en: `${latin}éèç`,
  es: `${latin}áéíóúüñç`,
  et: `${latin}äöõüšž`,
  fi: `${latin}äöåšž`,
  fr: `${latin}àâæçéèêëîïôœùûüÿ`,
  ga: `${latin}áéíóúḃċḋḟġṁṗṡṫ`,
  hr: `${latin}čćđšž`,
  hu: `${latin}áéíóöőúüű`,
  it: `${latin}àèéìíîòóùú`,
  lt: `${latin}ąčęėįšųūž`,
  lv: `${latin}āčēģīķļņōŗšūž`,
  mt: `${latin}ċġħżàèìòù`,
  nl: `${latin}áéëèíïóöúüĳ`,
  pl: `${latin}ąćęłńóśźż`,
  pt: `${latin}áâãàçéêíóôõúü`,
  ro: `${latin}ăâîșțşţ`,
  sk: `${latin}áäčďéíĺľňóôŕšťúýž`,
  sl: `${latin}čšžćđ`,
  sv: `${latin}åäöéüà`,
  "sr-Cyrl": "абвгдђежзијклљмнњопрстћуфхцчџш",
  "sr-Latn": `${latin}čćđšž`,
  tr: `${latin}çğıöşüâîû`,
  uk: "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя’",
  vi: `${latin}đ${vietnamese}`,
};

/**
 * Digits, and the signs that occur in text and prices on shelf labels, except the low quote ‚, which is a comma in every face.
 */
export const signs = "0123456789.,:;!?'\"()[]/\\|-–—+=×%‰&@#*·…«»„“”‘’°²³½¼¾§®©™℮€$£₴₺₫~_<>№¿¡ªº‹›";

/** The letters of the European Union's languages, Serbian, Turkish, Ukrainian and Vietnamese, each once. */
export const alphabets: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(smallLetters).map(([language, small]) => {
    // Greek drops accents in all-capital text, but names at the start of a sentence keep them.
    const upper = language === "el" ? small.toUpperCase() : small.toLocaleUpperCase(language);
    const capitals = upper.replaceAll("SS", "ẞ").normalize("NFC").replace(/\p{M}/gu, "");
    return [language, [...new Set(small + capitals)]];
  }),
);
