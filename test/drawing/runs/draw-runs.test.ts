import test from "ava";
import fc from "fast-check";
import { DesignError } from "../../../drawing/canvas/compile-canvas.ts";
import { DrawingError } from "../../../drawing/text/drawing-error.ts";
import type { LayoutElement } from "../../../schemas/canvas.ts";
import type { TextElement } from "../../../schemas/canvas-texts.ts";
import { unknownFieldsOf } from "../../../schemas/check-canvas.ts";
import { colorsIn, drawElements, inkOf, rowsOf } from "../drawing.ts";

const area = { x: 20, y: 20, width: 200, height: 60 };
const text: TextElement = { kind: "text", ...area, font: "regular", size: 20, text: "", color: "black" };
const draw = (more: Partial<TextElement>, item = {}) => drawElements([{ ...text, ...more }], { item });

test("text whose runs all have the text's own style results in the same picture as without runs", (t) => {
  const options = { lines: 3, minimumSize: 9 };
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("Mlijeko ", "traj", "no ", " 2,8 % ", "1 l ", "\n", "(Dukat) ", "bez "), {
        maxLength: 8,
      }),
      (parts) => {
        const [first = "", ...others] = parts;
        if (others.length === 0 || parts.join("").trim() === "") return;
        const whole = draw({ ...options, text: parts.join("") });
        if (whole.warnings.length > 0) return;
        const apart = draw({ ...options, text: first, runs: others.map((part) => ({ text: part })) });
        t.is(rowsOf(apart.picture).join(), rowsOf(whole.picture).join(), JSON.stringify(parts));
      },
    ),
    { numRuns: 200, seed: 7 },
  );
});

test("a run has its own weight, colour and size on its line's baseline", (t) => {
  const { picture, warnings } = draw({ text: "nur ", runs: [{ text: "nur", bold: true, size: 40, color: "red" }] });
  t.deepEqual(warnings, []);
  t.deepEqual(colorsIn(picture), ["black", "red", "white"]);
  const rows = rowsOf(picture);
  const last = (letter: string): number => rows.findLastIndex((row) => row.includes(letter));
  const first = (letter: string): number => rows.findIndex((row) => row.includes(letter));
  t.is(last("R"), last("K"));
  t.true(last("R") - first("R") > 1.8 * (last("K") - first("K")));
  const thin = draw({ runs: [{ text: "nur", size: 40 }] });
  const bold = draw({ runs: [{ text: "nur", size: 40, bold: true }] });
  const inked = (drawing: typeof thin) => rowsOf(drawing.picture).join("").replaceAll("W", "").length;
  t.true(inked(bold) > 1.3 * inked(thin));
  const asElement = draw({ font: "bold", runs: [{ text: "nur", size: 40, bold: false }] });
  t.deepEqual(asElement.picture, thin.picture);
});

test("a line does not break at a change of style, or between a number and its unit", (t) => {
  const narrow = { lines: 2, width: 76, minimumSize: 20 };
  t.deepEqual(
    rowsOf(draw({ ...narrow, text: "Sir go", runs: [{ text: "uda" }] }).picture),
    rowsOf(draw({ ...narrow, text: "Sir gouda" }).picture),
  );
  t.deepEqual(
    rowsOf(draw({ ...narrow, text: "gouda 50", runs: [{ text: " g" }] }).picture),
    rowsOf(draw({ ...narrow, text: "gouda 50 g" }).picture),
  );
});

test("runs shrink together and keep their relative sizes", (t) => {
  const runs = [{ text: "20", size: 40, color: "red" as const }];
  const { picture, warnings } = draw({ width: 60, text: "Hmm ", runs, minimumSize: 8 });
  const ink = inkOf(picture);
  t.true(ink && ink.left >= 20 && ink.right <= 80);
  t.deepEqual(warnings, []);
});

test("no run shrinks below the size at which its letters are distinguishable", (t) => {
  const { warnings } = draw({ text: "Hm ", runs: [{ text: "č", size: 8 }] });
  t.deepEqual(warnings, ['"Hm č" is drawn at 23 pixels because it is not legible at 20']);
});

test("text with runs that does not fit is cut after a word, never within a number or before its unit", (t) => {
  const cut = { width: 100, minimumSize: 20 };
  const { picture, warnings } = draw({
    ...cut,
    text: "Sir ",
    runs: [{ text: "gouda 500", bold: true }, { text: " g" }],
  });
  t.deepEqual(warnings, ['"Sir gouda 500 g" is cut: it does not fit at 20 pixels']);
  t.true((inkOf(picture)?.right ?? 999) <= 120);
  const expected = draw({ ...cut, text: "Sir…" });
  const asCut = draw({ ...cut, text: "Sir ", runs: [{ text: "500", bold: true }, { text: " gggggggggg" }] });
  t.notDeepEqual(asCut.picture, expected.picture);
  const unit = draw({ ...cut, width: 70, text: "Sir 500", runs: [{ text: " g" }] });
  t.deepEqual(unit.picture, draw({ width: 70, text: "Sir…" }).picture);
});

test("text with runs that must be complete and does not fit is a fault", (t) => {
  const element = { whole: true, width: 60, minimumSize: 20, text: "Najniža ", runs: [{ text: "cijena" }] };
  t.throws(() => draw(element), { instanceOf: DrawingError, message: /must be shown completely/ });
});

test("runs are templates: a missing value is reported, and the rest is shown", (t) => {
  const { picture, warnings } = draw(
    { text: "${item.a}", runs: [{ text: " ${item.b}" }, { text: "${item.c}" }] },
    { a: "x", c: "z" },
  );
  t.deepEqual(warnings, ["${item.b} has no value"]);
  t.deepEqual(picture, draw({ text: "x", runs: [{ text: " " }, { text: "z" }] }).picture);
  t.is(inkOf(draw({ text: "", runs: [{ text: "${item.b}" }] }).picture), undefined);
});

test("a run in the colour of its background is reported, even if the others are visible", (t) => {
  const behind: LayoutElement = { kind: "box", ...area, fill: "red" };
  const { warnings } = drawElements([
    behind,
    { ...text, text: "Sir ", color: "white", runs: [{ text: "500 g", color: "red" }] },
  ]);
  t.deepEqual(warnings, ['"Sir 500 g" is invisible: it has the colour of its background']);
});

test("right-to-left runs run from right to left, and adjacent Latin runs keep their order", (t) => {
  const hebrew = { locale: "he", align: "right" as const };
  const { picture } = draw({ ...hebrew, text: "מבצע ", runs: [{ text: "AB", color: "red" }, { text: " CD" }] });
  const [row] = rowsOf(picture).filter((own) => own.includes("R"));
  t.true((row?.indexOf("R") ?? 0) < (row?.lastIndexOf("K") ?? 0));
  const latin = draw({ ...hebrew, text: "מבצע", runs: [{ text: " AB" }, { text: " CD" }] });
  t.deepEqual(latin.picture, draw({ ...hebrew, text: "מבצע AB CD" }).picture);
});

test("a fault in a run names the run, and an unknown ellipsis position is refused", (t) => {
  t.throws(() => draw({ runs: [{ text: "ok" }, { text: "${item." }] }), {
    instanceOf: DesignError,
    message: /\/elements\/0\/runs\/1\/text/,
  });
  t.throws(() => draw({ runs: [{ text: "a" }], ellipsis: "middle" }), {
    instanceOf: DesignError,
    message: /\/elements\/0\/ellipsis: a text with runs must be cut at a word/,
  });
});

test("a run with an unknown field is refused when it is saved, and the error suggests the nearest name", (t) => {
  const design = { elements: [{ ...text, runs: [{ text: "a", colour: "red" }] }] };
  const [fault] = unknownFieldsOf(design);
  t.is(fault?.pointer, "/elements/0/runs/0/colour");
  t.regex(fault?.detail ?? "", /the nearest is `color`/);
});
