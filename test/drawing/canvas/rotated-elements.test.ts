import test from "ava";
import { rotatedArea, rotatePicture } from "../../../drawing/pixels/rotate.ts";
import type { Element, LayoutElement } from "../../../schemas/canvas.ts";
import type { Rotation } from "../../../schemas/canvas-parts.ts";
import { drawElements, rowsOf } from "../drawing.ts";

const [width, height] = [80, 60];
const area = { x: 4, y: 6, width: 62, height: 40 };
const type = { font: "bold", size: 22, color: "black" } as const;
const elements: Element[] = [
  { kind: "text", ...area, ...type, lines: 2, size: 14, text: "Jagode 500 g" },
  { kind: "price", ...area, ...type, value: "2.49", box: { fill: "red", radius: 3 } },
  { kind: "box", ...area, stroke: "black", thickness: 3, radius: 9 },
  { kind: "line", ...area, color: "red", thickness: 3, direction: "up", dash: [7, 4] },
  { kind: "ellipse", ...area, fill: "red", stroke: "black", thickness: 2 },
  { kind: "arc", ...area, color: "black", thickness: 5, from: 300, to: 80 },
  {
    kind: "polygon",
    ...area,
    fill: "black",
    points: [
      [0, 0],
      [61, 10],
      [20, 39],
    ],
  },
  { kind: "qr", ...area, value: "1", smallestModule: 1 },
];
/** Elements that other elements may cover. */
const together = elements.filter(({ kind }) => kind !== "price" && kind !== "qr");
const rotations: Rotation[] = [90, 180, 270];

/** An element turned to its position on the turned label. */
function rotatedElement(element: Element, rotate: Rotation): Element {
  const size = rotate === 180 ? { width, height } : { width: height, height: width };
  return { ...element, ...rotatedArea(element, size, rotate), rotate };
}

for (const rotate of rotations) {
  for (const element of elements) {
    test(`an element turned by ${rotate} degrees has the pixels of the upright element, turned: ${element.kind}`, (t) => {
      const upright = rotatePicture(drawElements([element], { width, height }).picture, rotate);
      const made = drawElements([rotatedElement(element, rotate)], { width: upright.width, height: upright.height });
      t.deepEqual(made.errors, []);
      t.deepEqual(rowsOf(made.picture), rowsOf(upright));
    });
  }

  test(`a layout turned by ${rotate} degrees is drawn upright and turned onto the label`, (t) => {
    const label = rotate === 180 ? { width, height } : { width: height, height: width };
    const upright = drawElements(together, { width, height });
    const made = drawElements(together, { ...label, rotate });
    t.deepEqual([made.picture.width, made.picture.height], [label.width, label.height]);
    t.deepEqual(rowsOf(made.picture), rowsOf(rotatePicture(upright.picture, rotate)));
  });
}

const price: Element = { kind: "price", x: 20, y: 4, width: 30, height: 50, ...type, value: "2.49", rotate: 90 };
const code: Element = { kind: "qr", x: 10, y: 0, width: 60, height: 60, value: "1", smallestModule: 1, rotate: 270 };
const cover: LayoutElement = { kind: "box", x: 30, y: 10, width: 12, height: 12, fill: "white" };

test("a turned price covered by a later element is a fault, and a covered turned code is an error", (t) => {
  t.notThrows(() => drawElements([price], { width, height }));
  t.throws(() => drawElements([price, cover], { width, height }), { message: /is covered by a later element/ });
  t.deepEqual(drawElements([code], { width, height }).errors, []);
  t.regex(drawElements([code, cover], { width, height }).errors.join(), /is covered by a later element/);
});

test("a turned price is compared with the pixels behind it, and outside the label it is a fault", (t) => {
  const behind: LayoutElement = { kind: "box", x: 0, y: 0, width, height, fill: "black" };
  t.throws(() => drawElements([behind, price], { width, height }), { message: /is invisible/ });
  t.throws(() => drawElements([{ ...price, x: 200 }], { width, height }), { message: /lies outside the label/ });
});
