import test from "ava";
import { ExpressionError } from "../../../domain/expression/expression.ts";
import { compileTemplate } from "../../../drawing/values/template.ts";

const croatian = { locale: "hr-HR", currency: "EUR", timeZone: "Europe/Zagreb" };
const american = { locale: "en-US", currency: "USD", timeZone: "America/New_York" };
const item = {
  price: "1234.5",
  exact: "0.0375",
  free: "na upit",
  until: "2026-07-03",
  sent: "2026-07-03T23:30:00Z",
  local: "2026-07-03 08:05:09",
};

const fill = (source: string, store: unknown) =>
  compileTemplate(source).fill({ item, link: { facings: 3n }, device: {}, store: store as Record<string, string> });

/** A number and its currency are joined by a no-break space. */
const written: [source: string, inCroatia: string, inAmerica: string][] = [
  ["${price(item.price)}", "1.234,50\u00a0€", "$1,234.50"],
  ["${price('-5')}", "−5,00\u00a0€", "-$5.00"],
  ["${price(item.exact)}", "0,0375\u00a0€", "$0.0375"],
  ["${price(item.free)}", "na upit", "na upit"],
  ["${price(double(item.price) * 0.9)}", "1.111,05\u00a0€", "$1,111.05"],
  ["${price(1.0 / 3.0)}", "0,33\u00a0€", "$0.33"],
  ["${price(link.facings)}", "3,00\u00a0€", "$3.00"],
  ["${number(item.price)}", "1.234,5", "1,234.5"],
  ["${number(item.price, 0)}", "1.235", "1,235"],
  ["${number(item.price, 3)}", "1.234,500", "1,234.500"],
  ["${number(0.1 + 0.2)}", "0,3", "0.3"],
  ["${number(12345678)}", "12.345.678", "12,345,678"],
  ["${date(item.until)}", "03. 07. 2026.", "7/3/2026"],
  ["${date(item.until, 'dd.MM.yy')}", "03.07.26", "03.07.26"],
  ["${date(item.until, 'EEE d. MMM')}", "pet 3. srp", "Fri 3. Jul"],
  ["${date(item.until, 'EEEE, d. MMMM yyyy')}", "petak, 3. srpnja 2026", "Friday, 3. July 2026"],
  ["${date(item.sent, 'd.M. H:mm')}", "4.7. 1:30", "3.7. 19:30"],
  ["${date(item.sent, \"d.M. 'u' HH:mm:ss\")}", "4.7. u 01:30:00", "3.7. u 19:30:00"],
  ["${date(item.local, 'd.M.yyyy H:mm:ss')}", "3.7.2026 8:05:09", "3.7.2026 8:05:09"],
  ["${[1.5, 2.5].map(x, price(x))[1]}", "2,50\u00a0€", "$2.50"],
];

for (const [source, inCroatia, inAmerica] of written) {
  test(`${source} is formatted for the store's country`, (t) => {
    t.deepEqual(fill(source, croatian), { text: inCroatia, missing: [] });
    t.deepEqual(fill(source, american), { text: inAmerica, missing: [] });
  });
}

for (const expression of [
  "price(item.missing)",
  "number(item.free)",
  "number(item.price, -1)",
  "number(item.price, 21)",
  "number(1.0e300)",
  "price(1.0 / 0.0)",
  "price(0.0 / 0.0)",
  "number(-1.0e16)",
  "date('yesterday')",
  "date('2026-02-30')",
  "date('2026-07-03 24:01:00')",
  "date(item.until, 'qq')",
  "date('NaN')",
]) {
  test(`${expression} has no value`, (t) => {
    const { text, missing } = fill(`\${${expression}}`, croatian);
    t.deepEqual({ text, missing }, { text: "", missing: [expression] });
  });
}

for (const source of ["${price()}", "${price(true)}", "${price([1])}", "${date(5)}", "${date('a', 'b', 'c')}"]) {
  test(`${source} is refused when it is compiled`, (t) => {
    t.throws(() => compileTemplate(source), { instanceOf: ExpressionError, message: /no function accepts this/ });
  });
}

test("a link without a known store has no locale to format with", (t) => {
  t.deepEqual(fill("${price(item.price)}", {}), { text: "", missing: ["price(item.price)"] });
});

test("a function with another locale uses that locale's format", (t) => {
  const inLocale = (locale: string) => fill("${date(item.until, 'd MMMM')}", { ...croatian, locale }).text;
  t.deepEqual(["el-GR", "ru-RU", "pl-PL"].map(inLocale), ["3 Ιουλίου", "3 июля", "3 lipca"]);
});
