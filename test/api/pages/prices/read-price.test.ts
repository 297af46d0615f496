import test from "ava";
import { type DecimalSign, decimalSignOf } from "../../../../api/pages/browser/prices/decimal-sign.ts";
import {
  decimalSignIn,
  isLargeChange,
  readPrice,
  writtenPrice,
} from "../../../../api/pages/browser/prices/read-price.ts";

test("a price may have a decimal comma or point and any thousands separators", (t) => {
  const prices = {
    "17,99": "17.99",
    "17.99": "17.99",
    "1,09": "1.09",
    "1.234,50 €": "1234.50",
    "€ 1,234.50": "1234.50",
    "EUR 2.00": "2.00",
    "1 234,5": "1234.5",
    "1\u00a0234": "1234",
    "1'234.50": "1234.50",
    "1.234.567": "1234567",
    " 0.99 ": "0.99",
    "007,50": "7.50",
    "12": "12",
  };
  for (const [written, price] of Object.entries(prices))
    for (const decimal of [",", "."] as const) t.is(readPrice(written, decimal), price, `${written} ${decimal}`);
});

test("three digits after a single separator are decimals if it is the language's decimal sign, and thousands otherwise", (t) => {
  const read = (text: string) => ([".", ","] as const).map((decimal) => readPrice(text, decimal));
  t.deepEqual(read("1.599"), ["1.599", "1599"]);
  t.deepEqual(read("1,599"), ["1599", "1.599"]);
});

test("text that is not a single number, or is negative, is not a price", (t) => {
  const none = [
    "",
    "abc",
    "-3",
    "-1,00",
    "2 for 3",
    "1.2.3",
    "1e3",
    "0x1f",
    "1.",
    ".5",
    "1,",
    "1 2",
    "NaN",
    "€",
    "17,99,",
  ];
  const odd = ["1,234.567,89", "1.234,567.89", "12.34,5", `${"9".repeat(13)}`, "1.0000001", "٣"];
  for (const text of [...none, ...odd]) t.is(readPrice(text, "."), undefined, text);
});

test("the decimal sign is the language's, or in a list the sign that its own prices use", (t) => {
  t.deepEqual(["en", "de", "hr"].map(decimalSignOf), [".", ",", ","]);
  const sign = (prices: string[], otherwise: DecimalSign) => decimalSignIn(prices, otherwise);
  t.is(sign(["1.599", "1.79"], ","), ".");
  t.is(sign(["1.599", "12", "1,79"], "."), ",");
  t.is(sign(["1.599", "abc", "12"], ","), ",");
  t.is(writtenPrice("17.99", "de"), "17,99");
  t.is(writtenPrice("2 for 3", "de"), "2 for 3");
});

test("a change of more than half, or to or from zero, is large; text that is not a price needs no confirmation", (t) => {
  const changes = [
    ["2.00", "3.00", false],
    ["2.00", "3.01", true],
    ["2.00", "1.00", false],
    ["2.00", "0.99", true],
    ["0.1", "0.15", false],
    ["0.00", "0.01", true],
    ["17.99", "1799", true],
    ["", "5.00", false],
    ["2 for 3", "5.00", false],
  ] as const;
  for (const [from, to, isLarge] of changes) t.is(isLargeChange(from, to), isLarge, `${from} ${to}`);
});
