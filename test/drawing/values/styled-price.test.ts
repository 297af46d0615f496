import test from "ava";
import fc from "fast-check";
import { type PriceStyle, styledPrice } from "../../../drawing/values/styled-price.ts";
import { noticeText } from "../../../schemas/drawing-notice.ts";

const store = { locale: "hr-HR", currency: "EUR" };
const styled = (price: string, style: PriceStyle) => styledPrice(price, style, store);
const warningsOf = (price: string, style: PriceStyle) => styled(price, style).warnings.map(noticeText);

/** All parts of the price in reading order; a space separates a detached currency. */
const shown = (price: string, style: PriceStyle): string => {
  const { before, integer, separator, decimals, after } = styled(price, style).parts;
  return [before, `${integer}${separator}${decimals}`, after].filter((part) => part !== "").join(" ");
};

const written: [rule: string, price: string, style: PriceStyle, text: string][] = [
  ["a price follows the store's locale", "12.4", {}, "12,40 €"],
  ["the element sets the number of decimals", "12.4", { decimals: 1 }, "12,4 €"],
  ["decimals are appended", "12", { decimals: 3 }, "12,000 €"],
  ["decimals beyond the element's are rounded", "12.49", { decimals: 1 }, "12,5 €"],
  ["the element hides the decimals", "12.5", { decimals: 0 }, "13 €"],
  ["zeros are shown", "12", { zeroDecimals: "show" }, "12,00 €"],
  ["zeros are hidden", "12", { zeroDecimals: "hide" }, "12 €"],
  ["a dash replaces zeros", "12", { zeroDecimals: "dash" }, "12,– €"],
  ["decimals that are not all zero are not hidden", "12.1", { zeroDecimals: "hide" }, "12,10 €"],
  ["decimals that are not all zero are not replaced by a dash", "12.01", { zeroDecimals: "dash" }, "12,01 €"],
  ["a currency without decimals has no dash", "120", { currencyCode: "JPY", zeroDecimals: "dash" }, "120 ¥"],
  ["the element sets the separator", "12.4", { separator: "." }, "12.40 €"],
  ["the element hides the separator", "12.4", { separator: "none" }, "1240 €"],
  [
    "a thousands separator that equals the decimal separator becomes a gap",
    "1234.5",
    { separator: "." },
    "1\u202f234.50 €",
  ],
  [
    "such a separator becomes a gap in any locale",
    "1234567.5",
    { locale: "en-GB", separator: "," },
    "€ 1\u202f234\u202f567,50",
  ],
  ["other thousands separators stay", "1234.5", { locale: "en-GB", separator: "." }, "€ 1,234.50"],
  ["a dash keeps its separator", "12", { separator: "none", zeroDecimals: "dash" }, "12,– €"],
  ["the element sets the currency", "12.4", { currencyCode: "CHF" }, "12,40 CHF"],
  ["the element puts the currency in front", "12.4", { currencyPosition: "before" }, "€ 12,40"],
  ["the element puts the currency after the number", "12.4", { locale: "en-GB", currencyPosition: "after" }, "12.40 €"],
  ["the element sets the locale", "1234.5", { locale: "de-CH", currencyCode: "CHF" }, "CHF 1'234.50"],
  ["the element hides the currency", "12.4", { currency: "none", currencyPosition: "before" }, "12,40"],
  ["the element shows the currency's code", "12.4", { currency: "code" }, "12,40 EUR"],
  ["text that is not a number is unchanged", "na upit", { decimals: 2, zeroDecimals: "dash" }, "na upit"],
];

for (const [rule, price, style, text] of written) {
  test(`${rule}: ${text}`, (t) => t.is(shown(price, style), text));
}

test("a price that is shown as a different number is reported", (t) => {
  t.deepEqual(warningsOf("12.46", { decimals: 1 }), [
    "the price 12.46 is rounded to 12.5, because it is shown with 1 decimals",
  ]);
  t.deepEqual(warningsOf("12.50", { decimals: 1 }), []);
  const upit = 'the price "na upit" is not a number and is shown as sent';
  t.deepEqual(warningsOf("na upit", { decimals: 1 }), [upit]);
});

test("a second currency shows the price at its rate, rounded to its own decimals", (t) => {
  const second = { currencyCode: "BGN", rate: "1.95583" };
  const amount = (price: string) => styledPrice(price, { locale: "bg-BG", second }, store).second;
  t.is(amount("1.99"), "3,89\u00a0лв.");
  t.is(amount("10000.5"), "19\u202f559,28\u00a0лв.");
  t.is(amount("na upit"), undefined);
});

test("a currency whose sign cannot be shown uses its code, even as the second currency", (t) => {
  const second = { currencyCode: "BGN", rate: "2" };
  const canShow = (sign: string) => /^[\d,\s/A-Z]*$/.test(sign);
  const { parts, second: amount } = styledPrice("1.5", { locale: "bg-BG", second }, store, canShow);
  t.is(parts.after, "EUR");
  t.is(amount, "3,00\u00a0BGN");
});

test("the second amount matches one computed with big integers", (t) => {
  const amount = fc.bigInt({ min: 0n, max: 9_999_999n });
  const decimal = (units: bigint, scale: number) =>
    `${units / 10n ** BigInt(scale)}.${String(units % 10n ** BigInt(scale)).padStart(scale, "0")}`;
  fc.assert(
    fc.property(amount, amount, (cents, rate) => {
      const second = { currencyCode: "BGN", rate: decimal(rate, 5) };
      const shown = styledPrice(decimal(cents, 2), { locale: "en-GB", second }, store).second;
      t.is(shown?.replace(/[^\d.]/g, ""), decimal((2n * cents * rate + 100_000n) / 200_000n, 2));
    }),
  );
});
