import type { PackFinding, ScenarioOrder } from "../../schemas/pack.ts";
import { CompileBudgetError, costliest, createCompileBudget } from "../expression/compile-budget.ts";
import { compile, type Expression, ExpressionError } from "../expression/expression.ts";
import { limits } from "../expression/limits.ts";
import { EVALUATION_COST } from "../expression/meter.ts";
import { itemKeysOf } from "./item-keys.ts";

type ExpressionFault = Pick<PackFinding, "detail" | "line" | "column">;
export type PackWeight = ReturnType<typeof weighPack>;

/**
 * Compiles each distinct expression of a pack once. Stops when they are too much work in total (`refusal`), or when too many are
 * faulty and more expressions follow (`isCut`). The rest is not compiled.
 */
export function weighPack(scenarios: readonly ScenarioOrder[]) {
  const known = new Map<string, { steps: number; fault?: ExpressionFault }>();
  const compiled: Expression[] = [];
  const budget = createCompileBudget("a pack");
  let refusal: Pick<PackFinding, "scenario" | "detail"> | undefined;
  let isCut = false;
  let faults = 0;
  for (const { name, cel_expression: source } of scenarios) {
    if (!source?.trim() || known.has(source)) continue;
    isCut = faults === limits.faults;
    if (isCut) break;
    try {
      const expression = compile(source.trim(), budget);
      compiled.push(expression);
      known.set(source, { steps: expression.weight.steps });
    } catch (error) {
      if (error instanceof CompileBudgetError) {
        const costs = [...known].map(([text, { steps }]) => ({ name: JSON.stringify(text.slice(0, 60)), steps }));
        refusal = { scenario: name, detail: `${error.message}; the costliest so far are ${costliest(costs)}` };
        break;
      }
      if (!(error instanceof ExpressionError)) throw error;
      faults += 1;
      const leading = source.length - source.trimStart().length;
      known.set(source, { steps: 0, fault: { detail: error.message, ...positionOf(source, leading + error.start) } });
    }
  }
  return {
    refusal,
    isCut,
    itemKeys: itemKeysOf(compiled),
    faultOf: (source: string | undefined) => known.get(source ?? "")?.fault,
    stepsOf: (source: string | undefined) => EVALUATION_COST + (known.get(source ?? "")?.steps ?? 1),
  };
}

/** Returns why a pack costs too much per link; undefined if it does not. `all` are its scenarios with their children. */
export function excessOfSteps(
  scenarios: readonly ScenarioOrder[],
  all: readonly ScenarioOrder[],
  stepsOf: PackWeight["stepsOf"],
): string | undefined {
  const steps = worstSteps(scenarios, stepsOf);
  if (steps <= limits.packSteps) return undefined;
  const costs = all.map(({ name, cel_expression }) => ({ name: `"${name}"`, steps: stepsOf(cel_expression) }));
  const bound = `a pack can take at most ${limits.packSteps} steps per link, and this one takes about ${steps}`;
  return `${bound}; the costliest scenarios are ${costliest(costs)}`;
}

/** Returns the steps of the costliest search: all siblings up to the scenario that applies, and then its children. */
function worstSteps(scenarios: readonly ScenarioOrder[], stepsOf: (source: string | undefined) => number): number {
  let before = 0;
  let worst = 0;
  for (const { cel_expression, children = [] } of scenarios) {
    before += stepsOf(cel_expression);
    worst = Math.max(worst, before + worstSteps(children, stepsOf));
  }
  return worst;
}

/** Returns the line and column of an offset, both counted from 1. */
function positionOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
