import type { CanvasDesign, Element } from "../../schemas/canvas.ts";
import type { Expression } from "../evaluator/expression.ts";
import { compileTemplate, designCompiler, type Template } from "./template.ts";

/** An element with its texts compiled. */
export interface CompiledElement {
  element: Element;
  visible: Pick<Expression, "evaluate"> | undefined;
  /** Of a text, a price or a code: what it shows. */
  template: Template | undefined;
}

export interface CompiledCanvas extends Omit<CanvasDesign, "elements"> {
  elements: readonly CompiledElement[];
}

/** Compiles every expression of a design once. Throws ExpressionError where one is not valid. */
export const compileCanvas = ({ name, width, height, background, elements }: CanvasDesign): CompiledCanvas => ({
  name,
  width,
  height,
  background,
  elements: elements.map((element) => ({
    element,
    visible: element.visible?.trim() ? designCompiler(element.visible) : undefined,
    template: templateOf(element),
  })),
});

function templateOf(element: Element): Template | undefined {
  if (element.kind === "text") return compileTemplate(element.text);
  if (element.kind === "price" || element.kind === "ean13") return compileTemplate(element.value);
  return undefined;
}
