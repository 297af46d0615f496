import { isDeepStrictEqual } from "node:util";
import test from "ava";
import fc from "fast-check";
import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { DrawingError } from "../../../drawing/text/drawing-error.ts";
import type { Element } from "../../../schemas/canvas.ts";
import type { PriceElement } from "../../../schemas/canvas-texts.ts";
import { drawElements, inkOf, rowsOf } from "../drawing.ts";

const area = { x: 20, y: 20, width: 200, height: 60 };
const price: PriceElement = { kind: "price", ...area, font: "bold", size: 60, value: "19.99", color: "black" };
const NOBODYS = "\u{10fffd}";

const draw = (more: Partial<PriceElement>, currency = "EUR", locale = "hr-HR") =>
  drawElements([{ ...price, ...more }], { store: { locale, currency } });
const inkOfPrice = (more: Partial<PriceElement>) => inkOf(draw(more).picture);
const near = (one: number | undefined, other: number) => Math.abs((one ?? Number.NaN) - other);

test("with baseline, digits of all sizes share one line, and the comma descends below", (t) => {
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

test("a price with a missing part is omitted, since the rest would be another price", (t) => {
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

test("the currency is shown as its sign, as its code, or not at all", (t) => {
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

/** The line of a struck price, in red, by column: the rows that it takes. */
function lineOf(more: Partial<PriceElement>): Map<number, number[]> {
  const rows = rowsOf(draw({ struckColor: "red", value: "88.88", currency: "none", ...more }).picture);
  const columns = Array.from({ length: 300 }, (_, x) => x).map((x): [number, number[]] => [
    x,
    [...rows.keys()].filter((y) => rows[y]?.[x] === "R"),
  ]);
  return new Map(columns.filter(([, found]) => found.length > 0));
}
const middleOf = (rows: readonly number[]): number => (Math.min(...rows) + Math.max(...rows)) / 2;

test("a struck price has a line through the middle of its digits, and another through raised decimals", (t) => {
  const { left = 0, right = 0, top = 0 } = inkOfPrice({ value: "88.88", currency: "none" }) ?? {};
  const line = lineOf({ struck: "middle", decimalsPercent: 50 });
  const [first, last] = [Math.min(...line.keys()), Math.max(...line.keys())];
  t.true(first <= left && last >= right - 1);
  t.true(near(middleOf(line.get(first) ?? []), top + 22) <= 1, "digits at 60 are 44 high");
  t.true(near(middleOf(line.get(last) ?? []), top + 11) <= 1, "decimals at 30 are 22 high");
});

test("a diagonal goes from the lower left of the digits to the upper right, inside the area", (t) => {
  const { left = 0, right = 0, top = 0 } = inkOfPrice({ value: "88.88", currency: "none" }) ?? {};
  const line = lineOf({ struck: "diagonal" });
  const [first, last] = [Math.min(...line.keys()), Math.max(...line.keys())];
  t.true(first <= left && last >= right - 1 && first >= 19 && last <= 220);
  t.true(near(middleOf(line.get(first) ?? []), top + 43) <= 2);
  t.true(near(middleOf(line.get(last) ?? []), top) <= 3);
});

test("the amount in a second currency has a strike line of its own", (t) => {
  const rowsUnder = (struck: "middle" | "diagonal", more: Partial<PriceElement> = {}) => {
    const second = { currencyCode: "BGN", rate: "2" };
    const rows = rowsOf(
      draw({ struck, struckColor: "red", value: "88.88", currency: "none", second, ...more }).picture,
    );
    return [...rows.keys()].filter((y) => rows[y]?.includes("R"));
  };
  for (const struck of ["middle", "diagonal"] as const) {
    const own = [...lineOf({ struck, size: 40 }).values()].flat();
    const both = rowsUnder(struck, { size: 40 });
    t.true(Math.max(...both) > Math.max(...own) + 4, struck);
  }
});

test("a struck price without a set style has a diagonal, because a middle line makes 0 look like 8", (t) => {
  for (const decimalsPercent of [50, 100])
    t.deepEqual(lineOf({ struck: true, decimalsPercent }), lineOf({ struck: "diagonal", decimalsPercent }));
});

test("a line with its own colour is drawn behind the digits, so that each stays readable", (t) => {
  const blackOf = (picture: Framebuffer) => rowsOf(picture).map((row) => row.replaceAll("R", "W"));
  for (const struck of ["middle", "diagonal"] as const)
    t.deepEqual(
      blackOf(draw({ struck, struckColor: "red", decimalsPercent: 50 }).picture),
      rowsOf(draw({ decimalsPercent: 50 }).picture),
    );
});

test("a line with its own colour does not count as covering the price", (t) => {
  const below: Element = { kind: "box", x: 0, y: 75, width: 300, height: 10, fill: "black" };
  const struck = { ...price, struck: "diagonal", struckColor: "red" } as const;
  t.notThrows(() => drawElements([struck, { ...below, y: 100 }]));
  t.notThrows(() => drawElements([struck, { ...below, y: 78, height: 1, width: 19 }]));
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

const anyPrice = fc
  .tuple(fc.constantFrom("", "-"), fc.nat({ max: 99_999 }), fc.stringMatching(/^(\.\d{1,4})?$/))
  .map(([sign, integer, decimals]) => `${sign}${integer}${decimals}`);
const anyLook = fc.record({
  width: fc.integer({ min: 10, max: 200 }),
  height: fc.integer({ min: 5, max: 80 }),
  font: fc.constantFrom("regular", "bold", "condensed", "condensed-bold"),
  size: fc.integer({ min: 12, max: 90 }),
  minimumSize: fc.integer({ min: 12, max: 40 }),
  decimalsPercent: fc.integer({ min: 20, max: 100 }),
  currencyPercent: fc.integer({ min: 20, max: 100 }),
  align: fc.constantFrom("left", "center", "right"),
  verticalAlign: fc.constantFrom("top", "middle", "bottom"),
});

const priceLaw = (name: string, holds: (element: PriceElement, picture: Framebuffer | undefined) => boolean) =>
  test(name, (t) => {
    fc.assert(
      fc.property(anyPrice, anyLook, (value, look) => {
        const element = { ...price, ...look, value } as PriceElement;
        return holds(element, pictureOf(element));
      }),
      { numRuns: 100 },
    );
    t.pass();
  });

priceLaw("a price is drawn inside its area, or not at all", ({ width, height }, picture) => {
  const ink = picture && inkOf(picture);
  if (picture === undefined) return true;
  if (ink === undefined) return false;
  return ink.left >= 20 && ink.right <= 20 + width && ink.top >= 20 && ink.bottom <= 20 + height;
});

priceLaw("a price is drawn at the largest size at which it fits", (element, picture) => {
  const sizes = Array.from({ length: Math.max(0, element.size - 11) }, (_, index) => element.size - index);
  const allowed = sizes.filter((size) => size >= (element.minimumSize ?? 0) || size === element.size);
  const largest = allowed.map((size) => pictureOf({ ...element, size, minimumSize: size })).find(Boolean);
  return isDeepStrictEqual(largest, picture);
});

/** A price in euros; undefined if it is not drawn. */
function pictureOf(element: PriceElement): Framebuffer | undefined {
  try {
    return drawElements([element]).picture;
  } catch (error) {
    if (error instanceof DrawingError) return undefined;
    throw error;
  }
}

test("a price whose area extends beyond the label must fit on the label, or is not drawn", (t) => {
  const edge = { x: 250, width: 200, size: 40, minimumSize: 30 };
  t.throws(() => draw(edge), { instanceOf: DrawingError });
  const ink = inkOfPrice({ ...edge, minimumSize: 8 });
  t.true((ink?.left ?? 0) >= 249 && (ink?.right ?? 301) <= 300);
  t.throws(() => draw({ x: 300 }), { instanceOf: DrawingError, message: /"19.99" lies outside the label/ });
});

test("decimals keep a readable size", (t) => {
  const { picture } = draw({ size: 20, decimalsPercent: 20, currency: "none", value: "1.88", height: 30 });
  const rows = rowsOf(picture);
  const { right = 0 } = inkOf(picture) ?? {};
  const digit = rows.map((row) => row.slice(right - 4, right)).filter((row) => row.includes("K"));
  t.is(digit.length, 7, "a digit at 8 pixels is 7 high");
});

const covers: [what: string, later: Element][] = [
  ["a box", { kind: "box", x: 30, y: 30, width: 10, height: 30, fill: "white" }],
  ["a line", { kind: "line", x: 0, y: 45, width: 300, height: 1, color: "red" }],
  ["a code's quiet zone", { kind: "ean13", x: 20, y: 40, width: 240, height: 40, value: "3850334020802" }],
];

for (const [what, later] of covers) {
  test(`a price that ${what} covers in part is an error: it would be another price`, (t) => {
    t.throws(() => drawElements([price, later]), { instanceOf: DrawingError, message: /"19.99" is covered/ });
  });
}

test("a price may be on top of an earlier element", (t) => {
  for (const [, earlier] of covers.slice(0, 2)) t.notThrows(() => drawElements([earlier, price]));
});

test("a price in the colour of its background is an error, because it would be invisible", (t) => {
  const background: Element = { kind: "box", x: 0, y: 0, width: 300, height: 120, fill: ["yellow", "black"] };
  t.throws(() => drawElements([background, price]), { instanceOf: DrawingError, message: /"19.99" is invisible/ });
  t.throws(() => draw({ color: "white" }), { instanceOf: DrawingError, message: /"19.99" is invisible/ });
  t.notThrows(() => drawElements([background, { ...price, color: "white" }]));
});
