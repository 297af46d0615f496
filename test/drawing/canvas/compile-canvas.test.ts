import test from "ava";
import { compileCanvas, compiledElements, DesignError, layoutFor } from "../../../drawing/canvas/compile-canvas.ts";
import type { CanvasDesign, CanvasLayout, Element } from "../../../schemas/canvas.ts";
import { computingCounts } from "../../../schemas/computing-counts.ts";

const area = { x: 0, y: 0, width: 100, height: 20 };
const type = { font: "regular", size: 12, color: "black" } as const;
const text: Element = { kind: "text", ...area, ...type, text: "${item.itemName}" };
const price: Element = { kind: "price", ...area, ...type, value: "${item.price}" };
const code: Element = { kind: "ean13", ...area, value: "${item.ean}" };
const matrix: Element = { kind: "qr", ...area, value: "https://example.com/${item.ean}" };
const box: Element = { kind: "box", ...area, fill: "black" };
const line: Element = { kind: "line", ...area, color: "black" };
const image: Element = { kind: "image", ...area, image: "logo-${item.itemName}" };

const layout = (...elements: Element[]): CanvasLayout => ({ width: 100, height: 20, background: "white", elements });
const canvas = (...elements: Element[]): CanvasDesign => ({ name: "shelf", ...layout(...elements) });
const variables = { item: { itemName: "Kruh", price: "1.99", ean: "3850334020802" }, link: {}, device: {}, store: {} };
const elementOf = (element: Element) => compiledElements(compileCanvas(canvas(element)).layouts[0]?.elements ?? [])[0];

test("a compiled design keeps its size, its background and its elements, in order", (t) => {
  const elements = [text, price, code, matrix, box, line, image];
  const { name, layouts } = compileCanvas(canvas(...elements));
  const [{ elements: compiled = [], ...rest } = {}] = layouts;
  t.is(name, "shelf");
  t.deepEqual(rest, { width: 100, height: 20, background: "white" });
  t.deepEqual(
    compiledElements(compiled).map(({ element }) => element),
    elements,
  );
});

const shown: [kind: string, element: Element, shows: string | undefined][] = [
  ["a text element", text, "Kruh"],
  ["a price", price, "1.99"],
  ["a code", code, "3850334020802"],
  ["a matrix code", matrix, "https://example.com/3850334020802"],
  ["a box", box, undefined],
  ["a line", line, undefined],
  ["an image", image, "logo-Kruh"],
];

for (const [kind, element, shows] of shown) {
  test(`${kind} shows ${shows === undefined ? "no text" : "the value of its template"}`, (t) => {
    t.is(elementOf(element)?.template?.fill(variables).text, shows);
  });
}

for (const [visible, holds] of [
  ["has(item.price)", true],
  ["has(item.brand)", false],
] as const) {
  test(`visible ${visible} is ${holds}`, (t) => {
    t.is(elementOf({ ...box, visible })?.visible?.evaluate(variables), holds);
  });
}

for (const visible of [undefined, "", "  "]) {
  test(`visible ${JSON.stringify(visible)} sets no condition`, (t) => {
    t.is(elementOf(visible === undefined ? box : { ...box, visible })?.visible, undefined);
  });
}

/** The faults of a design that is refused. */
function faultsOf(design: unknown): readonly { pointer: string; detail: string }[] {
  try {
    compileCanvas(design as CanvasDesign);
  } catch (error) {
    if (error instanceof DesignError) return error.faults;
    throw error;
  }
  return [];
}

const broken: [what: string, element: Element, pointer: string, at: RegExp][] = [
  ["a text element", { ...text, text: "a ${item.}" }, "/elements/1/text", /characters 9/],
  ["a price", { ...price, value: "${price}" }, "/elements/1/value", /price.*characters 2 to 7/],
  ["a code", { ...code, value: "${1 +}" }, "/elements/1/value", /characters 5/],
  ["a matrix code", { ...matrix, value: "${" }, "/elements/1/value", /a } is missing/],
  ["when an element is visible", { ...box, visible: "has(" }, "/elements/1/visible", /characters 4/],
];

for (const [what, element, pointer, detail] of broken) {
  test(`a design with an invalid expression is refused with its position: ${what}`, (t) => {
    const faults = faultsOf(canvas(box, element));
    t.deepEqual(
      faults.map((fault) => fault.pointer),
      [pointer],
    );
    t.regex(faults[0]?.detail ?? "", detail);
  });
}

test("every invalid expression is reported, including expressions in variants", (t) => {
  const bad = { ...text, text: "${item.}" };
  const faults = faultsOf({ ...canvas(bad, text, bad), variants: [layout(text), layout({ ...bad, visible: "(" })] });
  t.deepEqual(
    faults.map(({ pointer }) => pointer),
    ["/elements/0/text", "/elements/2/text", "/variants/1/elements/0/visible", "/variants/1/elements/0/text"],
  );
});

test("a design that does not match the schema is refused before anything is compiled", (t) => {
  t.deepEqual(
    faultsOf(canvas({ ...text, size: 1e9, text: "${" })).map(({ pointer }) => pointer),
    ["/elements/0/size"],
  );
});

const label = { type: 1328, width: 100, height: 20 };
const named = (height: number, labelTypes?: number[]): CanvasLayout => ({
  ...layout(),
  height,
  ...(labelTypes && { labelTypes }),
});

const choices: [rule: string, variants: CanvasLayout[], chosen: number | undefined][] = [
  ["the design's own layout, if it has the label's size", [named(30)], 0],
  ["the design's own layout, even if a variant has the same size", [named(30), named(20)], 0],
  ["a variant for the label type precedes a variant for all types", [named(20), named(20, [1, 1328])], 2],
  ["a variant for other label types does not apply", [named(20, [1327])], 0],
];

for (const [rule, variants, chosen] of choices) {
  test(`the layout for a label: ${rule}`, (t) => {
    const compiled = compileCanvas({ ...canvas(), variants });
    t.is(layoutFor(compiled, label), compiled.layouts[chosen ?? -1]);
  });
}

test("a variant is chosen if the design's own layout has a different size", (t) => {
  const compiled = compileCanvas({ ...canvas(), height: 40, variants: [named(30), named(20), named(20)] });
  t.is(layoutFor(compiled, label), compiled.layouts[2]);
});

test("a label of another size has no layout, even if its type is named", (t) => {
  const compiled = compileCanvas({ ...canvas(), labelTypes: [1328], height: 30, variants: [named(20, [1327])] });
  t.is(layoutFor(compiled, label), undefined);
});

test("checking stops after twenty faulty expressions in a design and its variants, and reports that it stopped", (t) => {
  const faulty = (count: number) =>
    Array.from({ length: count }, (_, at): Element => ({ ...text, text: `\${item.a ${at}}` }));
  const before = computingCounts().compilations;
  const faults = faultsOf({ ...canvas(...faulty(15)), variants: [{ ...layout(...faulty(100)), labelTypes: [1] }] });
  t.is(computingCounts().compilations - before, 20);
  t.is(faults.length, 21);
  t.like(faults[15], { pointer: "/variants/0/elements/0/text" });
  t.deepEqual(faults.at(-1), {
    pointer: "",
    detail: "20 expressions are faulty; the expressions after them were not checked",
  });
});

test("a design's expressions are charged before compilation, even those that do not compile", (t) => {
  const classes = "\\\\pL".repeat(150);
  const dear = (at: number): Element => ({
    ...text,
    text: `\${item.a.matches("(?i)[${classes}]${at}") || item.a.matches("(")}`,
  });
  const before = computingCounts().compileSteps;
  const faults = faultsOf(canvas(...Array.from({ length: 200 }, (_, at) => dear(at))));
  t.regex(faults.at(-1)?.detail ?? "", /^the regular expressions of a design are too large/);
  t.true(computingCounts().compileSteps - before <= 30_000, `${computingCounts().compileSteps - before} steps`);
});

test("text with many expressions is compiled only up to the budget", (t) => {
  const many = (at: number): Element => ({ ...text, text: `\${item.a${at}}`.repeat(300) });
  const before = computingCounts().compilations;
  const faults = faultsOf(canvas(...Array.from({ length: 200 }, (_, at) => many(at))));
  t.regex(faults[0]?.detail ?? "", /^the distinct expressions of a design can have at most 40000 parts in total/);
  t.true(computingCounts().compilations - before <= 4_000);
});

test("a stored design is compiled without this release's budget", (t) => {
  const classes = "\\\\pL".repeat(300);
  const stored = canvas({ ...text, text: `\${item.a.matches("(?i)[${classes}]")}` });
  t.regex(faultsOf(stored)[0]?.detail ?? "", /too large/);
  t.notThrows(() => compileCanvas(stored, true));
});
