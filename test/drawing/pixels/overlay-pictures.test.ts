import test from "ava";
import fc from "fast-check";
import type { Framebuffer } from "../../../drawing/pixels/framebuffer.ts";
import { overlayPictures } from "../../../drawing/pixels/overlay-pictures.ts";
import { encodePng } from "../../../drawing/pixels/png.ts";
import { readPicture } from "../../../drawing/pixels/read-picture.ts";
import type { Color } from "../../../schemas/color.ts";

const palette: Color[] = ["white", "black", "red"];
/** A picture with one row: `.` is a pixel without ink. */
const row = (text: string): Framebuffer => ({
  width: text.length,
  height: 1,
  palette,
  pixels: Uint8Array.from(text, (letter) => ".KR".indexOf(letter)),
});
const textOf = ({ pixels }: Framebuffer): string => Array.from(pixels, (pixel) => ".KR"[pixel]).join("");

const rules: [rule: string, pictures: [string, ...string[]], shown: string, leftOut: number[]][] = [
  ["each position's ink is shown in its colours", ["KR....", "..RK.."], "KRRK..", []],
  ["a picture with ink where an earlier one has ink is omitted as a whole", ["KK....", ".R..R."], "KK....", [1]],
  ["overlapping ink is omitted even if both pictures have the same colour", ["KK....", ".K..K."], "KK....", [1]],
  ["pictures after an omitted one are still shown", ["KK....", ".R..R.", "....R."], "KK..R.", [1]],
  ["a blank picture takes no space", ["......", "KRKRKR"], "KRKRKR", []],
  ["a picture of another size is omitted", ["K.....", "...."], "K.....", [1]],
];
for (const [rule, pictures, shown, leftOut] of rules) {
  test(rule, (t) => {
    const [first, ...others] = pictures;
    const composed = overlayPictures([row(first), ...others.map(row)]);
    t.is(textOf(composed.picture), shown);
    t.deepEqual(composed.leftOut, leftOut);
  });
}

test("composing does not modify the pictures", (t) => {
  const pictures: [Framebuffer, Framebuffer] = [row("K.."), row("..R")];
  overlayPictures(pictures);
  t.deepEqual(pictures.map(textOf), ["K..", "..R"]);
});

test("pictures with ink on different pixels are shown in full, in any order", (t) => {
  const owned = fc.array(fc.tuple(fc.nat(3), fc.nat(2)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(owned, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (areas, order) => {
      const pictureOf = (owner: number): Framebuffer => ({
        ...row(".".repeat(areas.length)),
        pixels: Uint8Array.from(areas, ([by, color]) => (by === owner ? color : 0)),
      });
      const [first = 0, ...others] = order;
      const { picture, leftOut } = overlayPictures([pictureOf(first), ...others.map(pictureOf)]);
      t.deepEqual(leftOut, []);
      t.deepEqual(
        [...picture.pixels],
        areas.map(([, color]) => color),
      );
    }),
  );
});

test("an encoded picture is read back pixel by pixel", (t) => {
  const palettes: Color[][] = [
    ["white", "black"],
    ["white", "black", "red"],
    ["white", "black", "yellow"],
    ["white", "black", "red", "yellow"],
  ];
  const pictures = fc
    .record({
      width: fc.integer({ min: 1, max: 33 }),
      height: fc.integer({ min: 1, max: 9 }),
      palette: fc.constantFrom(...palettes),
    })
    .chain((size) =>
      fc
        .uint8Array({
          minLength: size.width * size.height,
          maxLength: size.width * size.height,
          max: size.palette.length - 1,
        })
        .map((pixels): Framebuffer => ({ ...size, pixels })),
    );
  fc.assert(
    fc.property(pictures, (picture) => {
      t.deepEqual(readPicture(encodePng({ ...picture, pixels: Uint8Array.from(picture.pixels) })), {
        ...picture,
        pixels: Uint8Array.from(picture.pixels),
      });
    }),
  );
});

test("a file that the renderer did not draw is refused", (t) => {
  t.throws(() => readPicture(Buffer.from("no picture")), { message: /only PNG/ });
  t.throws(() => readPicture(encodePng(row("K")).subarray(0, 8)), { message: /without header/ });
});
