import test from "ava";
import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import { advanceOf } from "../../../../drawing/text/fonts.ts";
import { type Typeface, typefaces } from "../../../../schemas/canvas-parts.ts";
import type { PriceElement, TextElement } from "../../../../schemas/canvas-texts.ts";
import { drawElements } from "../../drawing.ts";

const DIGITS = [..."0123456789"];
const LEFT = 10;
const sizesOf = (face: Typeface) => (face === "narrow" ? [64, 65, 66, 72, 96] : [20, 21, 22, 23, 24, 28, 36, 48]);
/** Prices that put a digit before and after the middle, at each position at which the line has a different height. */
const prices: readonly ((digit: string) => string)[] = [
  (d) => `${d}.${d}${d}`,
  (d) => `1${d}.${d}${d}`,
  (d) => `1${d}${d}.${d}${d}`,
];
/** Any other digit must be at least this many times as far away. */
const MARGIN = 1.1;

const draw = (value: string, look: Partial<PriceElement> & { size: number }): Framebuffer =>
  drawElements(
    [
      {
        ...{ kind: "price", x: LEFT, y: 4, width: 6 * look.size, height: 2 * look.size, font: "regular" },
        ...{ color: "black", currency: "none", value, decimalsPercent: 100 },
        ...look,
      },
    ],
    { width: 7 * look.size + LEFT, height: 2 * look.size + 8, colors: ["white", "black"] },
  ).picture;

/** The picture without its line, since the eye distinguishes a line from letters that it does not touch. */
function withoutLine(picture: Framebuffer): Framebuffer {
  const { width, height } = picture;
  const pixels = picture.pixels.slice();
  const columns = Array.from({ length: width }, (_, x) => x);
  const rowAt = (x: number) => Array.from({ length: height }, (_, y) => y).find((y) => pixels[y * width + x] !== 0);
  const first = columns.find((x) => rowAt(x) !== undefined) ?? 0;
  const pending: [x: number, y: number][] = [[first, rowAt(first) ?? 0]];
  for (let point = pending.pop(); point; point = pending.pop()) {
    const [x, y] = point;
    if (x < 0 || y < 0 || x >= width || y >= height || pixels[y * width + x] === 0) continue;
    pixels[y * width + x] = 0;
    for (const across of [-1, 0, 1]) for (const down of [-1, 0, 1]) pending.push([x + across, y + down]);
  }
  return { ...picture, pixels };
}

const digitsIn = (value: string): string => value.replace(".", "");

/** The columns of each digit of a price. */
function columnsOf(value: string, face: Typeface, size: number): [from: number, to: number][] {
  let pen = LEFT;
  return [...value.replace(".", ",")].flatMap((character): [number, number][] => {
    const from = pen;
    pen += advanceOf(face, character) * size;
    return character === "," ? [] : [[Math.round(from), Math.round(pen)]];
  });
}

function distance(one: Framebuffer, other: Framebuffer, [from, to]: [number, number]): number {
  let differing = 0;
  for (let y = 0; y < one.height; y += 1)
    for (let x = from; x < to; x += 1)
      if (one.pixels[y * one.width + x] !== other.pixels[y * other.width + x]) differing += 1;
  return differing;
}

for (const font of typefaces)
  test(`each digit of a struck price is nearest to itself in ${font}, from ${sizesOf(font)[0]} pixels on`, (t) => {
    for (const size of sizesOf(font))
      for (const price of prices) {
        const plain = DIGITS.map((digit) => draw(price(digit), { font, size }));
        for (const [digit, own] of plain.entries())
          for (const struck of [true, "middle"] as const) {
            const value = price(`${digit}`);
            const read = withoutLine(draw(value, { font, size, struck }));
            for (const [place, columns] of columnsOf(value, font, size).entries()) {
              if (digitsIn(price("0"))[place] === digitsIn(price("8"))[place]) continue;
              const others = plain.filter((_, index) => index !== digit);
              const nearest = Math.min(...others.map((other) => distance(read, other, columns)));
              const itself = distance(read, own, columns);
              if (nearest < MARGIN * itself)
                t.fail(`${value} at ${size}, struck ${struck}, digit ${place}: ${itself} and ${nearest}`);
            }
          }
      }
    t.pass();
  });

const warned = 'the struck price "1.02" is drawn at 19 pixels: below 20 pixels it may be misread';

test("a struck price so small that it may be misread is reported", (t) => {
  const element: PriceElement = {
    ...{ kind: "price", x: 4, y: 4, width: 200, height: 60, font: "regular", color: "black", value: "1.02" },
    ...{ size: 19, struck: true },
  };
  const told = (more: Partial<PriceElement>, colors?: ["white", "black"]) =>
    drawElements([{ ...element, ...more }], colors && { colors }).warnings;
  t.deepEqual(told({}), [warned]);
  t.deepEqual(told({ size: 20 }), []);
  t.deepEqual(told({ size: 30, decimalsPercent: 50 }), [warned.replace("19", "15")], "its decimals are small");
  t.deepEqual(told({ struckColor: "red" }), [], "a line of another colour is drawn behind the digits");
  t.deepEqual(told({ struckColor: ["red", "black"] }, ["white", "black"]), [warned], "the label has no red");
  t.deepEqual(told({ struck: false }), []);
});

test("a price in struck text is reported as well, but a struck name is not", (t) => {
  const text: TextElement = {
    ...{ kind: "text", x: 4, y: 4, width: 200, height: 60, font: "regular", color: "black", text: "1,02 €" },
    ...{ size: 14, struck: true },
  };
  t.deepEqual(drawElements([text]).warnings, [warned.replace("1.02", "1,02 €").replace("19", "14")]);
  t.deepEqual(drawElements([{ ...text, text: "prije ", runs: [{ text: "1,02 €" }] }]).warnings.length, 1);
  t.deepEqual(drawElements([{ ...text, text: "NOVO" }]).warnings, []);
});

test("a struck price's decimals are as large as its integer by default if there is space", (t) => {
  const look = { size: 30, struck: true } as const;
  t.deepEqual(
    draw("1.02", { ...look }),
    drawElements(
      [
        {
          ...{
            kind: "price",
            x: LEFT,
            y: 4,
            width: 180,
            height: 60,
            font: "regular",
            color: "black",
            currency: "none",
            value: "1.02",
          },
          ...look,
        },
      ],
      { width: 220, height: 68, colors: ["white", "black"] },
    ).picture,
  );
  const narrow: PriceElement = {
    ...{ kind: "price", x: 4, y: 4, width: 50, height: 40, font: "regular", color: "black", value: "123.45" },
    ...{ size: 20, minimumSize: 16, currency: "none", struck: true },
  };
  t.notThrows(() => drawElements([narrow]), "small decimals are better than no price");
});

test("the outline separates a line only from the letters that it strikes", (t) => {
  const background = { kind: "box", x: 0, y: 0, width: 300, height: 120, fill: "red" } as const;
  const price: PriceElement = {
    ...{ kind: "price", x: 4, y: 4, width: 200, height: 60, font: "bold", color: "white", value: "1.02" },
    ...{ size: 40, struck: true },
  };
  const { picture } = drawElements([background, price]);
  t.false(picture.pixels.includes(picture.palette.indexOf("black")));
  const label = {
    kind: "text",
    x: 4,
    y: 52,
    width: 200,
    height: 14,
    font: "regular",
    size: 10,
    color: "white",
    text: "prije",
  } as const;
  const alone = drawElements([background, label]).picture;
  const both = drawElements([background, label, price]).picture;
  const white = alone.palette.indexOf("white");
  t.true(alone.pixels.every((pixel, index) => pixel !== white || both.pixels[index] === white));
});

test("a struck price with separated digits does not count as covered", (t) => {
  const price: PriceElement = {
    ...{ kind: "price", x: 4, y: 4, width: 200, height: 60, font: "bold", color: "black", value: "1.02" },
    ...{ size: 40, struck: true },
  };
  t.notThrows(() => drawElements([price, { kind: "box", x: 4, y: 60, width: 200, height: 4, fill: "red" }]));
  t.throws(() => drawElements([price, { kind: "box", x: 4, y: 20, width: 200, height: 4, fill: "red" }]), {
    message: /is covered by a later element/,
  });
});
