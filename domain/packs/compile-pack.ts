import type { CommunicationPack, Scenario } from "../../schemas/design.ts";
import { compile, type Expression, ExpressionError } from "../expression/expression.ts";
import { type CompiledScenario, ownCondition } from "./choose-scenario.ts";

/** A pack at one rev, or as proposed, while no validity period starts or ends. Its id names the rev and the time. */
export interface LoadedPack extends Pick<CommunicationPack, "scenarios"> {
  id: string;
  /** Ids of the scenarios outside their validity period, which never hold. Absent if no scenario has a period. */
  dormant?: readonly string[];
}

/** A pack's scenarios, compiled. */
export type CompiledPack = readonly CompiledScenario<Expression>[];

/**
 * Compiles each expression of a pack's scenarios once. A scenario without an expression always applies. A scenario whose
 * expression does not compile never applies and is passed to `onFault`. Packs are checked before they are stored, so this is
 * an internal fault and must not affect the other scenarios. A dormant scenario never applies either.
 */
export function compilePack(
  { scenarios, dormant = [] }: Pick<LoadedPack, "scenarios" | "dormant">,
  onFault: (scenario: Pick<Scenario, "id" | "name">, error: ExpressionError) => void,
): CompiledScenario<Expression>[] {
  /** Compiled expressions by source, because packs repeat expressions, most of all `true`. */
  const compiled = new Map<string, Expression>();
  const isDormant = new Set(dormant);

  function compileOwn(scenario: Omit<Scenario, "children">): Expression | undefined {
    if (isDormant.has(scenario.id)) return undefined;
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
