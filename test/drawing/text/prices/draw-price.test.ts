import test from "ava";
import { DrawingError } from "../../../../drawing/text/drawing-error.ts";
import type { PriceElement } from "../../../../schemas/canvas-texts.ts";
import { inkOf, rowsOf } from "../../drawing.ts";
import { draw, inkOfPrice, near } from "./a-price.ts";

const NOBODYS = "\u{10fffd}";

test("with baseline alignment, digits of all sizes share one line, and the comma descends below it", (t) => {
  for (const size of [16, 24, 40]) {
    const at = { height: 90, size, minimumSize: size, verticalAlign: "baseline" } as const;
    t.is(inkOfPrice({ ...at, separator: "none" })?.bottom, 110, `at ${size}`);
    t.true((inkOfPrice(at)?.bottom ?? 0) > 110, `at ${size}`);
  }
});

test("a price is at the left, in the middle or at the right of its area", (t) => {
  t.true(near(inkOfPrice({})?.left, 20) <= 7);
  t.deepEqual(inkOfPrice({ align: "left" }), inkOfPrice({}));
  const { left = 0, right = 0 } = inkOfPrice({ align: "center" }) ?? {};
  t.true(near((left + right) / 2, 120) <= 4);
  t.true(near(inkOfPrice({ align: "right" })?.right, 220) <= 5);
});

test("a price is at the top, in the middle or at the bottom of its area", (t) => {
  const tall = { height: 90, size: 24 };
  t.true(near(inkOfPrice(tall)?.top, 20) <= 1);
  t.deepEqual(inkOfPrice({ ...tall, verticalAlign: "top" }), inkOfPrice(tall));
  const { top = 0, bottom = 0 } = inkOfPrice({ ...tall, verticalAlign: "middle" }) ?? {};
  t.true(near((top + bottom) / 2, 65) <= 2);
  t.true(near(inkOfPrice({ ...tall, verticalAlign: "bottom" })?.bottom, 110) <= 2);
});

test("a price that is too wide at its size shrinks until it fits", (t) => {
  const ink = inkOfPrice({ width: 40, minimumSize: 4 });
  t.true(ink && ink.left >= 20 && ink.right <= 60);
});

test("a price that is not a number is drawn as sent, with a warning", (t) => {
  const { picture, warnings } = draw({ value: "na upit" });
  t.truthy(inkOf(picture));
  t.deepEqual(warnings, ['the price "na upit" is not a number and is shown as sent']);
});

test("a character that the font lacks causes a warning", (t) => {
  t.true(draw({ value: `1${NOBODYS}` }).warnings.includes(`the font has no "${NOBODYS}"`));
});

test("a price that does not fit at its minimum size is an error that names the price, and is never cut", (t) => {
  for (const tooSmall of [{ width: 60 }, { height: 30 }]) {
    const make = () => draw({ ...tooSmall, value: "1234.56", minimumSize: 40 });
    t.throws(make, { instanceOf: DrawingError, message: /"1234.56" does not fit/ });
  }
});

test("a price without a value is omitted, and the value is named", (t) => {
  const { picture, warnings } = draw({ value: "${item.price}" });
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, ["${item.price} has no value"]);
});

test("a price with a missing part is omitted, since the rest would be a different price", (t) => {
  const { picture, warnings } = draw({ value: "12${item.rest}" });
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, ["${item.rest} has no value"]);
});

test("decimals and currency have the sizes that the design sets", (t) => {
  const widthOf = (more: Partial<PriceElement>) => {
    const { left = 0, right = 0 } = inkOfPrice(more) ?? {};
    return right - left;
  };
  const decimals = (decimalsPercent: number) => widthOf({ decimalsPercent });
  t.true(decimals(20) < decimals(50) && decimals(50) < decimals(100));
  t.is(widthOf({}), decimals(50));
  const currency = (currencyPercent: number) => widthOf({ value: "5", currencyPercent, decimalsPercent: 80 });
  t.true(currency(20) < currency(60));
  t.is(currency(80), widthOf({ value: "5", decimalsPercent: 80 }));
});

for (const [where, decimalsPercent] of [
  ["below small decimals", 40],
  ["after large decimals", 80],
] as const) {
  test(`the currency is drawn ${where}`, (t) => {
    t.notDeepEqual(draw({ decimalsPercent }, "EUR").picture, draw({ decimalsPercent }, "GBP").picture);
  });
}

test("a currency next to the decimals makes a price wider, and a currency that must be below them shrinks until it fits", (t) => {
  const rightOf = (more: Partial<PriceElement>) => inkOfPrice({ size: 40, decimalsPercent: 45, ...more })?.right ?? 0;
  t.is(rightOf({ currencyPlace: "below" }), rightOf({}), "the currency is below the decimals if it fits there");
  t.true(rightOf({ currencyPlace: "beside" }) > rightOf({}) + 10);
  const large = { decimalsPercent: 60, currencyPercent: 60 };
  t.true(
    rightOf({ ...large, currencyPlace: "below" }) < rightOf(large) - 10,
    "if it does not fit there, it is next to them",
  );
  t.is(rightOf({ decimalsPercent: 100, currencyPlace: "below" }), rightOf({ decimalsPercent: 100 }));
});

test("a suffix follows the currency, even if the currency precedes the number or is not shown", (t) => {
  const pictureOf = (more: Partial<PriceElement>, currency = "EUR", locale = "hr-HR") =>
    draw({ size: 40, ...more }, currency, locale).picture;
  for (const [more, currency, locale] of [
    [{}, "EUR", "hr-HR"],
    [{}, "GBP", "en-GB"],
    [{ currency: "none" }, "EUR", "hr-HR"],
  ] as const) {
    t.notDeepEqual(pictureOf({ ...more, suffix: "/kg" }, currency, locale), pictureOf(more, currency, locale));
    t.deepEqual(pictureOf({ ...more, suffix: "" }, currency, locale), pictureOf(more, currency, locale));
  }
  t.deepEqual(pictureOf({ suffix: "${'/' + 'kg'}" }), pictureOf({ suffix: "/kg" }));
});

test("a price whose suffix has no value is omitted, since it would be the price of something else", (t) => {
  const { picture, warnings } = draw({ suffix: "/${item.unit}" });
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, ["${item.unit} has no value"]);
});

test("a currency is shown by its sign, by its code, or not at all", (t) => {
  const pictures = (["symbol", "code", "none"] as const).map((currency) => draw({ currency, size: 40 }).picture);
  t.deepEqual(pictures[0], draw({ size: 40 }).picture);
  for (const [index, one] of pictures.entries()) {
    for (const other of pictures.slice(index + 1)) t.notDeepEqual(one, other);
  }
  t.deepEqual(draw({ currency: "none", size: 40 }, "GBP").picture, pictures[2]);
});

test("a currency whose sign is in no font is shown as its code", (t) => {
  const { picture, warnings } = draw({ size: 30 }, "KHR", "km-KH");
  t.deepEqual(picture, draw({ size: 30, currency: "code" }, "KHR", "km-KH").picture);
  t.deepEqual(warnings, []);
});

test("digits are 0 to 9 in every locale", (t) => {
  t.deepEqual(draw({ currency: "none" }, "EGP", "ar-EG").picture, draw({ currency: "none" }, "EGP", "en-EG").picture);
});

test("raised decimals are aligned with the tops of the integer's digits at every size", (t) => {
  for (let decimalsPercent = 20; decimalsPercent <= 90; decimalsPercent += 1) {
    const rows = rowsOf(draw({ decimalsPercent, currency: "none", value: "88.88", size: 48 }).picture);
    const {
      left = 0,
      right = 0,
      top = 0,
    } = inkOfPrice({ decimalsPercent, currency: "none", value: "88.88", size: 48 }) ?? {};
    const topIn = (from: number, to: number) => rows.findIndex((row) => row.slice(from, to).includes("K"));
    t.deepEqual(
      [topIn(left, left + 20), topIn(right - Math.round(decimalsPercent * 0.25), right)],
      [top, top],
      `${decimalsPercent} %`,
    );
  }
});

test("a gap between thousands is narrower than half a digit", (t) => {
  const rows = rowsOf(draw({ value: "8888", locale: "cs-CZ", currency: "none", decimals: 0, size: 40 }).picture);
  const isInked = (x: number) => rows.some((row) => row[x] === "K");
  const { left = 0, right = 0 } =
    inkOfPrice({ value: "8888", locale: "cs-CZ", currency: "none", decimals: 0, size: 40 }) ?? {};
  const gaps = Array.from({ length: right - left }, (_, x) => (isInked(left + x) ? "K" : " "))
    .join("")
    .split(/K+/);
  t.is(gaps.length, 5);
  const widest = Math.max(...gaps.map(({ length }) => length));
  t.true(widest <= 14, `${widest} of 28 pixels`);
});
