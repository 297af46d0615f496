import type { CanvasDesign, CanvasLayout, Element } from "../../../schemas/canvas.ts";
import { checkCanvas } from "../../../schemas/check-canvas.ts";
import type { Fault } from "../../../schemas/problem.ts";
import type { LabelType } from "../../../schemas/tenant.ts";
import { type CompileBudget, costliest, createCompileBudget } from "../../evaluator/expression/budget.ts";
import { type Expression, ExpressionError } from "../../evaluator/expression/expression.ts";
import { limits } from "../../evaluator/expression/limits.ts";
import { compileTemplate, designCompiler, type Template } from "../values/template.ts";
import { PAINTING_STEPS, paintingSteps } from "./painting-steps.ts";

/** An element with its expressions compiled. */
export interface CompiledElement {
  element: Element;
  visible: Pick<Expression, "evaluate" | "weight"> | undefined;
  /** Set for a text, a price or a code: the template of its content. */
  template: Template | undefined;
}

export interface CompiledLayout extends Omit<CanvasLayout, "elements"> {
  elements: readonly CompiledElement[];
}

export interface CompiledCanvas {
  name: string;
  /** The design's own layout, then its variants. */
  layouts: readonly CompiledLayout[];
}

/** Thrown where a canvas design cannot be drawn, with every fault and its position. */
export class DesignError extends Error {
  override readonly name = "DesignError";
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer}: ${detail}`)).join("; "));
    this.faults = faults;
  }
}

/** Checks a design and compiles each of its expressions once. Throws DesignError with all faults. */
export function compileCanvas(canvas: CanvasDesign): CompiledCanvas {
  const faults = checkCanvas(canvas);
  if (faults.length > 0) throw new DesignError(faults);
  const { name, variants = [] } = canvas;
  const budget = createCompileBudget("a design");
  const layouts = [
    compileLayout(canvas, "", faults, budget),
    ...variants.map((variant, index) => compileLayout(variant, `/variants/${index}`, faults, budget)),
  ];
  if (faults.length > 0) throw new DesignError(faults);
  return { name, layouts };
}

/** The layout for a label: a layout of its size that names its type, else one of its size for all types. */
export function layoutFor(
  { layouts }: CompiledCanvas,
  { type, width, height }: Pick<LabelType, "type" | "width" | "height">,
): CompiledLayout | undefined {
  const fitting = layouts.filter((layout) => layout.width === width && layout.height === height);
  return (
    fitting.find(({ labelTypes }) => labelTypes?.includes(type)) ??
    fitting.find(({ labelTypes }) => labelTypes === undefined)
  );
}

function compileLayout(
  { width, height, background, labelTypes, elements }: CanvasLayout,
  pointer: string,
  faults: Fault[],
  budget: CompileBudget,
): CompiledLayout {
  const made: CompiledElement[] = [];
  const costs: { name: string; steps: number }[] = [];
  for (const [index, element] of elements.entries()) {
    const elementPointer = `${pointer}/elements/${index}`;
    const [name, text] = templateOf(element);
    const visible = element.visible?.trim()
      ? compiled(designCompiler, element.visible, `${elementPointer}/visible`, faults)
      : undefined;
    const template =
      text === undefined ? undefined : compiled(compileTemplate, text, `${elementPointer}/${name}`, faults);
    const weights = [...(visible ? [visible.weight] : []), ...(template?.weights ?? [])];
    made.push({ element, visible, template });
    costs.push({ name: elementPointer, steps: weights.reduce((sum, { steps }) => sum + steps, 0) });
    const reason = weights.map((weight) => budget.add(weight)).find((found) => found !== undefined);
    if (reason !== undefined) {
      faults.push({ pointer: elementPointer, detail: `${reason}; the costliest elements are ${costliest(costs)}` });
      break;
    }
  }
  const painting = elements.map((element, index) => ({
    name: `${pointer}/elements/${index}`,
    steps: Math.round(paintingSteps(element, "", { width, height })),
  }));
  for (const detail of [
    tooManySteps(costs, limits.layoutSteps, "for one label"),
    tooManySteps(painting, PAINTING_STEPS, "to paint"),
  ])
    if (detail !== undefined) faults.push({ pointer: `${pointer}/elements`, detail });
  return { width, height, background, ...(labelTypes && { labelTypes }), elements: made };
}

function tooManySteps(
  costs: readonly { name: string; steps: number }[],
  most: number,
  what: string,
): string | undefined {
  const steps = costs.reduce((sum, cost) => sum + cost.steps, 0);
  if (steps <= most) return undefined;
  return `a layout takes at most ${most} steps ${what}, this takes about ${steps}; the costliest elements are ${costliest(costs)}`;
}

function compiled<Result>(
  compile: (source: string) => Result,
  source: string,
  pointer: string,
  faults: Fault[],
): Result | undefined {
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    faults.push({ pointer, detail: `${error.message} (characters ${error.start} to ${error.end})` });
    return undefined;
  }
}

function templateOf(element: Element): [name: "text" | "value", template: string | undefined] {
  switch (element.kind) {
    case "text":
      return ["text", element.text];
    case "box":
    case "line":
    case "image":
      return ["value", undefined];
    default:
      return ["value", element.value];
  }
}
