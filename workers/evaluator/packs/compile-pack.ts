import type { CommunicationPack, Scenario } from "../../../schemas/design.ts";
import { compile, type Expression, ExpressionError } from "../expression/expression.ts";
import { type CompiledScenario, ownCondition } from "./choose-scenario.ts";

/** A pack's scenarios, compiled. */
export type CompiledPack = readonly CompiledScenario<Expression>[];

/**
 * A pack's scenarios with each expression compiled once. An absent or blank one is true; one that does not
 * compile never holds, and `onFault` hears of it: packs are checked when they are saved, so that is
 * a fault of ours and must not stop the other scenarios.
 */
export function compilePack(
  { scenarios }: Pick<CommunicationPack, "scenarios">,
  onFault: (scenario: Pick<Scenario, "id" | "name">, error: ExpressionError) => void,
): CompiledScenario<Expression>[] {
  /** Packs repeat expressions, the absent one above all. */
  const compiled = new Map<string, Expression>();

  function compileOwn(scenario: Omit<Scenario, "children">): Expression | undefined {
    const source = ownCondition(scenario);
    try {
      const expression = compiled.get(source) ?? compile(source);
      compiled.set(source, expression);
      return expression;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      onFault(scenario, error);
      return undefined;
    }
  }

  const compileAll = (trees: readonly Scenario[]): CompiledScenario<Expression>[] =>
    trees.map(({ children, ...scenario }) => ({
      scenario,
      expression: compileOwn(scenario),
      children: compileAll(children),
    }));
  return compileAll(scenarios);
}
