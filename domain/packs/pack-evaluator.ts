import type { Scenario } from "../../schemas/design.ts";
import type { Expression } from "../expression/expression.ts";
import { limits } from "../expression/limits.ts";
import { BudgetError, withBudget } from "../expression/meter.ts";
import type { Path } from "../expression/referenced-paths.ts";
import { type Case, itemReader, scenarioVariables, type Value, valueReader } from "../expression/variables.ts";
import { type CompiledScenario, type Match, matchOf, pathToMatch } from "./choose-scenario.ts";
import type { CompiledPack } from "./compile-pack.ts";

/**
 * Returns the scenario of a pack that applies to a link (docs/rules.md#the-eleven-rules, rule 3). Undefined if none holds. Throws
 * BudgetError if the pack takes more steps than it may use for one link.
 */
export type ChooseScenario = (given: Case) => Match | undefined;

/** Called for each link for which a scenario's expression could not be evaluated. A missing path is not a fault. */
export type OnFault = (scenario: Pick<Scenario, "id" | "name">, error: string) => void;

/** Numbers of cache hits and misses, for all packs that share these counts. */
export interface ChoiceCounts {
  hits: number;
  misses: number;
}

/** The result of the search for a link's scenario. */
interface Choice {
  match: Match | undefined;
  faults: readonly { scenario: Pick<Scenario, "id" | "name">; error: string }[];
  /** Set if the search was not finished because its budget was used up. */
  exhausted?: BudgetError;
}

/** Approximate maximum size of a pack's cache in characters. A full cache is emptied completely, which is simple and rare. */
const MAX_CACHE_SIZE = 8_000_000;
/** Size of a cached choice in addition to the characters of its key. */
const ENTRY_OVERHEAD = 200;

/**
 * Chooses scenarios of a pack, and caches each choice by the values of the paths to which the pack's expressions refer: of all
 * links with the same values, in any store, only one is evaluated. If an expression has keys that are known only during
 * evaluation, every link is evaluated.
 */
export function createPackEvaluator(
  pack: CompiledPack,
  onFault: OnFault,
  maxSize = MAX_CACHE_SIZE,
  counts: ChoiceCounts = { hits: 0, misses: 0 },
): ChooseScenario {
  const expressions = expressionsOf(pack);
  const isDynamic = expressions.some(({ dynamic }) => dynamic);
  const readValues = keyReader(pathsOf(expressions));
  const choices = new Map<string, Choice>();
  let size = 0;

  function recall(given: Case): Choice {
    const key = readValues(given);
    const known = choices.get(key);
    if (known) {
      counts.hits += 1;
      return known;
    }
    counts.misses += 1;
    if (size > maxSize) {
      choices.clear();
      size = 0;
    }
    const choice = search(pack, given);
    choices.set(key, choice);
    size += ENTRY_OVERHEAD + key.length;
    return choice;
  }

  return function choose(given) {
    const { match, faults, exhausted } = isDynamic ? search(pack, given) : recall(given);
    for (const { scenario, error } of faults) onFault(scenario, error);
    if (exhausted) throw exhausted;
    return match;
  };
}

function search(pack: CompiledPack, { item, link, type }: Case): Choice {
  const variables = scenarioVariables(item, link, type);
  const faults: { scenario: Pick<Scenario, "id" | "name">; error: string }[] = [];
  const searchPath = () =>
    pathToMatch(pack, ({ scenario, expression }) => {
      if (!expression) return false;
      const { value, error } = expression.explain(variables);
      if (error !== undefined) faults.push({ scenario: { id: scenario.id, name: scenario.name }, error });
      return value;
    });
  try {
    return { match: matchOf(withBudget("the pack", limits.packSteps, searchPath)), faults };
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return { match: undefined, faults, exhausted: error };
  }
}

const expressionsOf = (trees: readonly CompiledScenario<Expression>[]): Expression[] =>
  trees.flatMap(({ expression, children }) => [...(expression ? [expression] : []), ...expressionsOf(children)]);

/** Returns every path to which an expression refers, each once. */
const pathsOf = (expressions: readonly Expression[]): Path[] => [
  ...new Map(
    expressions
      .flatMap(({ required, optional }) => [...required, ...optional])
      .map((path): [string, Path] => [path.join("."), path]),
  ).values(),
];

/** Reads the values of paths as one string. Two of these strings are equal only if all values are. */
function keyReader(paths: readonly Path[]): (given: Case) => string {
  const readItem = itemReader(paths.flatMap(([root, key]) => (root === "item" ? [key] : [])));
  const others = paths.filter(([root]) => root !== "item").map(([root, key]) => valueReader(root, key));
  return (given) => {
    let key = "";
    for (const value of readItem(given.item)) key += keyOf(value);
    for (const read of others) key += keyOf(read(given));
    return key;
  };
}

/** Returns a value as text. A string is preceded by its length, so that two strings cannot be read as one. */
const keyOf = (value: Value): string =>
  typeof value === "string" ? `${value.length}:${value}` : value === undefined ? "-" : `#${value}.`;
