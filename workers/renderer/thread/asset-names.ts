import { type CanvasDesign, drawnElements, type Element } from "../../../schemas/canvas.ts";
import { isTypeface } from "../../../schemas/canvas-parts.ts";
import type { LabelType } from "../../../schemas/tenant.ts";
import { BudgetError, type Variables } from "../../evaluator/expression/expression.ts";
import { type CompiledCanvas, compileCanvas, DesignError, layoutFor } from "../canvas/compile-canvas.ts";
import { fillLayout } from "../canvas/fill-canvas.ts";

/** The images that a design shows on a label, by their names, which may depend on the item. */
export type ImageNames = (labelType: LabelType, variables: () => Variables) => readonly string[];

/** Finds the images that a design names. A design whose names are all fixed is not compiled. */
export function imageNamesOf(canvas: CanvasDesign): ImageNames {
  const templates = elementsOf(canvas).flatMap((element) => (element.kind === "image" ? [element.image] : []));
  const isFixed = templates.every((template) => !template.includes("${"));
  const fixed = [...new Set(templates)];
  if (isFixed) return () => fixed;
  const compiled = tryToCompile(canvas);
  return (labelType, variables) => {
    const layout = compiled && layoutFor(compiled, labelType);
    return layout ? namesIn(layout, variables()) : [];
  };
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

/** A design that cannot be compiled or filled is a fault of its labels when it is drawn, and shows no image. */
function tryToCompile(canvas: CanvasDesign): CompiledCanvas | undefined {
  try {
    return compileCanvas(canvas);
  } catch (error) {
    if (error instanceof DesignError) return undefined;
    throw error;
  }
}

function namesIn(layout: CompiledCanvas["layouts"][number], variables: Variables): string[] {
  try {
    const { elements } = fillLayout(layout, variables);
    return [...new Set(elements.flatMap(({ element, text }) => (element.kind === "image" ? [text] : [])))];
  } catch (error) {
    if (error instanceof BudgetError) return [];
    throw error;
  }
}
