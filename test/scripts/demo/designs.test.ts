import test from "ava";
import { compile } from "../../../domain/expression/expression.ts";
import { compileCanvas } from "../../../drawing/canvas/compile-canvas.ts";
import { CanvasDesign } from "../../../schemas/canvas.ts";
import { CommunicationPack, Design, type Scenario } from "../../../schemas/design.ts";
import { labelCatalogue } from "../../../schemas/label-catalogue.ts";
import { LabelType } from "../../../schemas/label-type.ts";
import { Model } from "../../../schemas/model.ts";
import { Store } from "../../../schemas/store.ts";
import { compileCheck } from "../../../schemas/validate.ts";
import { demoStore, labelTypes, models } from "../../../scripts/demo/catalogue.ts";
import { demoDesigns, demoPack } from "../../../scripts/demo/designs.ts";
import { items, storedItem } from "./items.ts";
import { chosenFor } from "./rules.ts";

/** Returns the conditions that must all hold for an element to be shown. */
const conditionsOf = ({ visible = "" }: { visible?: string | undefined }): string[] =>
  visible.replaceAll(/ && \((.*)\)$/g, " && $1").split(" && ");
const areOpposed = (one: string, other: string): boolean =>
  one === `!${other}` ||
  other === `!${one}` ||
  (one.includes(" == ") && one !== other && subjectOf(one) === subjectOf(other));
const subjectOf = (condition: string): string => condition.split(" == ")[0] ?? "";
const scenariosOf = (scenarios: readonly Scenario[]): Scenario[] =>
  scenarios.flatMap((scenario) => [scenario, ...scenariosOf(scenario.children)]);

test("everything that the demo stores matches its record's schema", (t) => {
  const faults = [
    ...labelTypes.flatMap(compileCheck(LabelType)),
    ...models.flatMap(compileCheck(Model)),
    ...demoDesigns.flatMap(({ design, canvas }) => [
      ...compileCheck(Design)(design),
      ...compileCheck(CanvasDesign)(canvas),
    ]),
    ...compileCheck(CommunicationPack)(demoPack),
    ...compileCheck(Store)(demoStore),
  ];
  t.deepEqual(faults, []);
});

test("every design is for label types of exactly its size and names its own canvas", (t) => {
  for (const { id, design, canvas } of demoDesigns) {
    t.is(design.canvasId, `t/demo/canvasdesigns/${id}`);
    t.true(design.compatible_esltype_ids.length > 0, id);
    for (const type of design.compatible_esltype_ids) {
      const { width, height } =
        labelTypes.find((one) => one.type === type) ?? labelCatalogue.find((one) => one.type === type)?.labelType ?? {};
      t.deepEqual({ width, height }, { width: canvas.width, height: canvas.height });
    }
  }
});

test("IDs of designs are unique", (t) => {
  t.is(new Set(demoDesigns.map(({ id }) => id)).size, demoDesigns.length);
});

for (const { type, width, height } of labelTypes) {
  test(`label type ${type} has a design for each occasion, and the rules choose it`, (t) => {
    const properties = { unit: "ko" };
    const occasions = {
      regular: { itemId: "1", price: "1.99", properties: { ...properties, priceKind: "regular" } },
      special: { itemId: "1", price: "1.99", properties: { ...properties, priceKind: "special" } },
      "no-price": { itemId: "1", properties: { ...properties, priceKind: "special" } },
    };
    for (const [occasion, patch] of Object.entries(occasions)) {
      t.is(chosenFor(storedItem(patch), type), `t/demo/designs/${occasion}-${width}x${height}`);
    }
  });
}

test("the demo's designs are offered for each label type in the catalogue that has their size", (t) => {
  const sizes = new Set(demoDesigns.map(({ canvas }) => `${canvas.width}x${canvas.height}`));
  const fitting = labelCatalogue.filter(({ labelType: { width, height } }) => sizes.has(`${width}x${height}`));
  t.true(fitting.length > 20);
  for (const { name, type, labelType } of fitting)
    t.is(
      chosenFor(storedItem({ itemId: "1", price: "1.99" }), type),
      `t/demo/designs/regular-${labelType.width}x${labelType.height}`,
      name,
    );
});

test("a product without properties has the design for regular prices", (t) => {
  t.is(chosenFor(storedItem({ itemId: "1", price: "1.99" }), 1328), "t/demo/designs/regular-296x128");
});

test("every expression of the rules compiles", (t) => {
  for (const { cel_expression } of scenariosOf(demoPack.scenarios)) {
    if (cel_expression) t.notThrows(() => compile(cel_expression), cel_expression);
  }
});

test("the rules name every existing design and no other", (t) => {
  const named = new Set(scenariosOf(demoPack.scenarios).flatMap(({ design_ids }) => design_ids));
  t.deepEqual([...named].toSorted(), demoDesigns.map(({ id }) => `t/demo/designs/${id}`).toSorted());
});

test("IDs of scenarios are unique", (t) => {
  const ids = scenariosOf(demoPack.scenarios).map(({ id }) => id);
  t.is(new Set(ids).size, ids.length);
});

for (const { id, canvas } of demoDesigns) {
  test(`${id}: every expression compiles, and every element is on the label`, (t) => {
    t.notThrows(() => compileCanvas(canvas));
    for (const { kind, x, y, width, height } of canvas.elements) {
      t.true(x >= 0 && y >= 0 && x + width <= canvas.width && y + height <= canvas.height, kind);
    }
  });

  test(`${id}: no two elements overlap, except text and its box, and alternatives of which only one is shown`, (t) => {
    const overlaps = canvas.elements.flatMap((one, index) =>
      canvas.elements.slice(index + 1).filter((other) => {
        const isBehind = one.kind === "box" && one.x <= other.x && one.y <= other.y;
        const isApart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        const others = conditionsOf(other);
        const isOneShown = conditionsOf(one).some((condition) => others.some((its) => areOpposed(condition, its)));
        return !isApart && !isBehind && !isOneShown;
      }),
    );
    t.deepEqual(overlaps, []);
  });
}

test("every label type belongs to a model, and models name only existing label types", (t) => {
  const types = labelTypes.map(({ type }) => type);
  t.deepEqual(models.flatMap((model) => model.labelTypes).toSorted(), types.toSorted());
});

test("the sample has products with both kinds of price", (t) => {
  const chosen = new Set(items.map((item) => chosenFor(item, 1328)));
  t.deepEqual([...chosen].toSorted(), ["t/demo/designs/regular-296x128", "t/demo/designs/special-296x128"]);
});
