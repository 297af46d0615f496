import type { Variables } from "../../domain/expression/expression.ts";
import { limits } from "../../domain/expression/limits.ts";
import { withBudget } from "../../domain/expression/meter.ts";
import type { Element } from "../../schemas/canvas.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import type { CompiledElement, CompiledGroup, CompiledLayout, CompiledNode } from "./compile-canvas.ts";
import { type FilledElement, type FilledPart, flowsByContent, placeParts } from "./place.ts";

/**
 * A layout filled with a link's values. Two links that show the same elements with the same content produce identical pixels on
 * labels of one type in stores with the same locale and currency. The position of an element depends on which other elements
 * are shown.
 */
export interface FilledLayout {
  elements: readonly FilledElement[];
  /**
   * Set if a stack flows by content: the same elements, still in their groups. They are placed once their content is measured.
   */
  parts?: readonly FilledPart[];
  warnings: readonly DrawingNotice[];
  /** For each warning, the number of the element that caused it. */
  owners: ReadonlyMap<DrawingNotice, number>;
}

/** The warnings of a layout that is being filled, each with the number of its element. */
type Owners = Map<DrawingNotice, number>;

/** Fills a layout with a link's values. Throws BudgetError if its expressions take more steps than a label may use. */
export function fillLayout({ elements }: CompiledLayout, variables: Variables): FilledLayout {
  return withBudget("the layout", limits.layoutSteps, () => {
    const owners: Owners = new Map();
    const parts = fillNodes(elements, { ...variables, group: {} }, owners);
    const placed = placeParts(parts).flatMap((part) => part.elements);
    return { elements: placed, ...(flowsByContent(parts) && { parts }), warnings: [...owners.keys()], owners };
  });
}

/** Returns the nodes with any visible content. */
function fillNodes(nodes: readonly CompiledNode[], variables: Variables, owners: Owners): FilledPart[] {
  const shown: FilledPart[] = [];
  for (const node of nodes) {
    if (node.visible && !node.visible.evaluate(variables)) continue;
    const filled = "group" in node ? fillGroup(node, variables, owners) : fillElement(node, variables, owners);
    if (filled !== undefined) shown.push(filled);
  }
  return shown;
}

function fillGroup(node: CompiledGroup, variables: Variables, owners: Owners): FilledPart | undefined {
  const { group, repetition, members } = node;
  const { index, count } = repetition;
  const inside = { ...variables, group: { index: BigInt(index), count: BigInt(count) } };
  const parts = fillNodes(members, inside, owners);
  return parts.length > 0 ? { group, repetition: index, parts } : undefined;
}

function fillElement(
  { index, pointer, element, template }: CompiledElement,
  variables: Variables,
  owners: Owners,
): FilledElement | undefined {
  const {
    text,
    missing,
    reasons,
    rounded = [],
    parts,
  } = template?.fill(inLocaleOf(element, variables)) ?? { text: "", missing: [] };
  for (const source of missing) owners.set(withoutValue(source, reasons?.[source]), index);
  for (const one of rounded) owners.set(one, index);
  if (template !== undefined && !isShown(element, text, missing)) return undefined;
  const [value = "", suffix = ""] = parts ?? [];
  // A price with a suffix is a number followed by text.
  if (parts && element.kind === "price")
    return value.trim() === "" ? undefined : { index, pointer, element: { ...element, suffix }, text: value, parts };
  return { index, pointer, element, text, ...(parts && { parts }) };
}

/** Functions in an element's text write numbers, dates and units in the element's locale. Conditions use the store's locale. */
function inLocaleOf(element: Element, variables: Variables): Variables {
  const { store } = variables;
  if (!("locale" in element) || element.locale === undefined || typeof store !== "object") return variables;
  return { ...variables, store: { ...store, locale: element.locale } };
}

const withoutValue = (expression: string, reason: DrawingNotice | string | undefined): DrawingNotice =>
  reason === undefined ? notice("NO_VALUE", { expression }) : notice("NO_VALUE_BECAUSE", { expression, reason });

/**
 * An empty element is not shown. A price, code or image with a missing part is not shown either: it would be a different price,
 * code or image.
 */
const isShown = ({ kind }: Element, text: string, missing: readonly string[]): boolean =>
  text.trim() !== "" && (kind === "text" || missing.length === 0);
