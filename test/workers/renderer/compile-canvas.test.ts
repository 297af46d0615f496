import test from "ava";
import type { CanvasDesign, Element } from "../../../schemas/canvas.ts";
import { ExpressionError } from "../../../workers/evaluator/expression.ts";
import { compileCanvas } from "../../../workers/renderer/compile-canvas.ts";

const area = { x: 0, y: 0, width: 100, height: 20 };
const type = { font: "regular", size: 12, color: "black" } as const;
const text: Element = { kind: "text", ...area, ...type, text: "${item.itemName}" };
const price: Element = { kind: "price", ...area, ...type, value: "${item.price}" };
const code: Element = { kind: "ean13", ...area, value: "${item.ean}" };
const box: Element = { kind: "box", ...area, fill: "black" };
const line: Element = { kind: "line", ...area, color: "black" };
const image: Element = { kind: "image", ...area, image: "0".repeat(64) };

const canvas = (...elements: Element[]): CanvasDesign => ({
  name: "shelf",
  width: 100,
  height: 20,
  background: "white",
  elements,
});
const variables = { item: { itemName: "Kruh", price: "1.99", ean: "3850334020802" }, link: {}, device: {}, store: {} };

test("a design keeps its size, its background and its elements, in order", (t) => {
  const elements = [text, price, code, box, line, image];
  const { elements: compiled, ...rest } = compileCanvas(canvas(...elements));
  t.deepEqual(rest, { name: "shelf", width: 100, height: 20, background: "white" });
  t.deepEqual(
    compiled.map(({ element }) => element),
    elements,
  );
});

const shown: [kind: string, element: Element, shows: string | undefined][] = [
  ["a text", text, "Kruh"],
  ["a price", price, "1.99"],
  ["a code", code, "3850334020802"],
  ["a box", box, undefined],
  ["a line", line, undefined],
  ["an image", image, undefined],
];

for (const [kind, element, shows] of shown) {
  test(`${kind} shows ${shows === undefined ? "no text" : "the value of its template"}`, (t) => {
    t.is(compileCanvas(canvas(element)).elements[0]?.template?.fill(variables).text, shows);
  });
}

for (const [visible, holds] of [
  ["has(item.price)", true],
  ["has(item.brand)", false],
] as const) {
  test(`visible ${visible} is ${holds}`, (t) => {
    t.is(compileCanvas(canvas({ ...box, visible })).elements[0]?.visible?.evaluate(variables), holds);
  });
}

for (const visible of [undefined, "", "  "]) {
  test(`visible ${JSON.stringify(visible)} asks for nothing`, (t) => {
    const element = visible === undefined ? box : { ...box, visible };
    t.is(compileCanvas(canvas(element)).elements[0]?.visible, undefined);
  });
}

const broken: [what: string, element: Element][] = [
  ["a text", { ...text, text: "${item.}" }],
  ["a price", { ...price, value: "${price}" }],
  ["a code", { ...code, value: "${1 +}" }],
  ["when an element is visible", { ...box, visible: "has(" }],
];

for (const [what, element] of broken) {
  test(`a design whose expression is not valid is refused: ${what}`, (t) => {
    t.throws(() => compileCanvas(canvas(box, element)), { instanceOf: ExpressionError });
  });
}
