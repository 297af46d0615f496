import { costliest, createCompileBudget } from "../../domain/expression/compile-budget.ts";
import type { Expression } from "../../domain/expression/expression.ts";
import { limits } from "../../domain/expression/limits.ts";
import {
  type CanvasDesign,
  type CanvasLayout,
  type Element,
  type GroupElement,
  hasMembers,
  inPixels,
  isForSize,
  type LayoutElement,
  type StackElement,
} from "../../schemas/canvas.ts";
import { checkCanvas } from "../../schemas/check-canvas.ts";
import type { LabelType } from "../../schemas/label-type.ts";
import type { Fault } from "../../schemas/problem.ts";
import { type Cost, compileTexts, type Work } from "../values/compile-texts.ts";
import type { Template } from "../values/template.ts";
import { PAINTING_STEPS, paintingSteps } from "./painting-steps.ts";

type Condition = Pick<Expression, "evaluate" | "weight">;

/** An element with its compiled expressions. */
export interface CompiledElement {
  /** The element's number in the layout. Each repetition has its own numbers. */
  index: number;
  /** The element's place in the design, as a JSON pointer. */
  pointer: string;
  element: Element;
  visible: Condition | undefined;
  /** Set for a text, a price, a code or an image: the template of its content, or of the image's name. */
  template: Template | undefined;
}

/** One repetition of a group, or of a stack. */
export interface CompiledGroup {
  group: GroupElement | StackElement;
  visible: Condition | undefined;
  /** The number of this repetition, from 0, and how many there are. */
  repetition: { index: number; count: number };
  members: readonly CompiledNode[];
}

export type CompiledNode = CompiledElement | CompiledGroup;

export interface CompiledLayout extends Omit<CanvasLayout, "elements"> {
  elements: readonly CompiledNode[];
}

export interface CompiledCanvas {
  name: string;
  /** The design's own layout, then its variants. */
  layouts: readonly CompiledLayout[];
}

/** Returns the elements of a layout without their groups, in drawing order. */
export const compiledElements = (nodes: readonly CompiledNode[]): CompiledElement[] =>
  nodes.flatMap((node) => ("members" in node ? compiledElements(node.members) : [node]));

/** Thrown if a canvas design cannot be drawn. Lists every fault with its position. */
export class DesignError extends Error {
  override readonly name = "DesignError";
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer}: ${detail}`)).join("; "));
    this.faults = faults;
  }
}

/**
 * Checks a design and compiles each of its expressions once. Throws DesignError with all structural faults or, if there are none,
 * with the first faults of its expressions. Converts any remaining millimetres to pixels, using the known panels of the design's
 * sizes. A stored design was checked against the budget of its release, so it is compiled without a budget.
 */
export function compileCanvas(design: CanvasDesign, isStored = false): CompiledCanvas {
  const faults = checkCanvas(design);
  if (faults.length > 0) throw new DesignError(faults);
  const canvas = inPixels(design);
  const { name, variants = [] } = canvas;
  const work: Work = { faults, budget: isStored ? undefined : createCompileBudget("a design"), isStopped: false };
  const layouts = [
    compileLayout(canvas, "", work),
    ...variants.map((variant, index) => compileLayout(variant, `/variants/${index}`, work)),
  ];
  if (faults.length > 0) throw new DesignError(faults);
  return { name, layouts };
}

/**
 * Returns the layout for a label: a layout of the label's size that names its type, otherwise a layout of that size for all
 * types.
 */
export function layoutFor(
  { layouts }: CompiledCanvas,
  { type, width, height }: Pick<LabelType, "type" | "width" | "height">,
): CompiledLayout | undefined {
  const fitting = layouts.filter((layout) => isForSize(layout, { width, height }));
  return (
    fitting.find(({ labelTypes }) => labelTypes?.includes(type)) ??
    fitting.find(({ labelTypes }) => labelTypes === undefined)
  );
}

function compileLayout({ elements, ...layout }: CanvasLayout, pointer: string, work: Work): CompiledLayout {
  const { width, height, rotate, background, labelTypes } = layout;
  const label = { width, height };
  const compilation: Compilation = { work, label, costs: [], painting: [], numbers: 0 };
  const made = compileElements(compilation, elements, { pointer, times: 1, isMoved: false });
  for (const detail of [
    tooManySteps(compilation.costs, limits.layoutSteps, "for one label"),
    tooManySteps(compilation.painting, PAINTING_STEPS, "to paint"),
  ])
    if (detail !== undefined) work.faults.push({ pointer: `${pointer}/elements`, detail });
  return {
    width,
    height,
    ...(rotate && { rotate }),
    background,
    ...(labelTypes && { labelTypes }),
    elements: repeated(made, compilation),
  };
}

interface Compilation {
  work: Work;
  label: { width: number; height: number };
  /** The cost of filling and painting each element for one label, counting its repetitions. */
  costs: Cost[];
  painting: Cost[];
  /** How many elements have been numbered so far. */
  numbers: number;
}

/** An element with compiled expressions, before it is repeated and numbered. */
type Part = Omit<CompiledElement, "index"> | (Pick<CompiledGroup, "group" | "visible"> & { parts: readonly Part[] });

/** An element's position in the design, how often the element is drawn, and whether a group moves it. */
interface Place {
  pointer: string;
  times: number;
  isMoved: boolean;
}

function compileElements(compilation: Compilation, elements: readonly LayoutElement[], place: Place): Part[] {
  const parts: Part[] = [];
  for (const [index, element] of elements.entries()) {
    if (compilation.work.isStopped) break;
    parts.push(compileElement(compilation, element, { ...place, pointer: `${place.pointer}/elements/${index}` }));
  }
  return parts;
}

function compileElement(compilation: Compilation, element: LayoutElement, place: Place): Part {
  const { costs, painting, label } = compilation;
  const { pointer, isMoved } = place;
  const times = hasMembers(element) ? place.times * (element.repeat?.count ?? 1) : place.times;
  const { visible, template } = compileTexts(compilation.work, element, pointer, costs);
  const weights = [...(visible ? [visible.weight] : []), ...(template?.weights ?? [])];
  costs.push({ name: pointer, steps: times * weights.reduce((sum, { steps }) => sum + steps, 0) });
  if (hasMembers(element)) {
    const parts = compileElements(compilation, element.elements, { pointer, times, isMoved: true });
    return { group: element, visible, parts };
  }
  // Where a group moves an element is known only once the layout is filled. Until then, the whole element counts as being on
  // the label.
  const largest = isMoved ? { ...element, x: 0, y: 0 } : element;
  painting.push({ name: pointer, steps: Math.round(times * paintingSteps(largest, "", label)) });
  return { pointer, element, visible, template };
}

/** Returns the elements, repeated as often as their groups, each copy with its own number. */
function repeated(parts: readonly Part[], compilation: Pick<Compilation, "numbers">): CompiledNode[] {
  return parts.flatMap((part): CompiledNode[] => {
    if ("element" in part) {
      compilation.numbers += 1;
      return [{ ...part, index: compilation.numbers - 1 }];
    }
    const { parts: inside, group, visible } = part;
    const count = group.repeat?.count ?? 1;
    return Array.from({ length: count }, (_, index) => {
      return { group, visible, repetition: { index, count }, members: repeated(inside, compilation) };
    });
  });
}

function tooManySteps(
  costs: readonly { name: string; steps: number }[],
  most: number,
  what: string,
): string | undefined {
  const steps = costs.reduce((sum, cost) => sum + cost.steps, 0);
  if (steps <= most) return undefined;
  return `a layout can take at most ${most} steps ${what}, and this one takes about ${steps}; the costliest elements are ${costliest(costs)}`;
}
