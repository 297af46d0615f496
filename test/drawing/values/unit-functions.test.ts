import test from "ava";
import { compileTemplate } from "../../../drawing/values/template.ts";
import { type DrawingNotice, noticeText } from "../../../schemas/drawing-notice.ts";

const fill = (source: string, locale: string, unitPricePer100 = false) =>
  compileTemplate(source).fill({ item: {}, store: { locale, currency: "EUR", timeZone: "UTC", unitPricePer100 } });

const written: [source: string, locale: string, text: string][] = [
  ["unit('KG')", "hr-HR", "kg"],
  ["unit('0.50 kg')", "hr-HR", "kg"],
  ["unit('0.33L')", "de-DE", "l"],
  ["unit('ko')", "hr-HR", "kom"],
  ["unit('10.00 ko')", "de-DE", "Stk."],
  ["unit('kom.')", "pl-PL", "szt."],
  ["unit('ks')", "hu-HU", "db"],
  ["unit('pcs')", "el-GR", "τεμ."],
  ["unit('ko')", "tr-TR", "adet"],
  ["unit('ko')", "cs-CZ", "ks"],
  ["unit('ko')", "fi-FI", "kpl"],
  ["unit('ko')", "fr-FR", "pièce"],
  ["unit('ko')", "mt-MT", "ko"],
  ["unit('m2')", "hr-HR", "m²"],
  ["unit('кг')", "hr-HR", "kg"],
  ["unit('кг')", "bg-BG", "кг"],
  ["unit('0.5 KG')", "uk-UA", "кг"],
  ["unit('ml')", "sr-Cyrl-RS", "мл"],
  ["unit('кг')", "sr-RS", "kg"],
  ["unit('м2')", "bg-BG", "м²"],
  ["unit('ko')", "sr-Cyrl-RS", "ком"],
  ["unit('vnt')", "lv-LV", "gab."],
  ["unit('stuks')", "nl-NL", "stuk"],
  ["unit('pranje')", "hr-HR", "pranje"],
  ["quantity('0.50 kg')", "hr-HR", "0,5\u00a0kg"],
  ["quantity('1.00 ko')", "hr-HR", "1\u00a0kom"],
  ["quantity('0,75 l')", "en-GB", "0.75\u00a0l"],
  ["quantity('1500 G')", "de-DE", "1.500\u00a0g"],
  ["quantity('po dogovoru')", "hr-HR", "po dogovoru"],
  ["lowestPrice30('1.5')", "hr-HR", "Najniža u 30 dana: 1,50\u00a0€"],
  ["lowestPrice30('1.5')", "de-AT", "Niedrigster Preis der letzten 30 Tage: €\u00a01,50"],
  ["lowestPrice30('1.5')", "hu-HU", "30 napos legalacsonyabb ár: 1,50\u00a0€"],
  ["discount('1.19', '1.59')", "hr-HR", "−25\u00a0%"],
  ["discount('1.19', '1.59')", "de-DE", "-25\u00a0%"],
  ["discount('1.19', '1.59')", "en-GB", "-25%"],
  ["discount('0.995', '1')", "en-GB", ""],
  ["discount('1.59', '1.59')", "en-GB", ""],
  ["discount('2', '1.59')", "en-GB", ""],
  ["discount('6.70', '10.00')", "en-GB", "-33%"],
  ["discount('50', '100.00')", "en-GB", "-50%"],
  ["digitalLink('3850334043641')", "hr-HR", "https://id.gs1.org/01/03850334043641"],
  ["digitalLink('96385074')", "hr-HR", "https://id.gs1.org/01/00000096385074"],
  ["digitalLink('3850334043641', 'https://example.com/p/')", "hr-HR", "https://example.com/p/01/03850334043641"],
  ["lowestPrice30('1.5')", "pl-PL", "Najniższa z 30 dni: 1,50\u00a0€"],
  ["lowestPrice30('1.5')", "mt-MT", "L-orħos fi 30 jum: €1.50"],
  ["lowestPrice30('1.5')", "lt-LT", "Mažiausia per 30 dienų: 1,50\u00a0€"],
  ["lowestPrice30('150')", "sr-Cyrl-RS", "Најнижа 30 дана: 150,00\u00a0€"],
  ["lowestPrice30('1.5')", "vi-VN", "Lowest in 30 days: 1,50\u00a0€"],
  ["baseUnit('500 g')", "hr-HR", "kg"],
  ["baseUnit('330 ML')", "bg-BG", "л"],
  ["baseUnit('1,5 l')", "hr-HR", "l"],
  ["baseUnit('75 cl')", "fr-FR", "l"],
  ["baseUnit('250 cm')", "hr-HR", "m"],
  ["baseUnit('2 m2')", "hr-HR", "m²"],
  ["baseUnit('10 ko')", "de-DE", "Stk."],
  ["unitPrice('5.99', '500 g', '11.98')", "hr-HR", "11,98\u00a0€/kg"],
  ["unitPrice('5.99', '500 g')", "hr-HR", "11,98\u00a0€/kg"],
  ["unitPrice('5.99', '500 g', '1.20')", "hr-HR", "11,98\u00a0€/kg"],
  ["unitPrice('0.89', '330 ml')", "hr-HR", "2,70\u00a0€/l"],
  ["unitPrice('2.10', '10 ko', '0.21')", "hr-HR", "0,21\u00a0€/kom"],
  ["unitPrice('3.99', '20.00 m', '0.2')", "hr-HR", "0,20\u00a0€/m"],
  ["unitPrice('0.99', '0.41 kg', '2.45')", "hr-HR", "2,45\u00a0€/kg"],
  ["unit('6 x 330 ML')", "hr-HR", "ml"],
  ["quantity('6 x 0.33 l')", "hr-HR", "6\u00a0×\u00a00,33\u00a0l"],
  ["quantity('4 Stk. à 250 g')", "de-DE", "4\u00a0×\u00a0250\u00a0g"],
  ["baseUnit('6x330 ml')", "de-DE", "l"],
  ["unitPrice('3.96', '6x330 ml', '2.00')", "hr-HR", "2,00\u00a0€/l"],
  ["unitPrice('2.25', '0.00 kg', '18750')", "hr-HR", "18.750,00\u00a0€/kg"],
];
/** A store whose unit prices are per 100 g and per 100 ml. */
const perHundred: [source: string, text: string][] = [
  ["baseUnit('0.5 kg')", "100\u00a0g"],
  ["baseUnit('33 cl')", "100\u00a0ml"],
  ["baseUnit('5 m')", "m"],
  ["unitPrice('5.99', '500 g', '11.98')", "1,20\u00a0€/100\u00a0g"],
  ["unitPrice('5.99', '500 g', '1.198')", "1,198\u00a0€/100\u00a0g"],
  ["unitPrice('5.99', '500 g')", "1,20\u00a0€/100\u00a0g"],
  ["unitPrice('2.10', '10 ko', '0.21')", "0,21\u00a0€/kom"],
  ["unitPrice('5', '4 x 125 g', '10')", "1,00\u00a0€/100\u00a0g"],
];
const unknown: [source: string, reason: string][] = [
  ["unit('12')", '"12" has no unit'],
  ["discount('1.19', 'na upit')", '"na upit" is not a price above 0'],
  ["discount('1.19', '0')", '"0" is not a price above 0'],
  ["digitalLink('385033404364')", '"385033404364" is not a GTIN: its check digit must be 1, not 4'],
  ["digitalLink('38503340436')", '"38503340436" is not a GTIN: it must have 8, 12, 13 or 14 digits'],
  [
    "digitalLink('3850334043641', 'http://example.com')",
    '"http://example.com" is not the address of a resolver: write it like https://example.com/gtin',
  ],
  ["baseUnit('40 pranja')", '"40 pranja" is not a quantity for which the law defines a unit price'],
  [
    "unitPrice('5.99', 'po dogovoru', '11.98')",
    '"po dogovoru" is not a quantity for which the law defines a unit price',
  ],
  ["unitPrice('6.49', '0.75 ko', '8.65')", '"0.75 ko" is less than one piece'],
  ["unitPrice('2', '0.40 g', '5')", "the unit price 5 does not match the price 2 for 0.40 g"],
  ["unitPrice('4.99', '500 g', '11.98')", "the unit price 11.98 does not match the price 4.99 for 500 g"],
  ["unitPrice('N/A', '500 g', '11.98')", '"N/A" is not a price above 0'],
  ["unitPrice('0.00', '500 g')", '"0.00" is not a price above 0'],
  ["unitPrice('5.99', '0.00 kg')", 'no unit price can be calculated for the quantity "0.00 kg"'],
  ["unitPrice('3.96', '6 x 330 ml', '12')", "the unit price 12 does not match the price 3.96 for 6 x 330 ml"],
  ["unitPrice('5', '1.500 ml')", '"1.500 ml" is ambiguous: its separator may be a decimal or a thousands separator'],
  [
    "unitPrice('5', '2 x 1.000 g')",
    '"2 x 1.000 g" is ambiguous: its separator may be a decimal or a thousands separator',
  ],
  ["unitPrice('9', '2 x 3 m')", '"2 x 3 m" may be a size or a number of pieces: write "2 kom à 3 m" for pieces'],
  ...[
    ...[
      "4 x 100",
      "50+2x25 ml",
      "2 x 6 x 33 ml",
      "1.5 x 2 l",
      "3 x 190 g / 3 x 115 g",
      "2 x l",
      "x 330 ml",
      "1 kg x 500 g",
    ],
    ...["6 x 330 pranja", "4/250 g", "4 kom 250 g", "1 kg od 500 g", "6 x -330 ml", "330 ml x 6 l"],
  ].map((quantity): [string, string] => [
    `unitPrice('5', '${quantity}')`,
    `"${quantity}" is not a quantity for which the law defines a unit price`,
  ]),
  ["unitPrice('0.01', '1000 ko')", "the unit price of 0.01 for 1000 ko is too small to be shown"],
];

for (const [source, locale, text] of written) {
  test(`${source} in ${locale} is ${text}`, (t) => t.deepEqual(fill(`\${${source}}`, locale), { text, missing: [] }));
}

for (const [source, text] of perHundred) {
  test(`${source} per 100 g or 100 ml is ${text}`, (t) =>
    t.deepEqual(fill(`\${${source}}`, "hr-HR", true), { text, missing: [] }));
}

for (const [source, reason] of unknown) {
  test(`${source} is reported: ${reason}`, (t) => {
    const { reasons, ...rest } = fill(`\${${source}}`, "hr-HR");
    t.deepEqual(rest, { text: "", missing: [source] });
    t.is(noticeText(reasons?.[source] as DrawingNotice), reason);
  });
}

test("every official language of the European Union has its own words for the lowest price", (t) => {
  const languages = "bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv".split(" ");
  const words = languages.map((language) => fill("${lowestPrice30('1')}", language).text.split(":")[0]);
  t.is(new Set(words).size, languages.length);
});
