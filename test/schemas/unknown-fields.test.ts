import test from "ava";
import { withoutComments } from "../../schemas/canvas-comments.ts";
import { checkCanvas, unknownFieldsOf } from "../../schemas/check-canvas.ts";

const area = { x: 0, y: 0, width: 10, height: 10 };
const text = { kind: "text", ...area, font: "bold", size: 12, color: "black", text: "a" };
const layout = { width: 100, height: 20, background: "white" };
const canvas = (...elements: unknown[]) => ({ name: "shelf", ...layout, elements });

const cases: [what: string, design: object, pointer: string, nearest: string][] = [
  ["a text element", canvas({ ...text, minimumsize: 8 }), "/elements/0/minimumsize", "minimumSize"],
  ["a design", { ...canvas(), backgroud: "red" }, "/backgroud", "background"],
  [
    "a variant",
    { ...canvas(), variants: [{ ...layout, elements: [], rotation: 90 }] },
    "/variants/0/rotation",
    "rotate",
  ],
  [
    "an element in a group",
    canvas({ kind: "group", ...area, elements: [text, { ...text, colour: "red" }] }),
    "/elements/0/elements/1/colour",
    "color",
  ],
  [
    "a repetition",
    canvas({ kind: "group", ...area, repeat: { count: 2, dx: 1 }, elements: [] }),
    "/elements/0/repeat/dx",
    "x",
  ],
  ["a text element's box", canvas({ ...text, box: { fil: "red" } }), "/elements/0/box/fil", "fill"],
];

for (const [what, design, pointer, nearest] of cases) {
  test(`an unknown field in ${what} is refused, and the nearest name is suggested, but it is drawn if it is stored`, (t) => {
    const [fault, ...more] = unknownFieldsOf(design);
    t.deepEqual(more, []);
    t.is(fault?.pointer, pointer);
    t.true(fault?.detail.includes(`the nearest is \`${nearest}\``), fault?.detail);
    t.deepEqual(checkCanvas(design), []);
  });
}

test("$schema and $comment are accepted in any object of a design, and are not stored", (t) => {
  const stack = { kind: "stack", ...area, elements: [{ ...text, $comment: "the brand" }], $comment: "left" };
  const commented = { $schema: "https://example.com/canvas.json", $comment: "shelf", ...canvas(stack) };
  t.deepEqual(unknownFieldsOf(commented), []);
  t.deepEqual(withoutComments<object>(commented), canvas({ kind: "stack", ...area, elements: [text] }));
});

test("a design with only known fields is accepted", (t) => {
  const box = { kind: "box", ...area, fill: ["red", "black"], rotate: 90 };
  const stack = { kind: "stack", ...area, gap: 2, elements: [text, box] };
  t.deepEqual(unknownFieldsOf({ ...canvas(text, stack), rotate: 90, labelTypes: [1], variants: [] }), []);
});

test("a design can be sent back as it was read, with its ID and key", (t) => {
  t.deepEqual(unknownFieldsOf({ canvasId: "shelf", key: "t/demo/canvasdesigns/shelf", ...canvas(text) }), []);
});
