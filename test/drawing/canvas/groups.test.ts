import test from "ava";
import { compileCanvas, DesignError } from "../../../drawing/canvas/compile-canvas.ts";
import { fillLayout } from "../../../drawing/canvas/fill-canvas.ts";
import type { Element, LayoutElement } from "../../../schemas/canvas.ts";

const area = { x: 0, y: 0, width: 20, height: 10 };
const text = (shown: string, more: Partial<Element> = {}): Element =>
  ({ kind: "text", ...area, font: "regular", size: 8, color: "black", text: shown, ...more }) as Element;
const box = (more: Partial<Element> = {}): Element => ({ kind: "box", ...area, fill: "black", ...more }) as Element;

/** Returns the shown elements, each as content, left, top, width, height and rotation. */
function placed(elements: LayoutElement[], link: Record<string, unknown> = {}) {
  const { layouts } = compileCanvas({ name: "test", width: 200, height: 100, background: "white", elements });
  const [layout] = layouts;
  if (layout === undefined) throw new Error("a design has a layout");
  const filled = fillLayout(layout, { item: {}, link, device: {}, store: {} });
  return filled.elements.map(({ element: { x, y, width, height, rotate = 0 }, text: shown }) => {
    return [shown, x, y, width, height, rotate];
  });
}

const cases: [rule: string, elements: LayoutElement[], expected: (string | number)[][]][] = [
  [
    "a group's elements are placed relative to the group",
    [{ kind: "group", x: 5, y: 7, width: 50, height: 50, elements: [text("a", { x: 3, y: 1 })] }],
    [["a", 8, 8, 20, 10, 0]],
  ],
  [
    "an invisible group shows nothing",
    [{ kind: "group", ...area, visible: "false", elements: [text("a")] }, text("b")],
    [["b", 0, 0, 20, 10, 0]],
  ],
  [
    "a repeated group is drawn at an offset each time, and its expressions read the repetition's number",
    [
      {
        ...{ kind: "group", ...area, repeat: { count: 3, x: 30, y: 2 } },
        elements: [text("${group.index + 1}/${group.count}", { visible: "group.index != 1" })],
      },
    ],
    [
      ["1/3", 0, 0, 20, 10, 0],
      ["3/3", 60, 4, 20, 10, 0],
    ],
  ],
  [
    "in nested groups expressions read the inner group's repetition",
    [
      {
        ...{ kind: "group", ...area, repeat: { count: 2, x: 100 } },
        elements: [{ kind: "group", ...area, repeat: { count: 2, x: 30 }, elements: [text("${group.index}")] }],
      },
    ],
    [
      ["0", 0, 0, 20, 10, 0],
      ["1", 30, 0, 20, 10, 0],
      ["0", 100, 0, 20, 10, 0],
      ["1", 130, 0, 20, 10, 0],
    ],
  ],
  [
    "an omitted or empty element leaves no gap in a stack",
    [
      {
        ...{ kind: "stack", x: 2, y: 3, width: 50, height: 90, gap: 1 },
        elements: [text("a"), text("b", { visible: "false" }), text(" "), text("c", { x: 4, y: 2 }), text("d")],
      },
    ],
    [
      ["a", 2, 3, 20, 10, 0],
      ["c", 6, 16, 20, 10, 0],
      ["d", 2, 27, 20, 10, 0],
    ],
  ],
  [
    "a stack that runs to the right is aligned to the end of its area",
    [
      {
        ...{ kind: "stack", x: 0, y: 0, width: 100, height: 10, direction: "right", align: "end", gap: 5 },
        elements: [text("a"), text("b")],
      },
    ],
    [
      ["a", 55, 0, 20, 10, 0],
      ["b", 80, 0, 20, 10, 0],
    ],
  ],
  [
    "a stack is centred in its area",
    [{ kind: "stack", x: 0, y: 10, width: 20, height: 41, align: "center", elements: [text("a"), text("b")] }],
    [
      ["a", 0, 20, 20, 10, 0],
      ["b", 0, 30, 20, 10, 0],
    ],
  ],
  [
    "an empty group takes no space in a stack, and a repeated group takes space for each repetition",
    [
      {
        ...{ kind: "stack", x: 0, y: 0, width: 20, height: 90 },
        elements: [
          { kind: "group", ...area, elements: [text("")] },
          { kind: "group", ...area, repeat: { count: 2 }, elements: [text("${group.index}")] },
          box({ height: 4 }),
        ],
      },
    ],
    [
      ["0", 0, 0, 20, 10, 0],
      ["1", 0, 10, 20, 10, 0],
      ["", 0, 20, 20, 4, 0],
    ],
  ],
  [
    "a turned group turns its elements and their positions",
    [
      {
        kind: "group",
        x: 10,
        y: 20,
        width: 40,
        height: 60,
        rotate: 90,
        elements: [text("a", { x: 5, y: 3, rotate: 90 })],
      },
    ],
    [["a", 37, 25, 10, 20, 180]],
  ],
];

for (const [rule, elements, expected] of cases) {
  test(rule, (t) => {
    t.deepEqual(placed(elements), expected);
  });
}

test("one design serves each position of a label with several items", (t) => {
  const visible = "link.displayPosition == group.index";
  const group: LayoutElement = {
    ...{ kind: "group", ...area, repeat: { count: 3, x: 60 } },
    elements: [text("price", { visible })],
  };
  t.deepEqual(placed([group], { displayPosition: 2n }), [["price", 120, 0, 20, 10, 0]]);
});

test("repetitions multiply a layout's cost, and repeated elements count as often as they are drawn", (t) => {
  const list = `[${Array.from({ length: 100 }, (_, index) => index).join(",")}]`;
  const costly = text(`\${${list}.map(x, ${list}.exists(y, x * y == -1)).size()}`);
  const times = (count: number, element: Element): LayoutElement => {
    return { kind: "group", ...area, repeat: { count }, elements: [element] };
  };
  t.notThrows(() => placed([times(2, costly)]));
  const dear = t.throws(() => placed([times(50, costly), times(50, costly)]), { instanceOf: DesignError });
  t.regex(dear.message, /the costliest elements are \/elements\/0\/elements\/0/);
  const many = t.throws(() => placed(Array(5).fill(times(50, text("a")))), { instanceOf: DesignError });
  t.regex(many.message, /at most 200 elements, not 255/);
});

test("a fault in a group is reported with its path, and groups nested too deeply are refused", (t) => {
  const wrong = { kind: "group", ...area, elements: [text("${item.}"), { ...text("a"), size: 1 }] } as LayoutElement;
  t.regex(t.throws(() => placed([wrong]))?.message ?? "", /^\/elements\/0\/elements\/1\/size/);
  let deep: LayoutElement = text("a");
  for (let level = 0; level < 5; level += 1) deep = { kind: "group", ...area, elements: [deep] };
  t.regex(t.throws(() => placed([deep]))?.message ?? "", /nested at most 4 levels deep/);
});
