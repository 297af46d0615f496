import test from "ava";
import { compileCanvas, DesignError } from "../../../../drawing/canvas/compile-canvas.ts";
import { paintingSteps } from "../../../../drawing/canvas/painting-steps.ts";
import type { Element } from "../../../../schemas/canvas.ts";
import { canvas, text } from "../elements.ts";

const wide = { x: 0, y: 0, width: 4096, height: 4096 };
const dear: [what: string, element: object][] = [
  ["codes as large as the label", { kind: "ean8", ...wide, value: "40063812" }],
  ["boxes as large as the label", { kind: "box", ...wide, fill: "black", stroke: "red", radius: 2048 }],
  ["thick lines across the label", { kind: "line", ...wide, color: "black", thickness: 64 }],
  ["long lines that begin outside the label", { kind: "line", ...wide, x: -4096, y: 8, color: "black", thickness: 64 }],
];
for (const [what, element] of dear) {
  test(`200 ${what} are refused when the canvas is saved: their areas determine the cost of painting`, (t) => {
    const elements = Array(200).fill(element);
    const { faults } = t.throws(() => compileCanvas({ ...canvas(elements), width: 4096, height: 4096 }), {
      instanceOf: DesignError,
    });
    t.deepEqual(
      faults.map(({ pointer }) => pointer),
      ["/elements"],
    );
    t.regex(
      faults[0]?.detail ?? "",
      /^a layout can take at most 1000000 steps to paint, and this one takes about \d+; the costliest elements are \/elements\/0 \(\d+\),/,
    );
  });
}

test("anything outside the label costs nothing to paint, except the squares of a diagonal", (t) => {
  const label = { width: 100, height: 100 };
  const outside = { ...wide, x: 200 };
  t.is(paintingSteps({ kind: "box", ...outside, fill: "black", stroke: "red" }, "", label), 0);
  t.is(paintingSteps({ kind: "image", ...outside, image: "0".repeat(64) }, "", label), 0);
  t.is(paintingSteps({ kind: "line", ...outside, color: "black" }, "", label), 1024);
});

const area64 = { x: 0, y: 0, width: 64, height: 64 };
const painted: [what: string, element: object, text: string, steps: number][] = [
  ["a box, by its rows and pixels", { kind: "box", ...area64, fill: "black" }, "", 132],
  ["a box without a fill or a stroke costs nothing", { kind: "box", ...area64 }, "", 0],
  ["a stroke, like a fill", { kind: "box", ...area64, fill: "black", stroke: "red" }, "", 264],
  ["a line, by its thickness", { kind: "line", ...area64, width: 1, color: "black", thickness: 2 }, "", 256.125],
  ["a diagonal, by the rows of its squares", { kind: "line", ...area64, color: "black", thickness: 8 }, "", 128],
  ["an image, by its pixels", { kind: "image", ...area64, image: "0".repeat(64) }, "", 14_096],
  ["text, like a box", text("a", area64), "a", 132],
  ["a code, by its characters and pixels", { kind: "qr", ...area64, value: "a" }, "a".repeat(10), 10_664],
  ["a code is encoded only up to its maximum length", { kind: "qr", ...area64, value: "a" }, "a".repeat(4096), 70_064],
];
for (const [what, element, value, steps] of painted)
  test(`painting costs steps: ${what}`, (t) =>
    t.is(paintingSteps(element as Element, value, { width: 300, height: 120 }), steps));
