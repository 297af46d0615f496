import type { Variables } from "../../domain/expression/expression.ts";
import { limits } from "../../domain/expression/limits.ts";
import { withBudget } from "../../domain/expression/meter.ts";
import type { Element } from "../../schemas/canvas.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import type { CompiledElement, CompiledGroup, CompiledLayout, CompiledNode } from "./compile-canvas.ts";
import { type FilledElement, type Placed, placeInGroup, stacked } from "./place.ts";

/**
 * A layout filled with a link's values. Two links that show the same elements with the same content have equal pixels
 * on labels of one type in stores with the same locale and currency; the position of an element depends on which others
 * are shown.
 */
export interface FilledLayout {
  elements: readonly FilledElement[];
  warnings: readonly DrawingNotice[];
  /** The number of the element that each warning is about. */
  owners: ReadonlyMap<DrawingNotice, number>;
}

/** The warnings of a layout that is being filled, each with the number of its element. */
type Owners = Map<DrawingNotice, number>;

/** Fills a layout with a link's values. Throws BudgetError if its expressions take more steps than one label may. */
export function fillLayout({ elements }: CompiledLayout, variables: Variables): FilledLayout {
  return withBudget("the layout", limits.layoutSteps, () => {
    const owners: Owners = new Map();
    const filled = elementsOf(fillNodes(elements, { ...variables, group: {} }, owners));
    return { elements: filled, warnings: [...owners.keys()], owners };
  });
}

const elementsOf = (placed: readonly Placed[]): FilledElement[] => placed.flatMap(({ elements }) => elements);

/** The nodes with any visible content. */
function fillNodes(nodes: readonly CompiledNode[], variables: Variables, owners: Owners): Placed[] {
  const shown: Placed[] = [];
  for (const node of nodes) {
    if (node.visible && !node.visible.evaluate(variables)) continue;
    const isGroup = "group" in node;
    const elements = isGroup ? fillGroup(node, variables, owners) : fillElement(node, variables, owners);
    if (elements.length > 0) shown.push({ area: isGroup ? node.group : node.element, elements });
  }
  return shown;
}

function fillGroup(node: CompiledGroup, variables: Variables, owners: Owners): FilledElement[] {
  const { group, repetition, members } = node;
  const { index, count } = repetition;
  const inside = { ...variables, group: { index: BigInt(index), count: BigInt(count) } };
  const filled = fillNodes(members, inside, owners);
  return placeInGroup(group, index, elementsOf(group.kind === "stack" ? stacked(group, filled) : filled));
}

function fillElement(
  { index, element, template }: CompiledElement,
  variables: Variables,
  owners: Owners,
): FilledElement[] {
  const { text, missing, reasons, rounded = [], parts } = template?.fill(variables) ?? { text: "", missing: [] };
  for (const source of missing) owners.set(withoutValue(source, reasons?.[source]), index);
  for (const one of rounded) owners.set(one, index);
  return template === undefined || isShown(element, text, missing)
    ? [{ index, element, text, ...(parts && { parts }) }]
    : [];
}

const withoutValue = (expression: string, reason: DrawingNotice | string | undefined): DrawingNotice =>
  reason === undefined ? notice("NO_VALUE", { expression }) : notice("NO_VALUE_BECAUSE", { expression, reason });

/** An empty element is not shown, nor is a price, code or image with a missing part, which would be another one. */
const isShown = ({ kind }: Element, text: string, missing: readonly string[]): boolean =>
  text.trim() !== "" && (kind === "text" || missing.length === 0);
