import test from "ava";
import fc from "fast-check";
import { Jimp } from "jimp";
import type { Framebuffer } from "../../../../../drawing/pixels/framebuffer.ts";
import { rotatePicture } from "../../../../../drawing/pixels/rotate.ts";
import { type Color, colors } from "../../../../../schemas/color.ts";
import {
  encodeJpeg,
  misfitOf,
  turnedFor,
} from "../../../../../workers/transmitter/drivers/openepaperlink/tag-picture.ts";

/** The palettes of tags on the market. */
const palettes: Color[][] = [
  ["white", "black"],
  ["white", "black", "red"],
  ["white", "black", "yellow"],
  ["white", "black", "red", "yellow"],
  ["black", "white", "yellow", "red"],
  ["black", "white", "green", "blue", "red", "yellow", "orange"],
  ["black", "white", "yellow", "red", "orange", "blue", "green"],
];
const valuesOf = (palette: readonly Color[]) => Object.fromEntries(palette.map((color) => [color, colors[color].rgb]));

/** An access point's rendering of a JPEG without dithering: the palette's nearest colour for each pixel. */
async function mapped(jpeg: Buffer, palette: readonly Color[]): Promise<Uint8Array> {
  const { bitmap } = await Jimp.read(jpeg);
  const distance = (at: number, color: Color) =>
    colors[color].rgb.reduce<number>((sum, part, index) => sum + (part - (bitmap.data[at + index] ?? 0)) ** 2, 0);
  return Uint8Array.from({ length: bitmap.width * bitmap.height }, (_, pixel) => {
    const distances = palette.map((color) => distance(4 * pixel, color));
    return distances.indexOf(Math.min(...distances));
  });
}

for (const palette of palettes) {
  test(`a JPEG in ${palette.join(", ")} decodes to each original pixel`, async (t) => {
    const picture = fc
      .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })
      .chain(({ width, height }) =>
        fc.record({
          ...{ width: fc.constant(width), height: fc.constant(height), palette: fc.constant(palette) },
          pixels: fc.uint8Array({
            min: 0,
            max: palette.length - 1,
            minLength: width * height,
            maxLength: width * height,
          }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(picture, async (framebuffer) => {
        const jpeg = await encodeJpeg(framebuffer, valuesOf(palette));
        t.deepEqual(await mapped(jpeg, palette), framebuffer.pixels);
      }),
      { numRuns: 25 },
    );
  });
}

test("the JPEG stores every colour component for each pixel (4:4:4)", async (t) => {
  const jpeg = await encodeJpeg(
    { width: 8, height: 8, palette: ["white"], pixels: new Uint8Array(64) },
    valuesOf(["white"]),
  );
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  t.deepEqual(
    [11, 14, 17].map((at) => jpeg[frame + at]),
    [0x11, 0x11, 0x11],
  );
});

const type = { name: "M3 2.9", width: 4, height: 2, colors: valuesOf(["white", "black", "red"]) };
const picture = (width: number, height: number, palette: Color[] = ["white", "black"]): Framebuffer => ({
  ...{ width, height, palette },
  pixels: Uint8Array.from({ length: width * height }, (_, index) => index % 2),
});

test("a picture of the tag's size is sent unchanged, and a picture for a label that hangs upright is turned", (t) => {
  t.is(misfitOf(picture(4, 2), type) ?? misfitOf(picture(2, 4), type), undefined);
  t.deepEqual(turnedFor(picture(4, 2), type), picture(4, 2));
  t.deepEqual(turnedFor(picture(2, 4), type), rotatePicture(picture(2, 4), 90));
});

test("a picture of a different size or with an unsupported colour is refused, and the reason says what would fit", (t) => {
  t.regex(misfitOf(picture(4, 3), type) ?? "", /^the picture has 4 x 3 pixels, but the tag "M3 2.9" takes 4 x 2/);
  t.regex(misfitOf(picture(4, 2, ["white", "green"]), type) ?? "", /has no green, only white, black, red/);
});
