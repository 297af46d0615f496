import type { CommunicationPack, Scenario } from "../../schemas/design.ts";
import type { CompiledScenario } from "./choose-design.ts";
import { compile, type Expression, ExpressionError } from "./expression.ts";

const always: Pick<Expression, "evaluate"> = { evaluate: () => true };

/**
 * A pack's scenarios with each expression compiled once. An absent or blank one is true; one that does not
 * compile never holds, and `onFault` hears of it: packs are checked when they are saved, so that is
 * a fault of ours and must not stop the other scenarios.
 */
export function compilePack(
  { scenarios }: Pick<CommunicationPack, "scenarios">,
  onFault: (scenario: Pick<Scenario, "id" | "name">, error: ExpressionError) => void,
): CompiledScenario[] {
  return scenarios.map(({ children, ...scenario }) => ({
    scenario,
    expression: compileOwn(scenario, onFault),
    children: compilePack({ scenarios: children }, onFault),
  }));
}

function compileOwn(
  scenario: Omit<Scenario, "children">,
  onFault: (scenario: Pick<Scenario, "id" | "name">, error: ExpressionError) => void,
): Pick<Expression, "evaluate"> | undefined {
  const source = scenario.cel_expression?.trim();
  if (!source) return always;
  try {
    return compile(source);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    onFault(scenario, error);
    return undefined;
  }
}
