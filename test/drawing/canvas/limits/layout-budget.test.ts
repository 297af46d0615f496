import test from "ava";
import { withBudget } from "../../../../domain/expression/meter.ts";
import { compileCanvas, DesignError } from "../../../../drawing/canvas/compile-canvas.ts";
import { draw } from "../../../../drawing/canvas/draw.ts";
import { fitText } from "../../../../drawing/text/fit-text.ts";
import type { CanvasDesign, Element } from "../../../../schemas/canvas.ts";

const LOOP = `[${Array.from({ length: 100 }, (_, index) => index).join(",")}]`;
const element = (text: string, more = {}): Element => ({
  kind: "text",
  x: 0,
  y: 0,
  width: 296,
  height: 128,
  font: "regular",
  size: 12,
  color: "black",
  text,
  ...more,
});
const canvasOf = (elements: Element[]): CanvasDesign => ({
  name: "d",
  width: 296,
  height: 128,
  background: "white",
  elements,
});
const facts = {
  labelType: { type: 1, width: 296, height: 128, colors: ["white", "black"] as ("white" | "black")[] },
  store: { locale: "hr-HR", currency: "EUR" },
  images: new Map(),
  variables: { item: new Map([["a", "word ".repeat(800)]]), link: {}, device: {}, store: {} },
};

test("the total cost of a layout's expressions is limited when it is saved, and the costliest elements are named", (t) => {
  const costly = (index: number) => element(`\${${LOOP}.map(x, ${LOOP}.exists(y, x * y == -${index + 1})).size()}`);
  t.notThrows(() => compileCanvas(canvasOf([costly(0), element("x")])));
  const error = t.throws(() => compileCanvas(canvasOf(Array.from({ length: 80 }, (_, index) => costly(index)))), {
    instanceOf: DesignError,
  });
  t.is(error.faults.length, 1);
  t.regex(error.message, /\/elements.*the costliest elements are \/elements\/\d+ \(\d+\)/);
});

test("a layout whose expressions exceed their steps during drawing is a fault of the label", (t) => {
  const long = `\${${Array(40).fill("item.a").join(" + ")}}`;
  const canvas = compileCanvas(canvasOf(Array.from({ length: 200 }, () => element(long))));
  t.throws(() => draw(canvas, facts), { name: "BudgetError", message: /^the layout takes more than/ });
});

test("laying out text at many sizes uses its drawing's budget", (t) => {
  const area = { width: 100, height: 400, size: 100, minimumSize: 4, lines: 20, lineHeight: 1.17, lineExtent: 1 };
  const fit = () => fitText("long words ".repeat(40), area, (part) => part.length / 2);
  t.notThrows(() => withBudget("the drawing", 10_000, fit));
  t.throws(() => withBudget("the drawing", 50, fit), { name: "BudgetError", message: /^the drawing takes more than/ });
});
