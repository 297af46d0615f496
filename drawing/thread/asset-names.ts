import { BudgetError, type Variables } from "../../domain/expression/expression.ts";
import { type CanvasDesign, drawnElements, type Element } from "../../schemas/canvas.ts";
import { isTypeface } from "../../schemas/canvas-parts.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { type CompiledCanvas, layoutFor } from "../canvas/compile-canvas.ts";
import { fillLayout } from "../canvas/fill-canvas.ts";

/** The names of a design's images; undefined if they depend on the item, so that its texts must be filled for them. */
export function fixedImageNames(canvas: CanvasDesign): readonly string[] | undefined {
  const templates = elementsOf(canvas).flatMap((element) => (element.kind === "image" ? [element.image] : []));
  return templates.every((template) => !template.includes("${")) ? [...new Set(templates)] : undefined;
}

const elementsOf = ({ elements, variants = [] }: CanvasDesign): Element[] =>
  drawnElements([...elements, ...variants.flatMap((variant) => variant.elements)]);

/** The fonts of the tenant that a design writes with. */
export const fontNamesOf = (canvas: CanvasDesign): readonly string[] => [
  ...new Set(
    elementsOf(canvas)
      .flatMap((element) => fontsOf(element))
      .filter((name) => !isTypeface(name)),
  ),
];

/** Every typeface and font that an element names. */
function fontsOf(element: Element): string[] {
  if (element.kind === "price") return [element.font];
  if (element.kind !== "text") return [];
  return [element.font, ...(element.runs ?? []).flatMap(({ font }) => font ?? [])];
}

/**
 * The names of the images that a design shows on a label. A design that has no layout for the label, or that cannot be
 * filled, is a fault of its labels when it is drawn, and shows no image.
 */
export function imageNamesIn(canvas: CompiledCanvas, labelType: LabelType, variables: Variables): string[] {
  const layout = layoutFor(canvas, labelType);
  if (layout === undefined) return [];
  try {
    const { elements } = fillLayout(layout, variables);
    return [...new Set(elements.flatMap(({ element, text }) => (element.kind === "image" ? [text] : [])))];
  } catch (error) {
    if (error instanceof BudgetError) return [];
    throw error;
  }
}
