import test from "ava";
import fc from "fast-check";
import {
  type Bitmap,
  type Dithering,
  ditheringFor,
  mapImage,
  TRANSPARENT,
} from "../../../drawing/pixels/dither-image.ts";
import { rgb } from "../../../drawing/pixels/framebuffer.ts";
import { lightOf, toneOf } from "../../../drawing/pixels/light.ts";
import type { Color } from "../../../schemas/color.ts";

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
const dithering = fc.constantFrom<Dithering>("none", "ordered", "diffusion");

const nearest: [name: string, pixel: Pixel, color: Color][] = [
  ["light grey", [200, 200, 200, 255], "white"],
  ["dark grey", [90, 90, 90, 255], "black"],
  ["crimson", [220, 20, 60, 255], "red"],
  ["orange", [255, 165, 0, 255], "yellow"],
  ["navy", [0, 0, 128, 255], "black"],
];

for (const [name, pixel, color] of nearest) {
  test(`${name} is shown as ${color}`, (t) => {
    t.is(ALL[mapImage(evenly(1, pixel), ALL, "none")[0] ?? TRANSPARENT], color);
  });
}

test("a pixel less than half opaque shows what is behind it, whatever its colour", (t) => {
  fc.assert(
    fc.property(channel, channel, channel, channel, dithering, (red, green, blue, alpha, how) => {
      const [index] = mapImage(evenly(1, [red, green, blue, alpha]), ALL, how);
      t.is(index === TRANSPARENT, alpha < 128);
    }),
  );
});

const drawing = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([width, height]) =>
    fc
      .array(fc.nat({ max: ALL.length - 1 }), { minLength: width * height, maxLength: width * height })
      .map((indexes) => ({ width, indexes })),
  );

test("an image in the device's own colours is unchanged, dithered or not", (t) => {
  fc.assert(
    fc.property(drawing, dithering, ({ width, indexes }, how) => {
      const pixels = indexes.map((index): Pixel => [...rgb[ALL[index] ?? "white"], 255]);
      t.deepEqual([...mapImage(bitmapOf(width, pixels), ALL, how)], indexes);
    }),
  );
});

for (const how of ["ordered", "diffusion"] as const) {
  test(`${how} dithering keeps the brightness: an even grey's share of white pixels equals its brightness`, (t) => {
    const SIZE = 40;
    fc.assert(
      fc.property(channel, (grey) => {
        const pixels = mapImage(evenly(SIZE, [grey, grey, grey, 255]), BW, how);
        const white = 1 - pixels.reduce((sum, index) => sum + index, 0) / pixels.length;
        const [light] = lightOf(grey, grey, grey);
        t.true(Math.abs(white - light) < 0.04, `${white} white for grey ${grey}, whose light is ${light}`);
      }),
    );
  });
}

test("half of the light means half of the pixels: for sRGB that is grey 188, not 128", (t) => {
  const white = (grey: number) =>
    mapImage(evenly(64, [grey, grey, grey, 255]), BW, "ordered").filter((index) => index === 0).length / 64 ** 2;
  t.is(white(188), 0.5);
  t.true(white(128) > 0.2 && white(128) < 0.24);
});

test("white and black dots reproduce a colour's brightness without its colour", (t) => {
  for (const pixel of [
    [0, 255, 1, 255],
    [254, 0, 0, 255],
    [60, 90, 200, 255],
  ] as const)
    for (const how of ["ordered", "diffusion"] as const) {
      const pixels = mapImage(evenly(40, pixel), BW, how);
      const white = pixels.filter((index) => index === 0).length / pixels.length;
      const [brightness] = toneOf(lightOf(pixel[0], pixel[1], pixel[2]));
      t.true(Math.abs(white - brightness) < 0.04, `${pixel} ${how}: ${white} white, ${brightness} bright`);
    }
});

test("ordered dithering of an even grey repeats one pattern", (t) => {
  const pixels = mapImage(evenly(16, [100, 100, 100, 255]), BW, "ordered");
  t.true(pixels.every((index, at) => index === pixels[(at % 8) + 16 * (Math.floor(at / 16) % 8)]));
});

/** The dithering that is chosen for images with these contents. */
const contents: [what: string, colorAt: (x: number, y: number) => Pixel, dithering: Dithering][] = [
  ["only white", () => [255, 255, 255, 255], "none"],
  ["only transparency", () => [90, 10, 10, 0], "none"],
  [
    "a logo of two colours on white",
    (x, y) => (x < 20 ? [200, 16, 46, 255] : y < 20 ? [0, 40, 90, 255] : [255, 255, 255, 255]),
    "none",
  ],
  [
    "a disc with smoothed edges",
    (x, y) =>
      Array(3)
        .fill(Math.max(0, Math.min(255, (Math.hypot(x - 32, y - 32) - 20) * 128)))
        .concat(255) as unknown as Pixel,
    "none",
  ],
  ["a gradient from black to white", (x) => [x * 4, x * 4, x * 4, 255], "diffusion"],
  ["a sunset on a white page", (x, y) => (x < 32 ? [255, 255, 255, 255] : [255 - y, 4 * y, 2 * x, 255]), "diffusion"],
];

for (const [what, colorAt, how] of contents) {
  test(`${what} is shown with the dithering "${how}" by default`, (t) => {
    const pixels = Array.from({ length: 64 * 64 }, (_, index) => colorAt(index % 64, Math.floor(index / 64)));
    t.is(ditheringFor(bitmapOf(64, pixels)), how);
  });
}

test("without dithering an even grey stays even", (t) => {
  fc.assert(
    fc.property(channel, (grey) => {
      t.is(new Set(mapImage(evenly(8, [grey, grey, grey, 255]), BW, "none")).size, 1);
    }),
  );
});

test("mapping does not modify the given image", (t) => {
  const image = evenly(8, [120, 120, 120, 255]);
  const before = image.data.slice();
  mapImage(image, BW, "diffusion");
  t.deepEqual(image.data, before);
});
