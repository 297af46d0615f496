import { Type } from "typebox";
import * as canvas from "./canvas.ts";
import type { Fault } from "./problem.ts";
import { type Check, compileCheck } from "./validate.ts";

const linearCode = compileCheck(canvas.LinearCodeElement);
const matrixCode = compileCheck(canvas.MatrixCodeElement);

/** The check of each kind of element: faults are reported for that kind and not for each branch of a union. */
const elementChecks: Readonly<Record<canvas.Element["kind"], Check>> = {
  text: compileCheck(canvas.TextElement),
  price: compileCheck(canvas.PriceElement),
  box: compileCheck(canvas.BoxElement),
  line: compileCheck(canvas.LineElement),
  image: compileCheck(canvas.ImageElement),
  ean13: linearCode,
  ean8: linearCode,
  upca: linearCode,
  code128: linearCode,
  "gs1-128": linearCode,
  qr: matrixCode,
  "gs1-datamatrix": matrixCode,
};

const Elements = Type.Array(Type.Object({ kind: Type.Enum(Object.keys(elementChecks)) }), {
  maxItems: canvas.canvasLimits.elements,
});
const { elements: _, ...layout } = canvas.CanvasLayout.properties;
const { elements: __, variants: ___, ...design } = canvas.CanvasDesign.properties;
const checkFrame = compileCheck(
  Type.Object({
    ...design,
    elements: Elements,
    variants: Type.Optional(
      Type.Array(Type.Object({ ...layout, elements: Elements }), { maxItems: canvas.canvasLimits.variants }),
    ),
  }),
);

/** All faults of a canvas design's form, each with its JSON Pointer. Its expressions are not compiled here. */
export function checkCanvas(value: unknown): Fault[] {
  const limitFault = versionFault(value) ?? countFault(value);
  if (limitFault) return [limitFault];
  const faults = checkFrame(value);
  if (faults.length > 0) return faults;
  const { elements, variants = [] } = value as canvas.CanvasDesign;
  const ofElements = [
    ...elementFaults("/elements", elements),
    ...variants.flatMap((variant, index) => elementFaults(`/variants/${index}/elements`, variant.elements)),
  ];
  return ofElements.length > 0
    ? ofElements
    : imageFaults([elements, ...variants.map((variant) => variant.elements)].flat());
}

function versionFault(value: unknown): Fault | undefined {
  const { schemaVersion } = (value ?? {}) as { schemaVersion?: unknown };
  if (!Number.isInteger(schemaVersion) || (schemaVersion as number) <= canvas.CANVAS_SCHEMA_VERSION) return undefined;
  const detail = `the design is of form ${schemaVersion}, and forms up to ${canvas.CANVAS_SCHEMA_VERSION} are known here`;
  return { pointer: "/schemaVersion", detail };
}

/** Checked before the schema, so that the elements of a far too long list are never checked. */
function countFault(value: unknown): Fault | undefined {
  const { elements, variants } = (value ?? {}) as { elements?: unknown; variants?: unknown };
  const max = canvas.canvasLimits;
  if (Array.isArray(variants) && variants.length > max.variants) {
    return { pointer: "/variants", detail: `a design has at most ${max.variants} variants, not ${variants.length}` };
  }
  const lists = [elements, ...(Array.isArray(variants) ? variants.map((variant) => variant?.elements) : [])];
  const counts = lists.map((list) => (Array.isArray(list) ? list.length : 0));
  const index = counts.findIndex((count) => count > max.elements);
  if (index >= 0) {
    const pointer = index === 0 ? "/elements" : `/variants/${index - 1}/elements`;
    return { pointer, detail: `a picture has at most ${max.elements} elements, not ${counts[index]}` };
  }
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all <= max.elementsInAll) return undefined;
  return { pointer: "", detail: `a design has at most ${max.elementsInAll} elements in all, not ${all}` };
}

const elementFaults = (pointer: string, elements: readonly canvas.Element[]): Fault[] =>
  elements.flatMap((element, index) =>
    [...elementChecks[element.kind](element), ...separatorFaults(element)].map((fault) => ({
      ...fault,
      pointer: `${pointer}/${index}${fault.pointer}`,
    })),
  );

/** Without a separator only the size tells the decimals from the integer: 1249 is not 12,49. */
const MAX_PERCENT_UNSEPARATED = 70;

function separatorFaults(element: canvas.Element): Fault[] {
  if (element.kind !== "price" || element.separator !== "none") return [];
  if ((element.decimalsPercent ?? 0) <= MAX_PERCENT_UNSEPARATED) return [];
  const detail = `decimals without a separator have at most ${MAX_PERCENT_UNSEPARATED} percent of the size, not ${element.decimalsPercent}`;
  return [{ pointer: "/decimalsPercent", detail }];
}

function imageFaults(elements: readonly canvas.Element[]): Fault[] {
  const maxPixels = canvas.canvasLimits.imagePixels;
  const pixels = elements
    .filter(({ kind }) => kind === "image")
    .reduce((sum, { width, height }) => sum + width * height, 0);
  if (pixels <= maxPixels) return [];
  return [{ pointer: "", detail: `images cover at most ${maxPixels} pixels in all, not ${pixels}` }];
}
