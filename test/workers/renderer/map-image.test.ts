import test from "ava";
import fc from "fast-check";
import type { Color } from "../../../schemas/tenant.ts";
import { rgb } from "../../../workers/renderer/framebuffer.ts";
import { type Bitmap, mapImage, TRANSPARENT } from "../../../workers/renderer/map-image.ts";

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];
const bitmapOf = (width: number, pixels: readonly Pixel[]): Bitmap => ({
  width,
  height: pixels.length / width,
  data: Uint8Array.from(pixels.flat()),
});
const evenly = (size: number, pixel: Pixel): Bitmap => bitmapOf(size, Array<Pixel>(size * size).fill(pixel));

const BW: Color[] = ["white", "black"];
const ALL: Color[] = ["white", "black", "red", "yellow"];
const channel = fc.integer({ min: 0, max: 255 });

const nearest: [name: string, pixel: Pixel, color: Color][] = [
  ["light grey", [200, 200, 200, 255], "white"],
  ["dark grey", [90, 90, 90, 255], "black"],
  ["crimson", [220, 20, 60, 255], "red"],
  ["orange", [255, 165, 0, 255], "yellow"],
  ["navy", [0, 0, 128, 255], "black"],
];

for (const [name, pixel, color] of nearest) {
  test(`${name} is shown as ${color}`, (t) => {
    t.is(ALL[mapImage(evenly(1, pixel), ALL, false)[0] ?? TRANSPARENT], color);
  });
}

test("a pixel that is less than half opaque shows what is behind it, whatever its colour", (t) => {
  fc.assert(
    fc.property(channel, channel, channel, channel, fc.boolean(), (red, green, blue, alpha, dither) => {
      const [place] = mapImage(evenly(1, [red, green, blue, alpha]), ALL, dither);
      t.is(place === TRANSPARENT, alpha < 128);
    }),
  );
});

const drawing = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([width, height]) =>
    fc
      .array(fc.nat({ max: ALL.length - 1 }), { minLength: width * height, maxLength: width * height })
      .map((places) => ({ width, places })),
  );

test("an image in the device's own colours comes out unchanged, dithered or not", (t) => {
  fc.assert(
    fc.property(drawing, fc.boolean(), ({ width, places }, dither) => {
      const pixels = places.map((place): Pixel => [...rgb[ALL[place] ?? "white"], 255]);
      t.deepEqual([...mapImage(bitmapOf(width, pixels), ALL, dither)], places);
    }),
  );
});

test("dithering keeps the mean: an even grey has as much black as it is dark", (t) => {
  const SIZE = 40;
  fc.assert(
    fc.property(channel, (grey) => {
      const pixels = mapImage(evenly(SIZE, [grey, grey, grey, 255]), BW, true);
      const black = pixels.reduce((sum, place) => sum + place, 0) / pixels.length;
      t.true(Math.abs(black - (1 - grey / 255)) < 0.04, `${black} black for grey ${grey}`);
    }),
  );
});

test("without dithering an even grey stays even", (t) => {
  fc.assert(
    fc.property(channel, (grey) => {
      t.is(new Set(mapImage(evenly(8, [grey, grey, grey, 255]), BW, false)).size, 1);
    }),
  );
});

test("the image that is given stays as it is", (t) => {
  const image = evenly(8, [120, 120, 120, 255]);
  const before = image.data.slice();
  mapImage(image, BW, true);
  t.deepEqual(image.data, before);
});
