import type { Scenario } from "../../../schemas/design.ts";
import type { Expression, Variables } from "../expression/expression.ts";

/** A scenario with its own expression compiled. */
export interface CompiledScenario<E = Pick<Expression, "evaluate">> {
  readonly scenario: Omit<Scenario, "children">;
  /** Undefined where the text does not compile: such a scenario never holds. */
  readonly expression: E | undefined;
  readonly children: readonly CompiledScenario<E>[];
}

/** The scenario that applies, and those it was reached through. */
export interface Match {
  scenario: Omit<Scenario, "children">;
  /** The expressions from the root to the match. */
  conditions: string[];
}

/** The first scenario that holds (specification, rule 3). Undefined where none holds. */
export const chooseScenario = (scenarios: readonly CompiledScenario[], variables: Variables): Match | undefined =>
  matchOf(pathToMatch(scenarios, ({ expression }) => expression?.evaluate(variables) ?? false));

/**
 * The scenarios from a root to the first that holds, depth first, children before their parent (specification,
 * rule 3). Empty where none holds. `holds` is asked for a scenario's own expression, in the order of the walk.
 *
 * A child is reached only through ancestors that hold: that is their conjunction, without
 * ever joining texts (`false) || (true` as a child's text must not escape its parents). And where a scenario holds, the
 * match is it or one below it: the walk never comes back to its siblings.
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

/** What a path to a match says. */
export function matchOf(path: readonly CompiledScenario<unknown>[]): Match | undefined {
  const last = path.at(-1);
  return last && { scenario: last.scenario, conditions: path.map(({ scenario }) => ownCondition(scenario)) };
}

/** A scenario's own expression; an absent or blank one is true. */
export const ownCondition = ({ cel_expression }: Pick<Scenario, "cel_expression">): string =>
  cel_expression?.trim() || "true";
