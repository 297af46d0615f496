import test from "ava";
import type { Bitmap } from "../../../drawing/pixels/dither-image.ts";
import { type Fitting, fitImage } from "../../../drawing/pixels/fit-image.ts";

/** An image whose columns are black, red, green and blue. */
const colors = { K: [0, 0, 0, 255], R: [255, 0, 0, 255], G: [0, 255, 0, 255], B: [0, 0, 255, 255] } as const;
const columns = (row: string, height: number): Bitmap => ({
  width: row.length,
  height,
  data: Uint8Array.from(
    Array(height)
      .fill([...row].flatMap((letter) => colors[letter as keyof typeof colors]))
      .flat(),
  ),
});
const firstRow = ({ width, data }: Bitmap): string =>
  Array.from({ length: width }, (_, x) => {
    const at = [...data.subarray(x * 4, x * 4 + 4)].join();
    return Object.entries(colors).find(([, color]) => color.join() === at)?.[0] ?? "?";
  }).join("");

const fitted = (image: Bitmap, width: number, height: number, change: Partial<Fitting> = {}) => {
  const { bitmap, x, y } = fitImage(image, {
    width,
    height,
    fit: "contain",
    align: "center",
    verticalAlign: "middle",
    ...change,
  });
  return { row: firstRow(bitmap), width: bitmap.width, height: bitmap.height, x, y };
};

const cases: [rule: string, change: Partial<Fitting>, expected: object][] = [
  ["contain keeps the whole image, centred in the area", {}, { row: "KRGB", width: 4, height: 2, x: 0, y: 1 }],
  ["the image is aligned to the top", { verticalAlign: "top" }, { y: 0 }],
  ["the image is aligned to the bottom", { verticalAlign: "bottom" }, { y: 2 }],
  ["cover fills the area and clips both sides", { fit: "cover" }, { width: 4, height: 4, x: 0, y: 0 }],
  ["fill stretches the image", { fit: "fill" }, { row: "KRGB", width: 4, height: 4, x: 0, y: 0 }],
  ["none draws the image pixel by pixel", { fit: "none" }, { row: "KRGB", width: 4, height: 2, y: 1 }],
];
for (const [rule, change, expected] of cases)
  test(`fit: ${rule}`, (t) => t.like(fitted(columns("KRGB", 2), 4, 4, change), expected));

const cut: [align: Fitting["align"], row: string][] = [
  ["left", "KR"],
  ["center", "RG"],
  ["right", "GB"],
];
for (const [align, row] of cut) {
  test(`parts that do not fit pixel by pixel are clipped, and the ${align} is kept`, (t) =>
    t.like(fitted(columns("KRGB", 2), 2, 2, { fit: "none", align }), { row, width: 2, height: 2, x: 0, y: 0 }));
  test(`parts that exceed the covered area are clipped, and the ${align} is kept`, (t) =>
    t.like(fitted(columns("KRGB", 2), 2, 2, { fit: "cover", align }), { row, width: 2, height: 2 }));
}

test("an image is never larger than its area, and never empty", (t) => {
  for (const fit of ["contain", "cover", "fill", "none"] as const)
    for (const [width, height] of [
      [1, 300],
      [300, 1],
      [3, 3],
      [1, 1],
    ] as const) {
      const { bitmap, x, y } = fitImage(columns("KRGB".repeat(20), 1), {
        width,
        height,
        fit,
        align: "center",
        verticalAlign: "middle",
      });
      t.true(bitmap.width >= 1 && bitmap.width + x <= width && x >= 0, `${fit} ${width}`);
      t.true(bitmap.height >= 1 && bitmap.height + y <= height && y >= 0, `${fit} ${height}`);
    }
});
