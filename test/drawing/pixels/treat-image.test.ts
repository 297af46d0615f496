import test from "ava";
import type { Bitmap } from "../../../drawing/pixels/dither-image.ts";
import { mapTreated, type Treatment } from "../../../drawing/pixels/treat-image.ts";
import type { Color } from "../../../schemas/color.ts";

const palette: Color[] = ["white", "black", "red"];
/** Greys from black to white, then a transparent pixel. */
const greys: Bitmap = {
  width: 6,
  height: 1,
  data: Uint8Array.from([0, 64, 128, 192, 255].flatMap((grey) => [grey, grey, grey, 255]).concat([0, 0, 0, 0])),
};
const letters = (treatment: Partial<Treatment>): string =>
  Array.from(
    mapTreated(greys, palette, {
      invert: false,
      threshold: undefined,
      dithering: "none",
      tint: undefined,
      ...treatment,
    }),
    (index) => ["W", "K", "R"][index] ?? ".",
  ).join("");

const rules: [rule: string, treatment: Partial<Treatment>, shown: string][] = [
  ["without a treatment each pixel becomes the most similar colour", {}, "KKWWW."],
  ["pixels darker than the threshold are black", { threshold: 70 }, "KKKWW."],
  ["a low threshold keeps only the darkest pixels", { threshold: 20 }, "KWWWW."],
  ["the highest threshold keeps all but white", { threshold: 100 }, "KKKKW."],
  ["inverting swaps light and dark, and keeps transparency", { invert: true }, "WWWKK."],
  ["inverting precedes the threshold", { invert: true, threshold: 95 }, "WKKKK."],
  ["with one colour, dark parts have that colour and light parts are transparent", { tint: 2 }, "RR...."],
  ["with one colour, the design's threshold applies", { tint: 2, threshold: 70 }, "RRR..."],
];
for (const [rule, treatment, shown] of rules) test(`an image: ${rule}`, (t) => t.is(letters(treatment), shown));

test("shades of one colour become dots of that colour", (t) => {
  const grey = { width: 16, height: 16, data: Uint8Array.from(Array(256).fill([188, 188, 188, 255]).flat()) };
  const pixels = mapTreated(grey, palette, { invert: false, threshold: undefined, dithering: "ordered", tint: 2 });
  const inked = pixels.filter((index) => index === 2).length;
  t.deepEqual([...new Set(pixels)].toSorted(), [2, 255]);
  t.true(Math.abs(inked - 128) <= 8, `${inked} of 256`);
});
