import { isAssetName } from "./asset.ts";
import {
  CANVAS_SCHEMA_VERSION,
  CanvasDesign,
  CanvasOrder,
  type GroupElement,
  hasMembers,
  inPixels,
  type LayoutElement,
  type StackElement,
} from "./canvas.ts";
import type { LinearCodeElement } from "./canvas-codes.ts";
import { withoutComments } from "./canvas-comments.ts";
import type { ImageElement } from "./canvas-images.ts";
import { canvasLimits, hasBold, isSideways } from "./canvas-parts.ts";
import type { PolygonElement } from "./canvas-shapes.ts";
import type { PriceElement, TextElement } from "./canvas-texts.ts";
import type { Fault } from "./problem.ts";
import { unknownFields } from "./unknown-fields.ts";
import { compileCheck } from "./validate.ts";

const checkForm = compileCheck(CanvasDesign);

/**
 * Returns all structural faults of a canvas design, each with its JSON Pointer. Expressions are not compiled here. Lengths in
 * millimetres are checked against the bounds in pixels, on the known panels of the design's sizes.
 */
export function checkCanvas(value: unknown): Fault[] {
  const limitFault = versionFault(value) ?? countFault(value);
  if (limitFault) return [limitFault];
  const faults = checkForm(value);
  if (faults.length > 0) return faults;
  const canvas = inPixels(value as CanvasDesign);
  const faultsInPixels = canvas === value ? [] : checkForm(canvas);
  if (faultsInPixels.length > 0) return faultsInPixels;
  const { elements, variants = [] } = canvas;
  const ofElements = [
    ...elementFaults(elements, ""),
    ...variants.flatMap((variant, index) => elementFaults(variant.elements, `/variants/${index}`)),
  ];
  return ofElements.length > 0
    ? ofElements
    : imageFaults([elements, ...variants.map((variant) => variant.elements)].flat());
}

/**
 * Returns a fault for each field that the schema does not define, except comments. Saving rejects such a design; a stored one
 * is still drawn.
 */
export const unknownFieldsOf = (design: unknown): Fault[] =>
  unknownFields(CanvasOrder, withoutComments(design), ["/canvasId", "/key"]);

function versionFault(value: unknown): Fault | undefined {
  const { schemaVersion } = (value ?? {}) as { schemaVersion?: unknown };
  if (!Number.isInteger(schemaVersion) || (schemaVersion as number) <= CANVAS_SCHEMA_VERSION) return undefined;
  const detail = `the design has schemaVersion ${schemaVersion}, but this server supports versions up to ${CANVAS_SCHEMA_VERSION}`;
  return { pointer: "/schemaVersion", detail };
}

/**
 * Returns a fault if a list is too long. It runs before the schema's check, so that the elements of such a list are never
 * checked.
 */
function countFault(value: unknown): Fault | undefined {
  const { elements, variants } = (value ?? {}) as { elements?: unknown; variants?: unknown };
  if (Array.isArray(variants) && variants.length > canvasLimits.variants) {
    return {
      pointer: "/variants",
      detail: `a design can have at most ${canvasLimits.variants} variants, not ${variants.length}`,
    };
  }
  const lists = [elements, ...(Array.isArray(variants) ? variants.map((variant) => variant?.elements) : [])];
  let all = 0;
  for (const [index, list] of lists.entries()) {
    const pointer = index === 0 ? "/elements" : `/variants/${index - 1}/elements`;
    const count = countOf(list, 0);
    if (count === undefined)
      return { pointer, detail: `groups can be nested at most ${canvasLimits.depth} levels deep; these are deeper` };
    if (count > canvasLimits.elements)
      return { pointer, detail: `a picture can have at most ${canvasLimits.elements} elements, not ${count}` };
    all += count;
  }
  if (all <= canvasLimits.elementsInAll) return undefined;
  return {
    pointer: "",
    detail: `a design can have at most ${canvasLimits.elementsInAll} elements in total, not ${all}`,
  };
}

/** Counts the elements of a list, including every copy of a group; undefined if groups are nested too deep. */
function countOf(list: unknown, depth: number): number | undefined {
  if (!Array.isArray(list)) return 0;
  if (depth > canvasLimits.depth) return undefined;
  let count = list.length;
  for (const element of list as Partial<GroupElement | StackElement | null>[]) {
    if (!Array.isArray(element?.elements)) continue;
    const inside = countOf(element.elements, depth + 1);
    if (inside === undefined) return undefined;
    count += inside * timesOf(element.repeat);
  }
  return count;
}

/** Returns how often a group is drawn; the schema rejects an invalid count. */
const timesOf = (repeat: { count?: unknown } | undefined): number =>
  typeof repeat?.count === "number" ? Math.max(1, repeat.count) : 1;

/** Faults that the schema cannot express. */
function elementFaults(elements: readonly LayoutElement[], pointer: string): Fault[] {
  return elements.flatMap((element, index): Fault[] => {
    const at = `${pointer}/elements/${index}`;
    if (hasMembers(element)) return elementFaults(element.elements, at);
    if (element.kind === "polygon") return outsidePoints(element, at);
    if (element.kind === "price") return separatorFaults(element, at);
    if (element.kind === "image") return imageNameFaults(element, at);
    if (element.kind === "text") return [...ellipsisFaults(element, at), ...boldFaults(element, at)];
    return "guardBars" in element ? guardFaults(element, at) : [];
  });
}

/** Without a separator, only the size distinguishes the decimals from the integer: 1249 must not be read as 12,49. */
export const MAX_PERCENT_UNSEPARATED = 70;

function separatorFaults({ separator, decimalsPercent = 0 }: PriceElement, at: string): Fault[] {
  if (separator !== "none" || decimalsPercent <= MAX_PERCENT_UNSEPARATED) return [];
  const detail = `decimals without a separator can have at most ${MAX_PERCENT_UNSEPARATED} percent of the size, not ${decimalsPercent}`;
  return [{ pointer: `${at}/decimalsPercent`, detail }];
}

/** Checks a name that is not a template; `image` may also be the SHA-256 of an image file. */
const imageNameFaults = ({ image }: ImageElement, at: string): Fault[] =>
  image.includes("${") || isAssetName(image) || /^[0-9a-f]{64}$/.test(image)
    ? []
    : [{ pointer: `${at}/image`, detail: `"${image}" is not a valid image name: use letters, digits, and _ . - only` }];

const ellipsisFaults = ({ runs, ellipsis = "word" }: TextElement, at: string): Fault[] =>
  runs && ellipsis !== "word"
    ? [{ pointer: `${at}/ellipsis`, detail: `a text with runs must be cut at a word: use "word", not "${ellipsis}"` }]
    : [];

/** A font of the tenant has one weight, as does the narrow typeface. */
const boldFaults = ({ font, runs = [] }: TextElement, at: string): Fault[] =>
  runs.flatMap(({ bold, font: own = font }, index) =>
    bold === undefined || hasBold(own)
      ? []
      : [{ pointer: `${at}/runs/${index}/bold`, detail: `"${own}" has only one weight: set the run's own font` }],
  );

const isGuarded = ({ kind }: LinearCodeElement): boolean => kind === "ean13" || kind === "ean8" || kind === "upca";

const guardFaults = (element: LinearCodeElement, at: string): Fault[] =>
  element.guardBars && !isGuarded(element)
    ? [{ pointer: `${at}/guardBars`, detail: `${element.kind} has no guard bars; only ean13, ean8 and upca have them` }]
    : [];

/** Finds corners outside a polygon's area: they would distort the calculation of covered elements. */
const outsidePoints = ({ points, width, height, rotate }: PolygonElement, at: string): Fault[] => {
  const [right, bottom] = isSideways(rotate) ? [height, width] : [width, height];
  return points.flatMap(([x = 0, y = 0], index) =>
    x < right && y < bottom
      ? []
      : [{ pointer: `${at}/points/${index}`, detail: `lies outside the area of ${right} x ${bottom} pixels` }],
  );
};

function imageFaults(elements: readonly LayoutElement[]): Fault[] {
  const pixels = imagePixels(elements);
  if (pixels <= canvasLimits.imagePixels) return [];
  return [
    { pointer: "", detail: `images can cover at most ${canvasLimits.imagePixels} pixels in total, not ${pixels}` },
  ];
}

const imagePixels = (elements: readonly LayoutElement[]): number =>
  elements.reduce((sum, element) => {
    if (hasMembers(element)) return sum + imagePixels(element.elements) * timesOf(element.repeat);
    return element.kind === "image" ? sum + element.width * element.height : sum;
  }, 0);
