import type { Scenario } from "../../../schemas/design.ts";
import type { Expression } from "../expression/expression.ts";
import type { Path } from "../expression/referenced-paths.ts";
import { type Case, itemReader, scenarioVariables, type Value, valueReader } from "../expression/variables.ts";
import { type CompiledScenario, type Match, matchOf, pathToMatch } from "./choose-scenario.ts";
import type { CompiledPack } from "./compile-pack.ts";

/** The scenario of a pack that applies to a link (specification, rule 3); undefined where none holds. */
export type ChooseScenario = (given: Case) => Match | undefined;

/** Called with each link for which a scenario's expression could not be evaluated. A missing path is no fault. */
export type OnFault = (scenario: Pick<Scenario, "id" | "name">, error: string) => void;

/** What the search for a link's scenario ended with. */
interface Choice {
  match: Match | undefined;
  faults: readonly { scenario: Pick<Scenario, "id" | "name">; error: string }[];
}

/** Characters, about, that a pack remembers before it forgets everything: simple, bounded, and rare. */
const ROOM = 8_000_000;
/** What a choice takes besides the characters of its values. */
const EACH = 200;

/**
 * Chooses the scenarios of a pack for any number of links, and remembers each choice by the values that the pack refers
 * to: of all links with the same ones, in whichever stores, one is evaluated. A pack with an expression that looks at
 * keys which only an evaluation knows is evaluated for each link.
 */
export function createPackEvaluator(pack: CompiledPack, onFault: OnFault, room = ROOM): ChooseScenario {
  const expressions = expressionsOf(pack);
  const isDynamic = expressions.some(({ dynamic }) => dynamic);
  const readValues = keyReader(pathsOf(expressions));
  const choices = new Map<string, Choice>();
  let taken = 0;

  function recall(given: Case): Choice {
    const key = readValues(given);
    const known = choices.get(key);
    if (known) return known;
    if (taken > room) {
      choices.clear();
      taken = 0;
    }
    const choice = search(pack, given);
    choices.set(key, choice);
    taken += EACH + key.length;
    return choice;
  }

  return function choose(given) {
    const { match, faults } = isDynamic ? search(pack, given) : recall(given);
    for (const { scenario, error } of faults) onFault(scenario, error);
    return match;
  };
}

function search(pack: CompiledPack, { item, link, type }: Case): Choice {
  const variables = scenarioVariables(item, link, type);
  const faults: { scenario: Pick<Scenario, "id" | "name">; error: string }[] = [];
  const path = pathToMatch(pack, ({ scenario, expression }) => {
    if (!expression) return false;
    const { value, error } = expression.explain(variables);
    if (error !== undefined) faults.push({ scenario: { id: scenario.id, name: scenario.name }, error });
    return value;
  });
  return { match: matchOf(path), faults };
}

const expressionsOf = (trees: readonly CompiledScenario<Expression>[]): Expression[] =>
  trees.flatMap(({ expression, children }) => [...(expression ? [expression] : []), ...expressionsOf(children)]);

/** Every path that one of the expressions refers to, once. */
const pathsOf = (expressions: readonly Expression[]): Path[] => [
  ...new Map(
    expressions
      .flatMap(({ required, optional }) => [...required, ...optional])
      .map((path): [string, Path] => [path.join("."), path]),
  ).values(),
];

/** Reads the values at some paths as one text, the same only where all of them are. */
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

/** Its length before it, so that no value can look like two. */
const keyOf = (value: Value): string =>
  typeof value === "string" ? `${value.length}:${value}` : value === undefined ? "-" : `#${value}.`;
