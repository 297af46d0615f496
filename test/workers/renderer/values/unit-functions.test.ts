import test from "ava";
import { compileTemplate } from "../../../../workers/renderer/values/template.ts";

const fill = (source: string, locale: string) =>
  compileTemplate(source).fill({ item: {}, store: { locale, currency: "EUR", timeZone: "UTC" } });

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
  ["lowestPrice30('1.5')", "pl-PL", "Najniższa z 30 dni: 1,50\u00a0€"],
  ["lowestPrice30('1.5')", "mt-MT", "L-orħos fi 30 jum: €1.50"],
  ["lowestPrice30('1.5')", "lt-LT", "Mažiausia per 30 dienų: 1,50\u00a0€"],
  ["lowestPrice30('150')", "sr-Cyrl-RS", "Најнижа 30 дана: 150,00\u00a0€"],
  ["lowestPrice30('1.5')", "vi-VN", "Lowest in 30 days: 1,50\u00a0€"],
  ["price('12') + '/' + unit('0.5 kg')", "hr-HR", "12,00\u00a0€/kg"],
];

for (const [source, locale, text] of written) {
  test(`${source} in ${locale} is ${text}`, (t) => t.deepEqual(fill(`\${${source}}`, locale), { text, missing: [] }));
}

test("what has no unit has none", (t) => t.is(fill("${unit('12')}", "hr-HR").missing.length, 1));

test("every language of the European Union has words of its own for the lowest price", (t) => {
  const languages = "bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv".split(" ");
  const words = languages.map((language) => fill("${lowestPrice30('1')}", language).text.split(":")[0]);
  t.is(new Set(words).size, languages.length);
});
