import test from "ava";
import { compileTemplate } from "../../../drawing/values/template.ts";

const fill = (source: string, locale = "hr-HR") =>
  compileTemplate(source).fill({
    item: { long: "a".repeat(4000) },
    store: { locale, currency: "EUR", timeZone: "UTC" },
  });

const changed: [source: string, locale: string, text: string][] = [
  ["upper('šećer đumbir')", "hr-HR", "ŠEĆER ĐUMBIR"],
  ["upper('Straße')", "de-DE", "STRASSE"],
  ["upper('iğde ılık')", "tr-TR", "İĞDE ILIK"],
  ["upper('Ελληνικό')", "el-GR", "ΕΛΛΗΝΙΚΟ"],
  ["upper('сир')", "uk-UA", "СИР"],
  ["lower('IŞIK İNCİR')", "tr-TR", "ışık incir"],
  ["lower('ΚΑΦΕΣ')", "el-GR", "καφες"],
  ["title('KRUH BIJELI 500G')", "hr-HR", "Kruh Bijeli 500G"],
  ["title('mlijeko 1 L TRAJNO')", "hr-HR", "Mlijeko 1 L Trajno"],
  ["title('ÇİKOLATALI ısırgan')", "tr-TR", "Çikolatalı Isırgan"],
  ["title(\"l'eau d'evian\")", "fr-FR", "L'eau D'evian"],
  ["title('ŽÁDNÉ LÉČO')", "cs-CZ", "Žádné Léčo"],
  ["title('JOGURT BIO 150G')", "hr-HR", "Jogurt BIO 150G"],
  ["title('MLIJEKO UHT 1L XXL PAK')", "hr-HR", "Mlijeko UHT 1L XXL Pak"],
  ["title('Kekse MHD kurz')", "de-DE", "Kekse MHD Kurz"],
  ["title('COCA-COLA zero')", "en-GB", "Coca-Cola Zero"],
  ["replace('a-b-c', '-', ' / ')", "hr-HR", "a / b / c"],
  ["replace('$1 $1', '$1', '$&')", "hr-HR", "$& $&"],
  ["replace('abc', 'x', 'y')", "hr-HR", "abc"],
];

for (const [source, locale, text] of changed) {
  test(`${source} in ${locale} is ${text}`, (t) => {
    t.deepEqual(fill(`\${${source}}`, locale), { text: text.normalize("NFC"), missing: [] });
  });
}

for (const source of ["replace('a', '', 'b')", "replace(item.long, 'a', 'bbb')", "upper(item.nothing)"]) {
  test(`${source} has no value`, (t) => t.is(fill(`\${${source}}`).missing.length, 1));
}
