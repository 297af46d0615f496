import type { Scenario } from "../../schemas/design.ts";
import type { Expression, Variables } from "./expression.ts";

/** A scenario with its own expression compiled. */
export interface CompiledScenario {
  readonly scenario: Omit<Scenario, "children">;
  /** Undefined where the text does not compile: such a scenario never holds. */
  readonly expression: Pick<Expression, "evaluate"> | undefined;
  readonly children: readonly CompiledScenario[];
}

/** The scenario that applies, and those it was reached through. */
export interface Match {
  scenario: Omit<Scenario, "children">;
  /** The expressions from the root to the match. */
  conditions: string[];
}

/**
 * The first scenario that holds, depth first, children before their parent (specification, rule 3).
 * Undefined where none holds.
 *
 * A child is reached only through ancestors that hold: that is their conjunction, without
 * ever joining texts (`false) || (true` as a child's text must not escape its parents).
 */
export function chooseScenario(scenarios: readonly CompiledScenario[], variables: Variables): Match | undefined {
  for (const { scenario, expression, children } of scenarios) {
    if (!expression?.evaluate(variables)) continue;
    const child = chooseScenario(children, variables);
    const own = scenario.cel_expression?.trim() || "true";
    if (child) return { scenario: child.scenario, conditions: [own, ...child.conditions] };
    return { scenario, conditions: [own] };
  }
  return undefined;
}
