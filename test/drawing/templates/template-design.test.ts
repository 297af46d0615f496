import test from "ava";
import { type LaidOut, templateDesign } from "../../../drawing/templates/template-design.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";

const label = (type: number, width: number, height: number, dpi?: number, hasRoom = true): LaidOut => ({
  labelType: { type, width, height, ...(dpi !== undefined && { dpi }) },
  canvas: hasRoom ? laidOut(width, height, dpi) : undefined,
});
const laidOut = (width: number, height: number, dpi = 0): CanvasDesign => ({
  ...{ name: "one size", width, height, background: "white" },
  elements: [{ kind: "box", x: dpi, y: 0, width: 1, height: 1 }],
});
const layoutsOf = ({ variants = [], ...own }: CanvasDesign) => [own, ...variants];

test("a template's design has one layout for each size, however many label types it serves", (t) => {
  const made = templateDesign("offer", [label(1, 296, 128), label(2, 152, 152), label(3, 296, 128)]);
  t.is(made?.canvas.name, "offer");
  t.deepEqual(made?.labelTypes, [1, 3, 2]);
  t.deepEqual(made && layoutsOf(made.canvas).map(({ width, labelTypes }) => [width, labelTypes]), [
    [296, undefined],
    [152, undefined],
  ]);
});

test("layouts of one size and several densities name their label types", (t) => {
  const made = templateDesign("offer", [label(1, 296, 128, 112), label(2, 296, 128, 140), label(3, 152, 152)]);
  t.deepEqual(made && layoutsOf(made.canvas).map(({ width, labelTypes }) => [width, labelTypes]), [
    [296, [1]],
    [296, [2]],
    [152, undefined],
  ]);
});

test("a template's design omits label types on which the template does not fit", (t) => {
  const made = templateDesign("offer", [label(1, 152, 152, 140, false), label(2, 296, 128, 112)]);
  t.deepEqual(made?.labelTypes, [2]);
  t.is(made?.canvas.width, 296);
  const dense = templateDesign("offer", [label(1, 296, 128, 200, false), label(2, 296, 128, 112)]);
  t.deepEqual(dense?.canvas.labelTypes, [2], "otherwise labels of the other density would show it too");
  t.is(templateDesign("offer", [label(1, 152, 152, 140, false)]), undefined);
});
