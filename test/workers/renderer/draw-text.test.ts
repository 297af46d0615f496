import { isDeepStrictEqual } from "node:util";
import test from "ava";
import fc from "fast-check";
import type { PriceElement, TextElement } from "../../../schemas/canvas.ts";
import { DrawingError } from "../../../workers/renderer/draw-text.ts";
import type { Framebuffer } from "../../../workers/renderer/framebuffer.ts";
import { drawElements, inkOf } from "./drawing.ts";

const area = { x: 20, y: 20, width: 200, height: 60 };
const text: TextElement = { kind: "text", ...area, font: "bold", size: 20, text: "Hmm", color: "black" };
const price: PriceElement = { kind: "price", ...area, font: "bold", size: 60, value: "19.99", color: "black" };
const NOBODYS = "\u{10fffd}";

const inkOfText = (more: Partial<TextElement>) => inkOf(drawElements([{ ...text, ...more }]).picture);
const inkOfPrice = (more: Partial<PriceElement>) => inkOf(drawElements([{ ...price, ...more }]).picture);
const center = (ink: ReturnType<typeof inkOf>) => [
  ((ink?.left ?? 0) + (ink?.right ?? 0)) / 2,
  ((ink?.top ?? 0) + (ink?.bottom ?? 0)) / 2,
];
const near = (one: number | undefined, other: number) => Math.abs((one ?? Number.NaN) - other);

for (const [kind, inkOfKind] of [
  ["text", inkOfText],
  ["price", inkOfPrice],
] as const) {
  test(`a ${kind} stands at the left, in the middle or at the right of its area`, (t) => {
    t.true(near(inkOfKind({})?.left, 20) <= 7);
    t.deepEqual(inkOfKind({ align: "left" }), inkOfKind({}));
    t.true(near(center(inkOfKind({ align: "center" }))[0], 120) <= 4);
    t.true(near(inkOfKind({ align: "right" })?.right, 220) <= 5);
  });

  test(`a ${kind} stands at the top, in the middle or at the bottom of its area`, (t) => {
    const tall = { height: 90, size: 24 };
    t.true(near(inkOfKind(tall)?.top, 20) <= 6);
    t.deepEqual(inkOfKind({ ...tall, verticalAlign: "top" }), inkOfKind(tall));
    t.true(near(center(inkOfKind({ ...tall, verticalAlign: "middle" }))[1], 65) <= 4);
    t.true(near(inkOfKind({ ...tall, verticalAlign: "bottom" })?.bottom, 110) <= 6);
  });

  test(`a ${kind} that is too wide at its size shrinks until it fits`, (t) => {
    const ink = inkOfKind({ width: 40, minimumSize: 4 });
    t.true(ink && ink.left >= 20 && ink.right <= 60);
  });
}

test("a text that does not fit at its smallest size is cut, drawn inside its area, and told", (t) => {
  const { picture, warnings } = drawElements([
    { ...text, text: "Domaći kruh iz krušne peći", width: 60, minimumSize: 16 },
  ]);
  const ink = inkOf(picture);
  t.true(ink && ink.left >= 20 && ink.right <= 80);
  t.deepEqual(warnings, ['"Domaći kruh iz krušne peći" is cut: it does not fit at 16 pixels']);
});

test("a text may take several lines", (t) => {
  const long = { text: "Domaći kruh iz krušne peći", width: 160, minimumSize: 20 };
  const [one, two] = [inkOfText(long), inkOfText({ ...long, lines: 2 })];
  t.true((two?.bottom ?? 0) - (one?.bottom ?? 0) > 15);
});

test("a character that the font lacks is told, in a text and in a price", (t) => {
  const told = [`the font has no "${NOBODYS}"`];
  t.deepEqual(drawElements([{ ...text, text: `a${NOBODYS}` }]).warnings, told);
  t.deepEqual(drawElements([{ ...price, value: `1${NOBODYS}` }]).warnings.slice(0, 1), told);
});

test("a price that is no number is drawn as it was sent, and told", (t) => {
  const { picture, warnings } = drawElements([{ ...price, value: "na upit" }]);
  t.truthy(inkOf(picture));
  t.deepEqual(warnings, ['the price "na upit" is no number: it is shown as it was sent']);
});

test("a price that does not fit at its smallest size is an error that names it, never a cut price", (t) => {
  for (const tooSmall of [{ width: 60 }, { height: 30 }]) {
    const element = { ...price, ...tooSmall, value: "1234.56", minimumSize: 40 };
    t.throws(() => drawElements([element]), { instanceOf: DrawingError, message: /"1234.56" does not fit/ });
  }
});

test("a price without its value is left out, and the value named", (t) => {
  const { picture, warnings } = drawElements([{ ...price, value: "${item.price}" }]);
  t.is(inkOf(picture), undefined);
  t.deepEqual(warnings, ["${item.price} has no value"]);
});

test("decimals and currency are as large as the design says", (t) => {
  const widthOf = (decimalsPercent?: number) => {
    const ink = inkOfPrice(decimalsPercent === undefined ? {} : { decimalsPercent });
    return (ink?.right ?? 0) - (ink?.left ?? 0);
  };
  t.true(widthOf(20) < widthOf(50) && widthOf(50) < widthOf(100));
  t.is(widthOf(), widthOf(50));
});

for (const [where, decimalsPercent] of [
  ["below small decimals", 40],
  ["behind large ones", 80],
] as const) {
  test(`the currency is drawn ${where}`, (t) => {
    const inCurrency = (currency: string) =>
      drawElements([{ ...price, decimalsPercent }], { store: { locale: "hr-HR", currency } }).picture;
    t.notDeepEqual(inCurrency("EUR"), inCurrency("GBP"));
  });
}

test("a struck price has a line through all of it", (t) => {
  const { picture } = drawElements([{ ...price, struck: true }]);
  const plain = inkOf(drawElements([price]).picture);
  const rows = Array.from({ length: picture.height }, (_, y) =>
    picture.pixels.subarray(y * picture.width + (plain?.left ?? 0), y * picture.width + (plain?.right ?? 0)),
  );
  t.true(rows.some((row) => row.every((pixel) => pixel === 1)));
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
  align: fc.constantFrom("left", "center", "right"),
  verticalAlign: fc.constantFrom("top", "middle", "bottom"),
});
/** Round digits and the euro reach a little above the height of flat ones. */
const OVERSHOOT = 2;

const priceLaw = (name: string, holds: (element: PriceElement, picture: Framebuffer | undefined) => boolean) =>
  test(name, (t) => {
    fc.assert(
      fc.property(anyPrice, anyLook, (value, look) => {
        const element = { ...price, ...look, value } as PriceElement;
        return holds(element, pictureOf(element));
      }),
      { numRuns: 300 },
    );
    t.pass();
  });

priceLaw("a price is drawn inside its area, or not at all", ({ width, height }, picture) => {
  const ink = picture && inkOf(picture);
  if (picture === undefined) return true;
  if (ink === undefined) return false;
  return ink.left >= 20 && ink.right <= 20 + width && ink.top >= 20 - OVERSHOOT && ink.bottom <= 20 + height;
});

priceLaw("a price is drawn at the largest size at which it fits", (element, picture) => {
  const sizes = Array.from({ length: Math.max(0, element.size - 11) }, (_, place) => element.size - place);
  const allowed = sizes.filter((size) => size >= (element.minimumSize ?? 0) || size === element.size);
  const largest = allowed.map((size) => pictureOf({ ...element, size, minimumSize: size })).find(Boolean);
  return isDeepStrictEqual(largest, picture);
});

/** A price in a store whose currency has no sign; undefined where it is not drawn. */
function pictureOf(element: PriceElement): Framebuffer | undefined {
  try {
    return drawElements([element], { store: { locale: "hr-HR", currency: "CHF" } }).picture;
  } catch (error) {
    if (error instanceof DrawingError) return undefined;
    throw error;
  }
}

test("a price whose area leaves the label must fit on the label, or is not drawn", (t) => {
  const edge = { ...price, x: 250, width: 200, size: 40, minimumSize: 30 };
  t.throws(() => drawElements([edge]), { instanceOf: DrawingError });
  const ink = inkOfPrice({ ...edge, minimumSize: 8 });
  t.true((ink?.left ?? 0) >= 249 && (ink?.right ?? 301) <= 300);
});

test("decimals keep a size at which they can be read", (t) => {
  const tiny = drawElements([{ ...price, size: 20, decimalsPercent: 20 }]).picture;
  const whole = drawElements([{ ...price, size: 20, decimalsPercent: 20, value: "19" }], {
    store: { locale: "ja-JP", currency: "JPY" },
  });
  t.true((inkOf(tiny)?.right ?? 0) - (inkOf(whole.picture)?.right ?? 0) >= 8);
});
