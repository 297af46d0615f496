import test from "ava";
import fc from "fast-check";
import { Jimp } from "jimp";
import { type Framebuffer, rgb } from "../../../drawing/pixels/framebuffer.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import type { Color } from "../../../schemas/color.ts";

const palettes: Color[][] = [
  ["white", "black"],
  ["black", "white"],
  ["white", "black", "red"],
  ["white", "black", "yellow"],
  ["white", "black", "red", "yellow"],
  ["white", "black", "red", "yellow", "green"],
  ["black", "white", "green", "blue", "red", "yellow", "orange"],
];

const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 41 }),
    height: fc.integer({ min: 1, max: 9 }),
    palette: fc.constantFrom(...palettes),
  })
  .chain(({ width, height, palette }) =>
    fc
      .uint8Array({ min: 0, max: palette.length - 1, minLength: width * height, maxLength: width * height })
      .map((pixels): Framebuffer => ({ width, height, palette, pixels })),
  );

/** The pixels as any viewer shows them: RGBA, four bytes for each pixel. */
const shownOf = ({ palette, pixels }: Framebuffer): number[] =>
  Array.from(pixels).flatMap((index) => [...rgb[palette[index] ?? "white"], 255]);

test("an independent decoder returns exactly the pixels, at any width, with 2 to 7 colours", async (t) => {
  await fc.assert(
    fc.asyncProperty(picture, async (drawn) => {
      const { bitmap } = await Jimp.read(encodePng(drawn));
      t.deepEqual([bitmap.width, bitmap.height], [drawn.width, drawn.height]);
      t.deepEqual([...bitmap.data], shownOf(drawn));
    }),
    { numRuns: 300 },
  );
});

test("the file has exactly the device's palette, in its order, at 1, 2 or 4 bits per pixel", (t) => {
  for (const palette of palettes) {
    const png = encodePng({ width: 3, height: 1, palette, pixels: new Uint8Array(3) });
    const header = png.subarray(png.indexOf("IHDR") + 4);
    const start = png.indexOf("PLTE");
    const colors = png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4));
    t.deepEqual(
      [...colors],
      palette.flatMap((color) => [...rgb[color]]),
    );
    t.is(header[8], palette.length === 2 ? 1 : palette.length <= 4 ? 2 : 4);
    t.is(header[9], 3, "colour type: indexed");
  }
});

test("the same picture encodes to the same file, byte for byte", (t) => {
  fc.assert(
    fc.property(picture, (drawn) => {
      t.deepEqual(encodePng({ ...drawn, pixels: drawn.pixels.slice() }), encodePng(drawn));
    }),
    { numRuns: 50 },
  );
});

test("an empty 800 x 480 label takes less than a kilobyte", (t) => {
  const blank = { width: 800, height: 480, palette: palettes[2] ?? [], pixels: new Uint8Array(800 * 480) };
  t.true(encodePng(blank).length < 1024);
});
