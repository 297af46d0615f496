import type { Scenario } from "../../schemas/design.ts";
import type { Expression, Variables } from "../expression/expression.ts";

/** A scenario with its own expression compiled. */
export interface CompiledScenario<E = Pick<Expression, "evaluate">> {
  readonly scenario: Omit<Scenario, "children">;
  /** Undefined if the expression does not compile or the scenario is dormant. Then the scenario never holds. */
  readonly expression: E | undefined;
  readonly children: readonly CompiledScenario<E>[];
}

/** The scenario that applies, and the conditions on the path to it. */
export interface Match {
  scenario: Omit<Scenario, "children">;
  /** The expressions from the root to the match. */
  conditions: string[];
}

/** Returns the first scenario that holds (docs/rules.md#the-eleven-rules, rule 3). Undefined if none holds. */
export const chooseScenario = (scenarios: readonly CompiledScenario[], variables: Variables): Match | undefined =>
  matchOf(pathToMatch(scenarios, ({ expression }) => expression?.evaluate(variables) ?? false));

/**
 * Returns the path from a root to the first scenario that applies, depth first, children before their parent
 * (docs/rules.md#the-eleven-rules, rule 3). Empty if none applies. `holds` is called with scenarios in the order of the walk,
 * each with only its own expression.
 *
 * A child is reached only if all its ancestors apply. So conditions are combined without joining their source: a child's source
 * such as `false) || (true` must not escape its parents. If a scenario applies, the match is that scenario or one below it, so
 * the walk never returns to its siblings.
 */
export function pathToMatch<E>(
  scenarios: readonly CompiledScenario<E>[],
  holds: (scenario: CompiledScenario<E>) => boolean,
): readonly CompiledScenario<E>[] {
  const path: CompiledScenario<E>[] = [];
  for (let siblings = scenarios; ; ) {
    const next = siblings.find(holds);
    if (!next) return path;
    path.push(next);
    siblings = next.children;
  }
}

/** Returns the match at the end of a path, with the conditions along it. Undefined for an empty path. */
export function matchOf(path: readonly CompiledScenario<unknown>[]): Match | undefined {
  const last = path.at(-1);
  return last && { scenario: last.scenario, conditions: path.map(({ scenario }) => ownCondition(scenario)) };
}

/** Returns a scenario's own expression, or `true` if it is absent or blank. */
export const ownCondition = ({ cel_expression }: Pick<Scenario, "cel_expression">): string =>
  cel_expression?.trim() || "true";
