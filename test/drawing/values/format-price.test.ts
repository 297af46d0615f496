import test from "ava";
import fc from "fast-check";
import { type PriceParts, priceParts } from "../../../drawing/values/format-price.ts";

type Expected = Omit<PriceParts, "isVerbatim">;
const parts = (before: string, integer: string, separator: string, decimals: string, after: string): Expected => ({
  before,
  integer,
  separator,
  decimals,
  after,
});

const prices: [rule: string, price: string, locale: string, currency: string, expected: Expected][] = [
  ["comma, and the euro after", "1.99", "hr-HR", "EUR", parts("", "1", ",", "99", "€")],
  ["the dollar sign in front", "1.99", "en-US", "USD", parts("$", "1", ".", "99", "")],
  ["the currency's number of decimals", "5", "de-DE", "EUR", parts("", "5", ",", "00", "€")],
  ["a currency without decimals has no separator", "1234", "ja-JP", "JPY", parts("￥", "1,234", "", "", "")],
  ["thousands separators", "1234567.5", "de-DE", "EUR", parts("", "1.234.567", ",", "50", "€")],
  ["the sign belongs to the integer", "-1.5", "hr-HR", "EUR", parts("", "−1", ",", "50", "€")],
  ["more decimals than usual are kept", "0.0375", "hr-HR", "EUR", parts("", "0", ",", "0375", "€")],
  ["decimals are kept in a currency without decimals", "12.5", "ja-JP", "JPY", parts("￥", "12", ".", "5", "")],
  ["a currency without a sign shows its code", "7.9", "de-DE", "CHF", parts("", "7", ",", "90", "CHF")],
];

for (const [rule, price, locale, currency, expected] of prices) {
  test(`${locale} ${currency}: ${rule}`, (t) => {
    t.deepEqual(priceParts(price, locale, currency), { ...expected, isVerbatim: false });
  });
}

for (const price of [
  "na upit",
  "",
  "1,99",
  " 1.99",
  "1.",
  ".5",
  "+1",
  "--1",
  "1e3",
  "0x10",
  "NaN",
  "1.99 €",
  "1.9.9",
]) {
  test(`"${price}" is not a number and stays as sent`, (t) => {
    t.deepEqual(priceParts(price, "hr-HR", "EUR"), { ...parts("", price, "", "", ""), isVerbatim: true });
  });
}

const digits = (text: string): string => text.replace(/\D/g, "");
const price = fc.record({
  sign: fc.constantFrom("", "-"),
  integer: fc.bigInt({ min: 0n, max: 10n ** 11n }).map(String),
  decimals: fc.stringMatching(/^\d{0,20}$/),
});
const locale = fc.constantFrom(
  { locale: "hr-HR", currency: "EUR", usual: 2 },
  { locale: "en-US", currency: "USD", usual: 2 },
  { locale: "de-DE", currency: "EUR", usual: 2 },
  { locale: "fr-FR", currency: "EUR", usual: 2 },
  { locale: "ja-JP", currency: "JPY", usual: 0 },
);

test("every digit of a price is drawn, in order, and only zeros are appended", (t) => {
  fc.assert(
    fc.property(price, locale, ({ sign, integer, decimals }, { locale, currency, usual }) => {
      const sent = sign + integer + (decimals === "" ? "" : `.${decimals}`);
      const drawn = priceParts(sent, locale, currency);
      t.is(digits(drawn.integer), integer);
      t.is(drawn.decimals, decimals.padEnd(usual, "0"));
    }),
  );
});

test("a price has a sign if and only if one was sent, and a separator if and only if it has decimals", (t) => {
  fc.assert(
    fc.property(price, locale, ({ sign, integer, decimals }, { locale, currency }) => {
      const sent = sign + integer + (decimals === "" ? "" : `.${decimals}`);
      const drawn = priceParts(sent, locale, currency);
      t.is(/[-−]/.test(drawn.before + drawn.integer), sign === "-");
      t.is(drawn.separator !== "", drawn.decimals !== "");
    }),
  );
});

test("the same price is split separately for each locale and currency", (t) => {
  t.deepEqual(
    ["hr-HR", "en-US"].map((locale) => priceParts("2.5", locale, "EUR").separator),
    [",", "."],
  );
  t.deepEqual(
    ["EUR", "CHF"].map((currency) => priceParts("2.5", "hr-HR", currency).after),
    ["€", "CHF"],
  );
});

test("the currency of a negative price stays on its side", (t) => {
  t.like(priceParts("-1234.5", "en-US", "USD"), { before: "$", after: "" });
  t.like(priceParts("-1234.5", "hr-HR", "EUR"), { before: "", after: "€" });
});
