import test from "ava";
import fc from "fast-check";
import { DrawingError } from "../../../drawing/text/drawing-error.ts";
import type { Element } from "../../../schemas/canvas.ts";
import type { Color } from "../../../schemas/color.ts";
import { drawElements } from "../drawing.ts";

const kinds = ["ean13", "ean8", "upca", "code128", "gs1-128", "qr", "gs1-datamatrix"] as const;
const anywhere = {
  x: fc.oneof(fc.integer({ min: -30, max: 120 }), fc.constantFrom(-4096, 4096)),
  y: fc.oneof(fc.integer({ min: -30, max: 80 }), fc.constantFrom(-4096, 4096)),
  width: fc.oneof(fc.integer({ min: 1, max: 150 }), fc.constant(4096)),
  height: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.constant(4096)),
};
const color = fc.constantFrom<Color>("white", "black", "red", "yellow", "orange");
const style = {
  ...anywhere,
  font: fc.constantFrom("regular", "bold", "condensed", "condensed-bold"),
  size: fc.oneof(fc.integer({ min: 4, max: 60 }), fc.constantFrom(4, 1024)),
  minimumSize: fc.integer({ min: 4, max: 60 }),
  align: fc.constantFrom("left", "center", "right"),
  verticalAlign: fc.constantFrom("top", "middle", "bottom"),
  color,
};
const template = fc.constantFrom("${item.a}", "${item.b}", "${price(item.a)}", "x${item.c}");
const thickness = fc.integer({ min: 1, max: 64 });
const element = fc.oneof(
  fc.record({
    kind: fc.constant("text"),
    ...style,
    text: template,
    lines: fc.integer({ min: 1, max: 20 }),
    whole: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("price"),
    ...style,
    value: template,
    struck: fc.boolean(),
    decimalsPercent: fc.integer({ min: 20, max: 100 }),
  }),
  fc.record({
    kind: fc.constant("box"),
    ...anywhere,
    fill: color,
    stroke: color,
    thickness,
    radius: fc.nat({ max: 2048 }),
  }),
  fc.record({ kind: fc.constant("line"), ...anywhere, color, thickness }),
  fc.record({
    kind: fc.constantFrom(...kinds),
    ...anywhere,
    value: template,
    smallestModule: fc.integer({ min: 1, max: 20 }),
  }),
) as fc.Arbitrary<Element>;
const value = fc.oneof(
  fc.constantFrom("3850334020802", "40170725", "(01)09501101530003", "1234.56", "-0.5", "Domaći kruh"),
  fc.string({ unit: "binary", maxLength: 40 }),
);

test("a valid design with any values is drawn or reports a fault, and every pixel has one of the label's colours", (t) => {
  const colors: Color[] = ["white", "black", "red"];
  fc.assert(
    fc.property(fc.array(element, { maxLength: 8 }), fc.record({ a: value, b: value }), (elements, item) => {
      try {
        const { picture, errors, warnings } = drawElements(elements, { width: 97, height: 53, colors, item });
        t.true(picture.pixels.length === 97 * 53 && picture.pixels.every((pixel) => pixel < colors.length));
        t.true([...errors, ...warnings].every((warning) => typeof warning === "string" && warning !== ""));
      } catch (error) {
        if (!(error instanceof DrawingError)) throw error;
      }
    }),
    { numRuns: 150 },
  );
});
