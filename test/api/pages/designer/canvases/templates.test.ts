import test from "ava";
import {
  type Canvas,
  layoutsOf,
  openDocument,
} from "../../../../../api/pages/browser/designer/canvases/document/document.ts";
import { allOf, changed } from "../../../../../api/pages/browser/designer/canvases/document/elements.ts";
import { partsOf, templateOf } from "../../../../../api/pages/browser/designer/canvases/document/text-parts.ts";
import {
  chosenValue,
  isWithin,
  readEntry,
  shownEntry,
} from "../../../../../api/pages/browser/designer/canvases/panels/entries.ts";
import type { FormField } from "../../../../../api/pages/browser/designer/canvases/panels/form-field.ts";
import { sampleItem } from "../../../../../api/pages/browser/designer/canvases/templates/sample-item.ts";
import { formFields } from "../../../../../api/pages/designer/canvases/form-fields.ts";
import { canvas as messages } from "../../../../../api/pages/messages/canvas/en.ts";
import { compileCanvas } from "../../../../../drawing/canvas/compile-canvas.ts";
import { draw } from "../../../../../drawing/canvas/draw.ts";
import { type TemplateId, templateIds } from "../../../../../drawing/templates/listed.ts";
import { templateDesign } from "../../../../../drawing/templates/template-design.ts";
import { templateCanvas } from "../../../../../drawing/templates/templates.ts";
import type { LayoutElement } from "../../../../../schemas/canvas.ts";
import type { Color } from "../../../../../schemas/color.ts";
import { dpiOf } from "../../../../../schemas/panels.ts";

const labelTypes = (
  [
    [152, 152],
    [296, 128],
    [400, 300],
    [592, 128],
    [800, 480],
  ] as const
).map(([width, height], type) => ({ type, width, height, display: "matrix" as const }));
const colors: Color[] = ["white", "black", "red"];

/** Returns a template as a design for every size that it fits. */
function designOf(template: TemplateId): Canvas {
  const laidOut = labelTypes.map((labelType) => ({
    labelType,
    canvas: templateCanvas(template, labelType, "hr-HR"),
  }));
  const made = templateDesign(template, laidOut);
  if (made === undefined) throw new Error(`${template} fits no label type`);
  return made.canvas;
}

/** Shows a value as the editor's form does, and reads it back. */
function throughForm(field: FormField, value: unknown): unknown {
  const px = { unit: "px" as const, dpi: 112 };
  switch (field.control) {
    case "template":
      return templateOf(partsOf(String(value)));
    case "choice":
    case "font":
      return chosenValue(String(value));
    case "color":
    case "ink":
      return JSON.parse(JSON.stringify(value));
    default: {
      const read = readEntry(field, shownEntry(field, value, px), px.unit);
      return isWithin(field, read) ? read : "outside the limits of its field";
    }
  }
}

function fieldNamed(kind: string, name: string): FormField {
  const field = formFields[kind]?.find((one) => one.name === name);
  if (field === undefined) throw new Error(`the form of ${kind} has no ${name}`);
  return field;
}

const enteredAgain = (element: LayoutElement): LayoutElement => {
  const entries = Object.entries(element).map(([name, value]) =>
    name === "kind" || name === "elements" ? [name, value] : [name, throughForm(fieldNamed(element.kind, name), value)],
  );
  return Object.fromEntries(entries) as LayoutElement;
};

/** Opens a design in the editor, enters each value of each element again, and returns the saved design. */
function savedAgain(canvas: Canvas): Canvas {
  const document = openDocument(canvas);
  for (const index of layoutsOf(canvas).keys()) {
    document.show(index);
    for (const { path } of allOf(document.layout.elements))
      document.changeLayout(changed(document.layout, path, enteredAgain), [path]);
  }
  return JSON.parse(JSON.stringify(document.edited.canvas));
}

/** Draws a design on each label that it has a layout for. */
function picturesOf(canvas: Canvas): Uint8Array[] {
  const { properties, ...item } = sampleItem(canvas, [], "Kruh");
  const store = { locale: "hr-HR", currency: "EUR" };
  const variables = {
    ...{ item: { ...item, ...properties }, link: { displayPosition: 0n }, device: {} },
    store: { ...store, timeZone: "UTC" },
  };
  const compiled = compileCanvas(canvas);
  const sizes = new Set(layoutsOf(canvas).map(({ width, height }) => `${width}x${height}`));
  return labelTypes
    .filter(({ width, height }) => sizes.has(`${width}x${height}`))
    .map((labelType) => {
      const facts = { labelType: { ...labelType, colors, dpi: dpiOf(labelType) }, variables, store, images: new Map() };
      return draw(compiled, facts).picture.pixels;
    });
}

for (const template of templateIds) {
  test(`${template}: the editor's form shows and reads each of its values, and its pixels stay the same`, (t) => {
    const canvas = designOf(template);
    const saved = savedAgain(canvas);
    t.deepEqual(saved, canvas);
    t.deepEqual(picturesOf(saved), picturesOf(canvas));
  });

  test(`${template}: the gallery describes it`, (t) => {
    t.true(`canvases.template.${template}` in messages);
    t.true(`canvases.templateWhat.${template}` in messages);
  });
}

test("a template is shown with the first item that has all of its properties, or else with a sample", (t) => {
  const canvas: Canvas = {
    ...{ name: "deposit", width: 100, height: 50, background: "white" },
    elements: [
      {
        kind: "price",
        x: 0,
        y: 0,
        width: 100,
        height: 50,
        font: "bold",
        size: 20,
        color: "black",
        value: "${item.deposit}",
      },
    ],
  };
  const plain = { itemId: "1", itemName: "Pear", price: "2.00" };
  const bottle = { ...plain, itemId: "2", properties: { deposit: "0.25" } };
  t.is(sampleItem(canvas, [plain, bottle], "Sample"), bottle);
  t.like(sampleItem(canvas, [plain], "Sample"), { itemName: "Sample", properties: { deposit: "0.25" } });
});
