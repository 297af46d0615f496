import test from "ava";
import type { LayoutElement } from "../../../schemas/canvas.ts";
import { drawElements, inkOf } from "../drawing.ts";

const area = { x: 0, y: 0, width: 140, height: 44 };
const text = (shown: string, more: object = {}) =>
  ({
    kind: "text",
    ...area,
    font: "regular",
    size: 16,
    lines: 2,
    color: "black",
    text: shown,
    ...more,
  }) as LayoutElement;
const box = { kind: "box", x: 0, y: 2, width: 40, height: 6, fill: "black" } as LayoutElement;
const price = (more: object = {}) =>
  ({ kind: "price", ...area, font: "bold", size: 30, color: "black", value: "12.49", ...more }) as LayoutElement;
const whole = { x: 0, y: 0, width: 300, height: 120 };
const stack = (elements: LayoutElement[], more: object = {}) =>
  ({ kind: "stack", ...whole, flow: "content", elements, ...more }) as LayoutElement;

const bottomOf = (...elements: LayoutElement[]) => inkOf(drawElements(elements).picture)?.bottom ?? 0;
const rightOf = (...elements: LayoutElement[]) => inkOf(drawElements(elements).picture)?.right ?? 0;

test("in a stack that flows by content, a name of one line leaves no gap below it", (t) => {
  const [one, two] = [stack([text("Kruh"), box]), stack([text("Kruh bijeli narezani dugi"), box])];
  t.is(bottomOf(two) - bottomOf(one), 19, "the height of a line");
  t.is(bottomOf(stack([text("Kruh"), box], { flow: "areas" })), 44 + 8, "by areas, the name keeps its own area");
  t.deepEqual(
    drawElements([stack([text("Kruh"), box], { flow: undefined })]).picture.pixels,
    drawElements([stack([text("Kruh"), box], { flow: "areas" })]).picture.pixels,
    "areas are the default",
  );
});

test("a unit follows its price, however wide the price is", (t) => {
  const unit = text("/kg", { verticalAlign: "baseline", size: 12, lines: 1 });
  const line = (value: string) => stack([price({ value, verticalAlign: "baseline" }), unit], { direction: "right" });
  const [short, long] = [rightOf(line("2.49")), rightOf(line("12.49"))];
  t.true(long - short > 15 && long - short < 30, `${long} - ${short}`);
});

test("elements are drawn at the size that they have without the flow", (t) => {
  for (const element of [
    text("Mlijeko trajno s 2,8 % mliječne masti"),
    price({ size: 44 }),
    text("Kruh", { runs: [{ text: " i sol", bold: true }] }),
  ])
    for (const direction of ["down", "right"]) {
      t.deepEqual(
        drawElements([stack([element], { direction })]).picture.pixels,
        drawElements([element]).picture.pixels,
        `${element.kind}, ${direction}`,
      );
    }
});

test("a stack within a stack takes the space of its content, in both directions", (t) => {
  const row = stack([text("a"), text("b")], { direction: "right", height: 44 });
  t.is(bottomOf(stack([row, box])), bottomOf(stack([text("a"), box])));
});

test("a stack that flows by content is aligned by its content", (t) => {
  for (const [align, bottom] of [
    ["end", 120],
    ["start", 27],
  ] as const)
    t.is(bottomOf(stack([text("Kruh"), box], { align })), bottom, align);
});

test("rotated text in a stack takes the space of its rotated content", (t) => {
  const turned = text("Kruh", { width: 44, height: 100, rotate: 90, lines: 1 });
  const bar = { ...box, x: 0, y: 0, width: 6, height: 40 } as LayoutElement;
  t.true(rightOf(stack([turned, bar], { direction: "right" })) < 30);
});

test("a text element or a price that does not fit in a stack is reported as usual", (t) => {
  t.throws(() => drawElements([stack([price({ width: 12 })])]), { message: /does not fit 12 x 44/ });
  t.regex(drawElements([stack([text("Kruh", { height: 5 })])]).errors.join(), /does not fit/);
});

test("a unit price that grows to its share of the price takes the space of its new size", (t) => {
  const share = text("2,49 €/kg", { size: 10, lines: 1, minimumPercentOfPrice: 60 });
  t.is(
    bottomOf(stack([price(), share, box])) -
      bottomOf(stack([price(), { ...share, minimumPercentOfPrice: 20 } as LayoutElement, box])),
    9,
  );
});
