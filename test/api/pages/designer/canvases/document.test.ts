import test from "ava";
import { scaledElements } from "../../../../../api/pages/browser/designer/canvases/document/areas.ts";
import { beginDesign } from "../../../../../api/pages/browser/designer/canvases/document/begin-design.ts";
import {
  type Canvas,
  openDocument,
  placeOf,
  pointerTo,
} from "../../../../../api/pages/browser/designer/canvases/document/document.ts";
import { removed, reordered } from "../../../../../api/pages/browser/designer/canvases/document/elements.ts";
import { grouped, ungrouped } from "../../../../../api/pages/browser/designer/canvases/document/groups.ts";
import {
  inUnitOf,
  type Length,
  pixelsOf,
  readLength,
  shownLength,
} from "../../../../../api/pages/browser/designer/canvases/document/lengths.ts";
import {
  partsOf,
  propertyIn,
  templateOf,
} from "../../../../../api/pages/browser/designer/canvases/document/text-parts.ts";
import { keyAct } from "../../../../../api/pages/browser/designer/canvases/stage/keys.ts";
import { moved, nudged } from "../../../../../api/pages/browser/designer/canvases/stage/moves.ts";
import { latest } from "../../../../../api/pages/browser/designer/canvases/trial/latest.ts";
import { idFor } from "../../../../../api/pages/browser/designer/new-id.ts";
import type { LayoutElement } from "../../../../../schemas/canvas.ts";
import { checkCanvas } from "../../../../../schemas/check-canvas.ts";
import { lengthsInPixels } from "../../../../../schemas/lengths.ts";

const box = (x: number, y: number, more: object = {}): LayoutElement => ({
  kind: "box",
  x,
  y,
  width: 10,
  height: 10,
  ...more,
});
const canvas = (...elements: LayoutElement[]): Canvas => ({
  name: "c",
  width: 100,
  height: 50,
  background: "white",
  elements,
});
const placesOf = (elements: readonly LayoutElement[]) => elements.map(({ x, y }) => [x, y]);

test("a length keeps its unit, and every pixel survives in millimetres", (t) => {
  for (const dpi of [104, 112, 140, 300])
    for (let pixels = -40; pixels <= 400; pixels += 1) {
      const length = inUnitOf("1mm", pixels, dpi);
      t.is(pixelsOf(length, dpi), pixels, `${pixels} at ${dpi}`);
      t.is(lengthsInPixels({ x: length }, dpi).x, pixels, "as the renderer reads it");
    }
  t.is(inUnitOf(3, 12, 112), 12);
});

const entries: [entry: string, unit: "px" | "mm", read: Length | undefined][] = [
  ["12", "px", 12],
  ["3", "mm", "3mm"],
  ["3,5 mm", "px", "3.5mm"],
  ["12px", "mm", 12],
  ["-4", "px", -4],
  ["x", "px", undefined],
  ["", "px", undefined],
  ["12345", "mm", undefined],
];
for (const [entry, unit, read] of entries)
  test(`the entry "${entry}" in ${unit} is ${read ?? "no length"}`, (t) => t.is(readLength(entry, unit), read));

test("a length is shown in the unit that the user has chosen", (t) => {
  t.is(shownLength(44, "mm", 112), "9.98");
  t.is(shownLength("10mm", "px", 112), "44");
  t.is(shownLength("10mm", "mm", 112), "10");
});

const templates: [template: string, parts: ReturnType<typeof partsOf>][] = [
  ["plain", [{ letters: "plain" }]],
  ["${item.price} a kg", [{ expression: "item.price" }, { letters: " a kg" }]],
  ['${replace(item.a, "}", "")}${b}', [{ expression: 'replace(item.a, "}", "")' }, { expression: "b" }]],
  ["${ {1: 2}[1] }", [{ expression: " {1: 2}[1] " }]],
  ["$5 ${open", [{ letters: "$5 ${open" }]],
];
for (const [template, parts] of templates)
  test(`the template ${template} is split into its parts and joined again unchanged`, (t) => {
    t.deepEqual(partsOf(template), parts);
    t.is(templateOf(parts), template);
  });

test("only an expression that consists of a single property has that property's name", (t) => {
  t.is(propertyIn("item.itemName"), "itemName");
  t.is(propertyIn('item["net weight"]'), "net weight");
  t.is(propertyIn("upper(item.itemName)"), undefined);
});

test("changes with the same name are one step of undo, and a selection is not a step", (t) => {
  const document = openDocument(canvas(box(0, 0)));
  document.select([[0]]);
  t.false(document.canUndo);
  for (const x of [1, 2, 3]) document.changeLayout({ ...document.layout, elements: [box(x, 0)] }, [[0]], "drag 1");
  document.changeLayout({ ...document.layout, elements: [box(9, 0)] }, [[0]], "drag 2");
  document.undo();
  t.deepEqual(placesOf(document.layout.elements), [[3, 0]]);
  document.undo();
  t.deepEqual(placesOf(document.layout.elements), [[0, 0]]);
  t.false(document.canUndo);
  document.redo();
  document.redo();
  t.deepEqual(placesOf(document.layout.elements), [[9, 0]]);
  document.undo();
  document.changeLayout({ ...document.layout, elements: [] }, []);
  t.false(document.canRedo, "a change after an undo discards the undone changes");
});

test("a place in a variant and its pointer identify each other", (t) => {
  for (const [layout, path, pointer] of [
    [0, [2], "/elements/2"],
    [1, [0, 3], "/variants/0/elements/0/elements/3"],
  ] as const) {
    t.is(pointerTo(layout, path), pointer);
    t.deepEqual(placeOf(`${pointer}/text`), { layout, path: [...path] });
  }
  t.is(placeOf("/labelTypes"), undefined);
});

test("an element moves forward at most to the top of its group", (t) => {
  const layout = canvas(box(0, 0), box(1, 0), box(2, 0));
  const { layout: made, path } = reordered(layout, [0], 9);
  t.deepEqual(placesOf(made.elements), [
    [1, 0],
    [2, 0],
    [0, 0],
  ]);
  t.deepEqual(path, [2]);
  t.deepEqual(placesOf(removed(layout, [[0], [2]]).elements), [[1, 0]]);
});

for (const kind of ["group", "stack"] as const)
  test(`a ${kind} of elements keeps their places, and so does ungrouping`, (t) => {
    const layout = canvas(box(0, 0), box(20, 10), box(24, 30));
    const made = grouped(layout, [[2], [1]], kind, 112);
    if (made === undefined) return t.fail();
    t.deepEqual(made.selection, [[1]]);
    t.like(made.layout.elements[1], { kind, x: 20, y: 10, width: 14, height: 30 });
    t.deepEqual(checkCanvas({ ...layout, ...made.layout }), []);
    t.deepEqual(ungrouped(made.layout, [1], 112)?.layout.elements, layout.elements);
  });

test("elements of different groups are not grouped", (t) => {
  const layout = canvas(box(0, 0), { kind: "group", x: 0, y: 0, width: 50, height: 50, elements: [box(1, 1)] });
  t.is(grouped(layout, [[0], [1, 0]], "group", 112), undefined);
});

test("an element in a turned group moves as the pointer does", (t) => {
  const group = {
    kind: "group" as const,
    x: 0,
    y: 0,
    width: 50,
    height: 50,
    rotate: 90 as const,
    elements: [box(10, 10)],
  };
  const layout = canvas(group);
  const [turned] = moved(layout, layout, [{ path: [0, 0], x: 3, y: 0 }], 112).elements;
  t.like(turned, { elements: [{ x: 10, y: 7 }] });
});

test("a selected group moves once, and not again for its selected members", (t) => {
  const layout = canvas({ kind: "group", x: 5, y: 5, width: 50, height: 50, elements: [box(1, 1)] });
  const [group] = nudged(layout, [[0], [0, 0]], { x: 2 }, 112).elements;
  t.like(group, { x: 7, elements: [{ x: 1 }] });
});

test("arrow keys move, by more with Shift, and resize with Ctrl", (t) => {
  const key = (name: string, more: object = {}) =>
    keyAct({ key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });
  t.deepEqual(key("ArrowLeft"), { way: { x: -1, y: 0 } });
  t.deepEqual(key("ArrowDown", { shiftKey: true }), { way: { x: 0, y: 8 } });
  t.deepEqual(key("ArrowRight", { ctrlKey: true }), { way: { width: 1, height: 0 } });
  t.deepEqual(key("z", { ctrlKey: true, shiftKey: true }), { act: "redo" });
  t.is(key("a"), undefined);
});

test("a new design has a valid layout for each size, scaled from another design", (t) => {
  const from = canvas({
    kind: "text",
    x: 10,
    y: 10,
    width: 80,
    height: 30,
    font: "bold",
    size: 20,
    color: "black",
    text: "a",
  });
  const made = beginDesign(
    "New",
    [
      { width: 200, height: 100 },
      { width: 100, height: 50 },
      { width: 200, height: 100 },
    ],
    from,
  );
  t.is(made.variants?.length, 1, "each size once");
  t.like(made.elements[0], { x: 20, y: 20, width: 160, height: 60, size: 40 });
  t.deepEqual(made.variants?.[0]?.elements, from.elements);
  t.deepEqual(checkCanvas(made), []);
  t.deepEqual(checkCanvas(beginDesign("Empty", [{ width: 296, height: 128 }], undefined)), []);
  t.regex(idFor("Wein & Sekt – Größe 2", "design", 0.5), /^[a-z0-9-]+-[a-z0-9]{4}$/);
});

test("millimetres stay the same on a label of another size", (t) => {
  const [scaled] = scaledElements([box(0, 0, { thickness: 2, x: "3mm" })], 2, 2);
  t.like(scaled, { x: "3mm", width: 20, thickness: 2 });
});

test("while a call runs, only the newest of the later calls waits, and that call always runs", async (t) => {
  const ran: number[] = [];
  const ends: (() => void)[] = [];
  const call = latest<number>(async (order) => {
    ran.push(order);
    await new Promise<void>((done) => ends.push(done));
  });
  for (const order of [1, 2, 3]) call(order);
  t.deepEqual(ran, [1]);
  ends.shift()?.();
  await Promise.resolve().then(() => undefined);
  await new Promise((done) => setImmediate(done));
  t.deepEqual(ran, [1, 3]);
  ends.shift()?.();
});
