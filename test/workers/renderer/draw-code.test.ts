import test from "ava";
import type { Ean13Element } from "../../../schemas/canvas.ts";
import { fitEan13 } from "../../../workers/renderer/ean13.ts";
import { drawElements, inkOf, rowsOf } from "./drawing.ts";

const EAN = "3850334020802";
const code: Ean13Element = { kind: "ean13", x: 20, y: 10, width: 250, height: 60, value: "${item.ean}" };
const black = { kind: "box", x: 0, y: 0, width: 300, height: 120, fill: "black" } as const;
const drawCode = (more: Partial<Ean13Element>, ean = EAN) => drawElements([{ ...code, ...more }], { item: { ean } });

/** A row of bars as it should be. */
function barsRow({ x, width }: Ean13Element): string {
  const row = Array<string>(300).fill("W");
  for (const bar of fitEan13(EAN, width).bars) row.fill("K", x + bar.x, x + bar.x + bar.width);
  return row.join("");
}

test("the bars run unbroken from the top of the area, with the digits below them", (t) => {
  const rows = rowsOf(drawCode({}).picture);
  const bars = rows.flatMap((row, y) => (row === barsRow(code) ? [y] : []));
  t.deepEqual(
    bars,
    Array.from({ length: 49 }, (_, place) => 10 + place),
  );
  t.true(rows.slice(59, 70).some((row) => row.includes("K")));
});

test("a code stays inside its area", (t) => {
  for (const height of [1, 10, 29, 30, 31, 60]) {
    const ink = inkOf(drawCode({ height }).picture);
    t.true(ink && ink.left >= 20 && ink.right <= 270 && ink.top === 10 && ink.bottom <= 10 + height, `${height}`);
  }
});

test("where there is no room for digits the bars take the whole height", (t) => {
  const rows = rowsOf(drawCode({ height: 20 }).picture);
  t.deepEqual(rows.slice(10, 30), Array(20).fill(barsRow(code)));
  t.false(rows.slice(30).some((row) => row.includes("K")));
});

test("the quiet zones are white whatever is behind them", (t) => {
  const rows = rowsOf(drawElements([black, code], { item: { ean: EAN } }).picture);
  const { left, right } = fitEan13(EAN, code.width);
  const symbol = rows[20]?.slice(20 + left, 20 + right) ?? "";
  t.is(symbol, barsRow(code).slice(20 + left, 20 + right));
  t.true(symbol.startsWith("W".repeat(22)) && symbol.endsWith("W".repeat(14)));
});

test("a code may be in another colour", (t) => {
  const rows = rowsOf(drawCode({ color: "red" }).picture);
  t.is(rows[20], barsRow(code).replaceAll("K", "R"));
});

for (const [what, ean, told] of [
  ["with a wrong check digit", "3850334020803", /3850334020803/],
  ["with letters", "38503340208AB", /38503340208AB/],
  ["of 8 digits", "40170725", /40170725/],
] as const) {
  test(`a code ${what} is left out and told, and the rest is drawn`, (t) => {
    const { picture, warnings } = drawElements([black, code], { item: { ean } });
    t.deepEqual(picture, drawElements([black]).picture);
    t.is(warnings.length, 1);
    t.regex(warnings[0] ?? "", told);
  });
}

test("an item without a code is drawn without it, and no error", (t) => {
  const { picture, warnings } = drawElements([black, code]);
  t.deepEqual(picture, drawElements([black]).picture);
  t.deepEqual(warnings, ["${item.ean} has no value"]);
});

test("a code that is asked for only where there is one is left out without a word", (t) => {
  t.deepEqual(drawElements([{ ...code, visible: "has(item.ean)" }]).warnings, []);
});

test("a code in an area too narrow to scan is left out and told", (t) => {
  const { picture, warnings } = drawCode({ width: 225 });
  t.is(inkOf(picture), undefined);
  t.is(warnings.length, 1);
});
