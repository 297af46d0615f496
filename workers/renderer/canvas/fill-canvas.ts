import type { Element } from "../../../schemas/canvas.ts";
import type { Variables } from "../../evaluator/expression/expression.ts";
import { limits } from "../../evaluator/expression/limits.ts";
import { withBudget } from "../../evaluator/expression/meter.ts";
import type { CompiledElement, CompiledLayout } from "./compile-canvas.ts";

/** An element that a link shows, with its content. */
export interface FilledElement {
  /** Its index among the layout's elements. */
  index: number;
  element: Element;
  /** The content of a text, a price or a code. */
  text: string;
}

/**
 * A layout filled with a link's values. Two links with equal filled layouts have equal pixels on labels of one type in
 * stores of one locale and currency.
 */
export interface FilledLayout {
  elements: readonly FilledElement[];
  warnings: readonly string[];
}

/** Fills a layout with a link's values. Throws BudgetError where its expressions take more steps than one label may. */
export function fillLayout(layout: CompiledLayout, variables: Variables): FilledLayout {
  return withBudget("the layout", limits.layoutSteps, () => fillElements(layout, variables));
}

function fillElements({ elements }: CompiledLayout, variables: Variables): FilledLayout {
  const filled: FilledElement[] = [];
  const warnings: string[] = [];
  for (const [index, { element, visible, template }] of elements.entries()) {
    if (visible && !visible.evaluate(variables)) continue;
    const { text, missing, rounded = [] } = template?.fill(variables) ?? { text: "", missing: [] };
    for (const source of missing) warnings.push(`\${${source}} has no value`);
    warnings.push(...rounded);
    if (template === undefined || isShown(element, text, missing)) filled.push({ index, element, text });
  }
  return { elements: filled, warnings };
}

/** An empty element is not shown, nor is a price or code with a missing part, which would be another price or code. */
const isShown = ({ kind }: CompiledElement["element"], text: string, missing: readonly string[]): boolean =>
  text.trim() !== "" && (kind === "text" || missing.length === 0);
