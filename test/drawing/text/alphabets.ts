const latin = "abcdefghijklmnopqrstuvwxyz";
const russian = "абвгдежзийклмнопрстуфхцчшщъьюя";
/** Vowels of Vietnamese with each of their tones. */
const vietnamese = [..."aăâeêioôơuưy"]
  .flatMap((vowel) => ["", "\u0301", "\u0300", "\u0309", "\u0303", "\u0323"].map((tone) => vowel + tone))
  .join("")
  .normalize("NFC");

/** The small letters of each language, in its own alphabet and with those of its loanwords. */
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

/** Digits, and the signs that texts and prices of shelf labels hold; but the low quote ‚, which is a comma in every face. */
export const signs = "0123456789.,:;!?'\"()[]/\\|-–—+=×%‰&@#*·…«»„“”‘’°²³½¼¾§®©™℮€$£₴₺₫~_<>№¿¡ªº‹›";

/** The languages of the European Union, Serbian, Turkish, Ukrainian and Vietnamese: their letters, each once. */
export const alphabets: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(smallLetters).map(([language, small]) => {
    // By the rules of Greek capitals have no accents, but names are written with them at the beginning of a sentence.
    const upper = language === "el" ? small.toUpperCase() : small.toLocaleUpperCase(language);
    const capitals = upper.replaceAll("SS", "ẞ").normalize("NFC").replace(/\p{M}/gu, "");
    return [language, [...new Set(small + capitals)]];
  }),
);
