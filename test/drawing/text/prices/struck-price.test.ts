import test from "ava";
import type { Framebuffer } from "../../../../drawing/pixels/framebuffer.ts";
import type { Element } from "../../../../schemas/canvas.ts";
import type { PriceElement } from "../../../../schemas/canvas-texts.ts";
import { drawElements, rowsOf } from "../../drawing.ts";
import { draw, inkOfPrice, near, price } from "./a-price.ts";

/** The red line of a struck-through price: the rows that it occupies in each column. */
function lineOf(more: Partial<PriceElement>): Map<number, number[]> {
  const rows = rowsOf(draw({ struckColor: "red", value: "88.88", currency: "none", ...more }).picture);
  const columns = Array.from({ length: 300 }, (_, x) => x).map((x): [number, number[]] => [
    x,
    [...rows.keys()].filter((y) => rows[y]?.[x] === "R"),
  ]);
  return new Map(columns.filter(([, found]) => found.length > 0));
}
const middleOf = (rows: readonly number[]): number => (Math.min(...rows) + Math.max(...rows)) / 2;

test("a struck price has a line through the middle of its digits, and another through raised decimals", (t) => {
  const { left = 0, right = 0, top = 0 } = inkOfPrice({ value: "88.88", currency: "none" }) ?? {};
  const line = lineOf({ struck: "middle", decimalsPercent: 50 });
  const [first, last] = [Math.min(...line.keys()), Math.max(...line.keys())];
  t.true(first <= left && last >= right - 1);
  t.true(near(middleOf(line.get(first) ?? []), top + 22) <= 1, "digits at 60 are 44 tall");
  t.true(near(middleOf(line.get(last) ?? []), top + 11) <= 1, "decimals at 30 are 22 tall");
});

test("a diagonal goes from the lower left of the digits to the upper right, inside the area", (t) => {
  const { left = 0, right = 0, top = 0 } = inkOfPrice({ value: "88.88", currency: "none" }) ?? {};
  const line = lineOf({ struck: "diagonal" });
  const [first, last] = [Math.min(...line.keys()), Math.max(...line.keys())];
  t.true(first <= left && last >= right - 1 && first >= 19 && last <= 220);
  t.true(near(middleOf(line.get(first) ?? []), top + 43) <= 2);
  t.true(near(middleOf(line.get(last) ?? []), top) <= 3);
});

test("the amount in a second currency has a strike line of its own", (t) => {
  const rowsUnder = (struck: "middle" | "diagonal", more: Partial<PriceElement> = {}) => {
    const second = { currencyCode: "BGN", rate: "2" };
    const rows = rowsOf(
      draw({ struck, struckColor: "red", value: "88.88", currency: "none", second, ...more }).picture,
    );
    return [...rows.keys()].filter((y) => rows[y]?.includes("R"));
  };
  for (const struck of ["middle", "diagonal"] as const) {
    const own = [...lineOf({ struck, size: 40 }).values()].flat();
    const both = rowsUnder(struck, { size: 40 });
    t.true(Math.max(...both) > Math.max(...own) + 4, struck);
  }
});

test("a struck price without a set style has a diagonal, because a line through the middle makes 0 look like 8", (t) => {
  for (const decimalsPercent of [50, 100])
    t.deepEqual(lineOf({ struck: true, decimalsPercent }), lineOf({ struck: "diagonal", decimalsPercent }));
});

test("a line with its own colour is drawn behind the digits, so that each digit stays readable", (t) => {
  const blackOf = (picture: Framebuffer) => rowsOf(picture).map((row) => row.replaceAll("R", "W"));
  for (const struck of ["middle", "diagonal"] as const)
    t.deepEqual(
      blackOf(draw({ struck, struckColor: "red", decimalsPercent: 50 }).picture),
      rowsOf(draw({ decimalsPercent: 50 }).picture),
    );
});

test("a line with its own colour does not count as covering the price", (t) => {
  const below: Element = { kind: "box", x: 0, y: 75, width: 300, height: 10, fill: "black" };
  const struck = { ...price, struck: "diagonal", struckColor: "red" } as const;
  t.notThrows(() => drawElements([struck, { ...below, y: 100 }]));
  t.notThrows(() => drawElements([struck, { ...below, y: 78, height: 1, width: 19 }]));
});
