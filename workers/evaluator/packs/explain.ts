import type { CommunicationPack, Design, Scenario } from "../../../schemas/design.ts";
import type { Explanation, Expression, ExpressionError } from "../expression/expression.ts";
import { type Case, scenarioVariables } from "../expression/variables.ts";
import { type CompiledScenario, ownCondition, pathToMatch } from "./choose-scenario.ts";
import { compilePack } from "./compile-pack.ts";

/** A pack and what it is tried with. */
export interface DryRun extends Case {
  pack: Pick<CommunicationPack, "scenarios">;
  /** The designs that the pack names, by full key. */
  designs: ReadonlyMap<string, Pick<Design, "compatible_esltype_ids">>;
}

/** What a scenario's own expression says, whether or not the search came to it. */
export interface TracedScenario extends Explanation {
  id: string;
  name: string;
  /** Ids of the scenarios that it is below, from the root. */
  ancestors: string[];
  /** Its own expression; `true` where it has none. */
  expression: string;
  /** Whether the search asked it: all above it hold, and none before it did. */
  isAsked: boolean;
}

/** A design that the matching scenario names, and why it is not the one where it is not. */
export interface TracedDesign {
  design_id: string;
  isChosen: boolean;
  reason?: string;
}

/** How a link would come to its design, for the author of a pack. */
export interface Trace {
  /** Every scenario of the pack, each before its children. */
  scenarios: TracedScenario[];
  /** The scenario that applies; null where none holds. */
  match: Pick<Scenario, "id" | "name"> | null;
  designs: TracedDesign[];
  /** Null where no scenario holds or none of its designs fits. */
  design_id: string | null;
}

/** Walks a pack as the evaluator does (specification, rules 3 and 7) and tells every step. It writes nothing. */
export function explain({ pack, item, link, type, designs }: DryRun): Trace {
  const refusals = new Map<object, ExpressionError>();
  const compiled = compilePack(pack, (scenario, error) => refusals.set(scenario, error));
  const variables = scenarioVariables(item, link, type);
  const asked = new Set<CompiledScenario>();
  const path = pathToMatch(compiled, (one) => {
    asked.add(one);
    return one.expression?.evaluate(variables) ?? false;
  });

  const traceAll = (trees: readonly CompiledScenario<Expression>[], ancestors: string[]): TracedScenario[] =>
    trees.flatMap((one) => {
      const { scenario, expression, children } = one;
      const traced: TracedScenario = {
        id: scenario.id,
        name: scenario.name,
        ancestors,
        expression: ownCondition(scenario),
        isAsked: asked.has(one),
        ...(expression?.explain(variables) ?? refused(refusals.get(scenario))),
      };
      return [traced, ...traceAll(children, [...ancestors, scenario.id])];
    });

  const match = path.at(-1)?.scenario;
  const traced = traceDesigns(match?.design_ids ?? [], designs, type);
  return {
    scenarios: traceAll(compiled, []),
    match: match ? { id: match.id, name: match.name } : null,
    designs: traced,
    design_id: traced.find(({ isChosen }) => isChosen)?.design_id ?? null,
  };
}

const refused = (error: ExpressionError | undefined): Explanation => ({
  value: false,
  missing: [],
  error: `line ${error?.line}, column ${error?.column}: ${error?.message}`,
});

/** The first design that fits is chosen (rule 7). */
function traceDesigns(ids: readonly string[], designs: DryRun["designs"], type: number): TracedDesign[] {
  const chosen = ids.findIndex((id) => designs.get(id)?.compatible_esltype_ids.includes(type));
  return ids.map((design_id, index) => {
    if (index === chosen) return { design_id, isChosen: true };
    const isLater = chosen >= 0 && index > chosen;
    return {
      design_id,
      isChosen: false,
      reason: isLater ? "a design before it fits" : misfit(design_id, designs, type),
    };
  });
}

function misfit(id: string, designs: DryRun["designs"], type: number): string {
  const types = designs.get(id)?.compatible_esltype_ids;
  if (!types) return "there is no such design";
  return types.length > 0
    ? `it is for the label types ${types.join(", ")}, not for ${type}`
    : `it is for no label type, so not for ${type}`;
}
