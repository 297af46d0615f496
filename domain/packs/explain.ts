import type { Design, Scenario, ValidityPeriod } from "../../schemas/design.ts";
import type { Explanation, Expression, ExpressionError } from "../expression/expression.ts";
import { limits } from "../expression/limits.ts";
import { BudgetError, withBudget } from "../expression/meter.ts";
import { type Case, scenarioVariables } from "../expression/variables.ts";
import { fits } from "../linking/design-fault.ts";
import { type CompiledScenario, ownCondition, pathToMatch } from "./choose-scenario.ts";
import type { LoadedPack } from "./compile-pack.ts";
import { type CompiledPack, compilePack } from "./compile-pack.ts";

/** Steps for the results of all scenarios, including those that the search does not reach. */
const TRIAL_STEPS = 4 * limits.packSteps;

/** A compiled pack, and the scenarios that do not compile, with their errors. */
export interface TriedPack {
  compiled: CompiledPack;
  refusals: ReadonlyMap<object, ExpressionError>;
}

/** Compiles a pack for dry runs. */
export function compileForTrials(pack: Pick<LoadedPack, "scenarios" | "dormant">): TriedPack {
  const refusals = new Map<object, ExpressionError>();
  return { compiled: compilePack(pack, (scenario, error) => refusals.set(scenario, error)), refusals };
}

/** A dry run: a pack, and the item, link and label type on which it is tested. */
export interface DryRun extends Case, TriedPack {
  /** The designs that the pack names, by full key. */
  designs: ReadonlyMap<string, Pick<Design, "compatible_esltype_ids" | "deleted">>;
}

/** The result of a scenario's own expression, even if the search did not reach the scenario. */
export interface TracedScenario extends Explanation {
  id: string;
  name: string;
  /** Ids of the scenario's ancestors, from the root. */
  ancestors: string[];
  /** The scenario's own expression, or `true` if it has none. */
  expression: string;
  /**
   * Whether the search evaluated the expression: all ancestors hold, but no earlier sibling of the scenario or of an ancestor
   * does.
   */
  isAsked: boolean;
  /** Set outside the scenario's validity period. Then it does not apply, whatever its expression says. */
  isDormant?: true;
  /** The scenario's validity period, if it has one. */
  validityPeriod?: ValidityPeriod;
}

/** A design of the matching scenario, with the reason if it is not chosen. */
export interface TracedDesign {
  design_id: string;
  isChosen: boolean;
  reason?: string;
}

/** How a link's design would be chosen, for the author of a pack. */
export interface Trace {
  /** Every scenario of the pack, each before its children. */
  scenarios: TracedScenario[];
  /** The scenario that applies. Null if none holds. */
  match: Pick<Scenario, "id" | "name"> | null;
  designs: TracedDesign[];
  /** Null if no scenario applies or none of its designs fits. */
  design_id: string | null;
}

/**
 * Searches a pack as the evaluator does (docs/rules.md#the-eleven-rules, rules 3 and 7), and returns the result of every step. It
 * writes nothing.
 */
export function explain({ compiled, refusals, item, link, type, designs }: DryRun): Trace {
  const variables = scenarioVariables(item, link, type);
  const evaluated = new Set<CompiledScenario>();
  const path = unlessExhausted(
    () =>
      withBudget("the pack", limits.packSteps, () =>
        pathToMatch(compiled, (candidate) => {
          evaluated.add(candidate);
          return candidate.expression?.evaluate(variables) ?? false;
        }),
      ),
    () => [],
  );

  const traceAll = (trees: readonly CompiledScenario<Expression>[], ancestors: string[]): TracedScenario[] =>
    trees.flatMap((tree) => {
      const { scenario, expression, children } = tree;
      const traced: TracedScenario = {
        id: scenario.id,
        name: scenario.name,
        ancestors,
        expression: ownCondition(scenario),
        isAsked: evaluated.has(tree),
        ...(scenario.validityPeriod && { validityPeriod: scenario.validityPeriod }),
        ...unlessExhausted(
          () => expression?.explain(variables) ?? unheld(refusals.get(scenario)),
          (error): Explanation => ({ value: false, missing: [], error }),
        ),
      };
      return [traced, ...traceAll(children, [...ancestors, scenario.id])];
    });

  const match = path.at(-1)?.scenario;
  const traced = traceDesigns(match?.design_ids ?? [], designs, type);
  return {
    scenarios: withBudget("the trial of all scenarios", TRIAL_STEPS, () => traceAll(compiled, [])),
    match: match ? { id: match.id, name: match.name } : null,
    designs: traced,
    design_id: traced.find(({ isChosen }) => isChosen)?.design_id ?? null,
  };
}

/** Returns the result of `work` or, if the budget was used up, of `otherwise` with the reason. */
function unlessExhausted<Result>(work: () => Result, otherwise: (reason: string) => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return otherwise(error.message);
  }
}

const refused = (error: ExpressionError): Explanation => ({
  value: false,
  missing: [],
  error: `line ${error.line}, column ${error.column}: ${error.message}`,
});

const unheld = (refusal: ExpressionError | undefined) => (refusal ? refused(refusal) : dormant);

/** The expression is not evaluated, because the scenario is outside its period. */
const dormant = { value: false, missing: [], isDormant: true as const };

/** Marks the first design that fits as the chosen one (rule 7). */
function traceDesigns(ids: readonly string[], designs: DryRun["designs"], type: number): TracedDesign[] {
  const chosen = ids.findIndex((id) => fits(designs.get(id), type));
  return ids.map((design_id, index) => {
    if (index === chosen) return { design_id, isChosen: true };
    const isLater = chosen >= 0 && index > chosen;
    return {
      design_id,
      isChosen: false,
      reason: isLater ? "an earlier design fits" : misfit(design_id, designs, type),
    };
  });
}

function misfit(id: string, designs: DryRun["designs"], type: number): string {
  const design = designs.get(id);
  if (design === undefined || design.deleted) return "the design does not exist";
  const types = design.compatible_esltype_ids;
  return types.length > 0
    ? `it is for the label types ${types.join(", ")}, not for ${type}`
    : `it is not assigned to any label type, so not to ${type}`;
}
