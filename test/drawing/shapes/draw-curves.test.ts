import test from "ava";
import type { Element } from "../../../schemas/canvas.ts";
import { drawElements, rowsOf } from "../drawing.ts";

const draw = (element: Element, width = 7, height = 7) => rowsOf(drawElements([element], { width, height }).picture);
const area = { x: 0, y: 0, width: 7, height: 7 };

test("an ellipse fills its area and is symmetric", (t) => {
  const disc = ["WWKKKWW", "WKKKKKW", "KKKKKKK", "KKKKKKK", "KKKKKKK", "WKKKKKW", "WWKKKWW"];
  t.deepEqual(draw({ kind: "ellipse", ...area, fill: "black" }), disc);
  const ring = ["WWKKKWW", "WKWWWKW", "KWWWWWK", "KWWWWWK", "KWWWWWK", "WKWWWKW", "WWKKKWW"];
  t.deepEqual(draw({ kind: "ellipse", ...area, stroke: "black" }), ring);
});

test("a stroke thicker than the ellipse fills it, and a stroke is drawn over its fill", (t) => {
  const full = draw({ kind: "ellipse", ...area, fill: "black" });
  t.deepEqual(draw({ kind: "ellipse", ...area, stroke: "black", thickness: 9 }), full);
  t.is(draw({ kind: "ellipse", ...area, fill: "red", stroke: "black" })[3], "KRRRRRK");
});

test("an arc is the part of the outline between two angles, clockwise from the top", (t) => {
  const outline = draw({ kind: "ellipse", ...area, stroke: "black" });
  const arc = (from: number, to: number) => draw({ kind: "arc", ...area, color: "black", from, to });
  t.deepEqual(arc(0, 360), outline);
  t.deepEqual(
    arc(0, 180).map((row) => row.slice(0, 3)),
    Array(7).fill("WWW"),
  );
  t.deepEqual(
    arc(0, 180).map((row) => row.slice(3)),
    outline.map((row) => row.slice(3)),
  );
  t.deepEqual(arc(270, 90).slice(0, 4), outline.slice(0, 4));
  t.deepEqual(arc(270, 90).slice(4), Array(3).fill("WWWWWWW"));
});

test("a polygon is filled including its corners and sides, and crossing sides leave the outside empty", (t) => {
  const points = [
    [0, 0],
    [6, 0],
    [6, 6],
    [0, 6],
  ];
  t.deepEqual(draw({ kind: "polygon", ...area, points, fill: "black" }).slice(0, 6), Array(6).fill("KKKKKKK"));
  const triangle = [
    [3, 0],
    [6, 6],
    [0, 6],
  ];
  const rows = draw({ kind: "polygon", ...area, points: triangle, stroke: "black" });
  t.is(rows[6], "KKKKKKK");
  t.is(rows[0], "WWWKWWW");
});

const lines: [what: string, element: Partial<Element>, rows: string[]][] = [
  ["down", {}, ["KWWWW", "WKWWW", "WWKWW", "WWWKW", "WWWWK"]],
  ["up", { direction: "up" }, ["WWWWK", "WWWKW", "WWKWW", "WKWWW", "KWWWW"]],
  ["in dashes", { height: 1, dash: [2, 1] }, ["KKWKK", ...Array(4).fill("WWWWW")]],
  ["in dots", { width: 1, dash: [1, 1] }, ["KWWWW", "WWWWW", "KWWWW", "WWWWW", "KWWWW"]],
];

for (const [what, more, rows] of lines) {
  test(`a line is drawn ${what}`, (t) => {
    const element = { kind: "line", ...area, width: 5, height: 5, color: "black", ...more } as Element;
    t.deepEqual(draw(element, 5, 5), rows);
  });
}

test("a box that fits its text has the text's size, and counts as its background in checks", (t) => {
  const text = { kind: "text", x: 0, y: 0, width: 100, height: 30, font: "bold", size: 12 } as const;
  const box = { fill: "red", padding: 3 } as const;
  const label = { width: 100, height: 30 };
  const rows = (shown: string) => rowsOf(drawElements([{ ...text, text: shown, color: "white", box }], label).picture);
  const extent = (shown: string) => Math.max(...rows(shown).map((row) => row.lastIndexOf("R"))) + 1;
  t.true(extent("-5 %") < extent("-50 %") && extent("-50 %") < 60);
  t.true(rows("-5 %").every((row) => row.endsWith("WWWWWWWWWW")));
  const hidden = drawElements([{ ...text, text: "a", color: "red", box }], label);
  t.regex(hidden.warnings.join(), /is invisible/);
});
