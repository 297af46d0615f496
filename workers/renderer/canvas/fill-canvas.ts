import type { Element } from "../../../schemas/canvas.ts";
import type { Variables } from "../../evaluator/expression/expression.ts";
import type { CompiledElement, CompiledLayout } from "./compile-canvas.ts";

/** An element that a link shows, with its text. */
export interface FilledElement {
  /** Its place among the layout's elements. */
  index: number;
  element: Element;
  /** Of a text, a price or a code: what it shows. */
  text: string;
}

/**
 * What a link's values make of a layout. Two links whose values fill it equally have equal pixels on labels of one type
 * in stores of one locale and currency.
 */
export interface FilledLayout {
  elements: readonly FilledElement[];
  warnings: readonly string[];
}

/** Puts a link's values into a layout. */
export function fillLayout({ elements }: CompiledLayout, variables: Variables): FilledLayout {
  const filled: FilledElement[] = [];
  const warnings: string[] = [];
  for (const [index, { element, visible, template }] of elements.entries()) {
    if (visible && !visible.evaluate(variables)) continue;
    const { text, missing } = template?.fill(variables) ?? { text: "", missing: [] };
    for (const source of missing) warnings.push(`\${${source}} has no value`);
    if (template === undefined || isShown(element, text, missing)) filled.push({ index, element, text });
  }
  return { elements: filled, warnings };
}

/** A price or a code with a part of it missing would be another one. */
const isShown = ({ kind }: CompiledElement["element"], text: string, missing: readonly string[]): boolean =>
  text.trim() !== "" && (kind === "text" || missing.length === 0);
