import { BudgetError, type Variables } from "../../domain/expression/expression.ts";
import { type CanvasDesign, drawnElements, type Element } from "../../schemas/canvas.ts";
import { isTypeface } from "../../schemas/canvas-parts.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import { type CompiledCanvas, layoutFor } from "../canvas/compile-canvas.ts";
import { fillLayout } from "../canvas/fill-canvas.ts";

/** Returns the names of a design's images. Undefined if the names depend on the item: the text must then be filled first. */
export function fixedImageNames(canvas: CanvasDesign): readonly string[] | undefined {
  const templates = elementsOf(canvas).flatMap((element) => (element.kind === "image" ? [element.image] : []));
  return templates.every((template) => !template.includes("${")) ? [...new Set(templates)] : undefined;
}

const elementsOf = ({ elements, variants = [] }: CanvasDesign): Element[] =>
  drawnElements([...elements, ...variants.flatMap((variant) => variant.elements)]);

/** Returns the tenant's fonts that a design uses. */
export const fontNamesOf = (canvas: CanvasDesign): readonly string[] => [
  ...new Set(
    elementsOf(canvas)
      .flatMap((element) => fontsOf(element))
      .filter((name) => !isTypeface(name)),
  ),
];

/** Returns every typeface and font that an element uses. */
function fontsOf(element: Element): string[] {
  if (element.kind === "price") return [element.font];
  if (element.kind !== "text") return [];
  return [element.font, ...(element.runs ?? []).flatMap(({ font }) => font ?? [])];
}

/**
 * Returns the names of the images that a design shows on a label; none if the design has no layout for the label or cannot be
 * filled. Drawing reports that as a fault of the label.
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
