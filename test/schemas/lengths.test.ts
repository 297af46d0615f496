import test from "ava";
import { type CanvasDesign, inPixels } from "../../schemas/canvas.ts";
import { checkCanvas } from "../../schemas/check-canvas.ts";
import { lengthsInPixels } from "../../schemas/lengths.ts";
import { dpiOf } from "../../schemas/panels.ts";

const lengths: [text: string, dpi: number, pixels: number][] = [
  ["25.4mm", 112, 112],
  ["3mm", 112, 13],
  ["3mm", 140, 17],
  ["0.25mm", 112, 1],
  ["0.1mm", 112, 1],
  ["-0.1mm", 112, -1],
  ["-3mm", 112, -13],
  ["0mm", 112, 0],
];
for (const [text, dpi, pixels] of lengths)
  test(`${text} at ${dpi} pixels per inch ${Math.abs(pixels) === 1 ? "is" : "are"} ${pixels}`, (t) => {
    t.deepEqual<unknown, unknown>(lengthsInPixels({ x: text }, dpi), { x: pixels });
  });

test("only length fields accept millimetres, at any depth", (t) => {
  const elements = [{ text: "3mm", visible: "3mm", box: { padding: "3mm" }, runs: [{ text: "3mm", size: "3mm" }] }];
  t.deepEqual<unknown, unknown>(lengthsInPixels(elements, 112), [
    { text: "3mm", visible: "3mm", box: { padding: 13 }, runs: [{ text: "3mm", size: 13 }] },
  ]);
});

test("a design without millimetres is unchanged", (t) => {
  const design = designOf({ height: 20 });
  t.is(inPixels(design), design);
});

test("millimetres use the label's dpi, or else the known panel's dpi for each layout's size", (t) => {
  const design = { ...designOf({ height: "3mm" }), variants: [designOf({ height: "3mm" }, 152, 152)] };
  const heights = (canvas: CanvasDesign) =>
    [canvas, ...(canvas.variants ?? [])].map(({ elements: [element] }) => element?.height);
  t.deepEqual(heights(inPixels(design)), [13, 17]);
  t.deepEqual(heights(inPixels(design, 254)), [30, 30]);
});

const panels: [width: number, height: number, dpi: number | undefined, expected: number][] = [
  [296, 128, undefined, 112],
  [128, 296, undefined, 112],
  [152, 152, undefined, 140],
  [800, 480, undefined, 124],
  [640, 480, undefined, 112],
  [296, 128, 150, 150],
];
for (const [width, height, dpi, expected] of panels)
  test(`a label of ${width} x ${height} that states ${dpi ?? "no dpi"} has ${expected} pixels per inch`, (t) =>
    t.is(dpiOf({ width, height, ...(dpi && { dpi }) }), expected));

const faulty: [what: string, change: object, detail: RegExp][] = [
  ["a space before the unit", { height: "3 mm" }, /pixels, or millimetres such as "3mm" or "0\.25mm", but is "3 mm"/],
  ["an unknown unit", { height: "3pt" }, /but is "3pt"/],
  ["a fraction of a pixel", { height: 1.5 }, /must be an integer or a string, not 1\.5/],
  ["a size that is too small in pixels", { size: "0.5mm" }, /must be at least 4, not 2/],
];
for (const [what, change, detail] of faulty)
  test(`${what} is a fault of its field`, (t) => {
    const [fault, ...others] = checkCanvas(designOf(change));
    t.deepEqual(others, []);
    t.is(fault?.pointer, `/elements/0/${Object.keys(change)[0]}`);
    t.regex(fault?.detail ?? "", detail);
  });

test("images have a limit in pixels, even if their size is in millimetres", (t) => {
  const image = { kind: "image", x: 0, y: 0, width: "900mm", height: "900mm", image: "logo" };
  t.regex(checkCanvas({ ...designOf({}), elements: [image] })[0]?.detail ?? "", /images can cover at most/);
});

function designOf(change: object, width = 296, height = 128): CanvasDesign {
  const text = { kind: "text", x: 0, y: 0, width: 90, height: 20, font: "bold", size: 16, color: "black", text: "a" };
  const design = { name: "test", width, height, background: "white", elements: [{ ...text, ...change }] };
  return design as unknown as CanvasDesign;
}
