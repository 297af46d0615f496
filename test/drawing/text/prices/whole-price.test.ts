import { isDeepStrictEqual } from "node:util";
import test from "ava";
import fc from "fast-check";
import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import { DrawingError } from "../../../../drawing/text/drawing-error.ts";
import type { Element } from "../../../../schemas/canvas.ts";
import type { PriceElement } from "../../../../schemas/canvas-texts.ts";
import { drawElements, inkOf, rowsOf } from "../../drawing.ts";
import { draw, inkOfPrice, price } from "./a-price.ts";

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
  t.is(digit.length, 7, "a digit at 8 pixels is 7 pixels tall");
});

const covers: [what: string, later: Element][] = [
  ["a box", { kind: "box", x: 30, y: 30, width: 10, height: 30, fill: "white" }],
  ["a line", { kind: "line", x: 0, y: 45, width: 300, height: 1, color: "red" }],
  ["a code's quiet zone", { kind: "ean13", x: 20, y: 40, width: 240, height: 40, value: "3850334020802" }],
];

for (const [what, later] of covers) {
  test(`a price that ${what} covers in part is an error, since the rest would be a different price`, (t) => {
    t.throws(() => drawElements([price, later]), {
      instanceOf: DrawingError,
      message: new RegExp(`"19.99" is covered by a later element \\(${later.kind} at /elements/1\\)`),
    });
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
