import test from "ava";
import fc from "fast-check";
import { DrawingError } from "../../../../drawing/text/drawing-error.ts";
import type { PriceElement } from "../../../../schemas/canvas-texts.ts";
import { drawElements } from "../../drawing.ts";
import { digitsOf, readAtAny, readPrice } from "./read-price.ts";

const SMALLEST = 8;
const anyPrice = fc
  .tuple(fc.nat({ max: 99_999 }), fc.stringMatching(/^(\.\d{1,4})?$/))
  .map(([integer, decimals]) => ({ integer: String(integer), decimals: decimals.slice(1) }));
const anyLook = fc.record({
  width: fc.integer({ min: 30, max: 300 }),
  height: fc.integer({ min: 12, max: 100 }),
  font: fc.constantFrom<PriceElement["font"]>("regular", "bold", "condensed", "condensed-bold"),
  size: fc.integer({ min: 12, max: 90 }),
  decimalsPercent: fc.integer({ min: 20, max: 90 }),
  align: fc.constantFrom<PriceElement["align"]>("left", "center", "right"),
  verticalAlign: fc.constantFrom<PriceElement["verticalAlign"]>("top", "middle", "bottom"),
});

test("the pixels of a price are exactly its digits, in order, at every size and in every face", (t) => {
  let drawn = 0;
  fc.assert(
    fc.property(anyPrice, anyLook, ({ integer, decimals }, look) => {
      const value = decimals === "" ? integer : `${integer}.${decimals}`;
      const element: PriceElement = { kind: "price", x: 0, y: 0, color: "black", currency: "none", ...look, value };
      const picture = pictureOf(element);
      if (picture === undefined) return;
      drawn += 1;
      const sizes = Array.from({ length: look.size - SMALLEST + 1 }, (_, index) => look.size - index);
      const pairs = sizes.map((size) => [size, Math.max(SMALLEST, Math.round(size * (look.decimalsPercent / 100)))]);
      const read = readAtAny(picture, look.font, pairs);
      t.truthy(read, "all ink belongs to digits and separators");
      const found = digitsOf(read ?? []);
      // Decimals that are as large as the integer are on its baseline, so only their order distinguishes them.
      const isRaised = found.decimals !== "";
      const shown = { integer, decimals: decimals.padEnd(2, "0") };
      t.deepEqual(found, isRaised ? shown : { integer: shown.integer + shown.decimals, decimals: "" });
    }),
    { numRuns: 80 },
  );
  t.true(drawn > 16, "many of these prices fit");
});

function pictureOf(element: PriceElement) {
  try {
    return drawElements([element]).picture;
  } catch (error) {
    if (error instanceof DrawingError) return undefined;
    throw error;
  }
}

test("the price reader of these tests detects a cut, missing or different digit", (t) => {
  const element: PriceElement = {
    kind: "price",
    x: 0,
    y: 0,
    width: 200,
    height: 60,
    font: "bold",
    size: 40,
    currency: "none",
    color: "black",
    value: "12.49",
  };
  const { picture } = drawElements([element]);
  const read = (one: typeof picture) => readPrice(one, "bold", [40, 20]);
  t.deepEqual(digitsOf(read(picture) ?? []), { integer: "12", decimals: "49" });
  const ink = [...picture.pixels.entries()].filter(([, pixel]) => pixel !== 0).map(([index]) => index);
  for (const index of ink.filter((_, at) => at % 40 === 0)) {
    const cut = { ...picture, pixels: picture.pixels.with(index, 0) };
    t.is(read(cut), undefined, `pixel ${index}`);
  }
});
