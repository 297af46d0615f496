import type { Scenario } from "../../schemas/design.ts";
import type { Item } from "../../schemas/item.ts";
import { shownOffer } from "../campaigns/offers.ts";
import { compile, type Expression } from "../expression/expression.ts";
import type { Path } from "../expression/referenced-paths.ts";
import { itemVariables } from "../expression/variables.ts";
import { ownCondition } from "./choose-scenario.ts";

type Reads = Pick<Expression, "required" | "optional" | "read" | "dynamic">;

/** Stands for the design of a campaign. It is chosen before any expression is evaluated, so each pack reads it. */
export const CAMPAIGN_DESIGN = "campaign()";

/** Returns the name that stands for whether an item has a key, for expressions that only test the key. */
const presenceOf = (key: string): string => `has(${key})`;

/**
 * Returns what expressions read of `item`: `price` if they read the value of this key, `has(price)` if they only test it.
 * Undefined if any expression reads keys that are known only during evaluation.
 */
export function itemKeysOf(expressions: readonly Reads[]): string[] | undefined {
  if (expressions.some(({ dynamic }) => dynamic)) return undefined;
  const ofItem = (paths: readonly Path[]) => paths.flatMap(([root, key]) => (root === "item" ? [key] : []));
  const values = new Set(expressions.flatMap(({ read }) => ofItem(read)));
  const named = expressions.flatMap(({ required, optional }) => ofItem([...required, ...optional]));
  const tested = named.filter((key) => !values.has(key)).map(presenceOf);
  return [...new Set([...values, ...tested])].sort();
}

/** Like `itemKeysOf`, for scenarios whose expressions compile. */
export const itemKeysOfScenarios = (scenarios: readonly Scenario[]): string[] | undefined =>
  itemKeysOf([...new Set(conditionsOf(scenarios))].map((source) => compile(source)));

const conditionsOf = (scenarios: readonly Scenario[]): string[] =>
  scenarios.flatMap((scenario) => [ownCondition(scenario), ...conditionsOf(scenario.children)]);

/** Returns what expressions can tell apart in two states of an item, with the names of `itemKeysOf`. */
export function changedItemKeys(before: Item, after: Item): string[] {
  const [former, present] = [itemVariables(before), itemVariables(after)];
  const changed = [...new Set([...former.keys(), ...present.keys()])].filter(
    (key) => former.get(key) !== present.get(key),
  );
  const isRedesigned = shownOffer(before)?.designId !== shownOffer(after)?.designId;
  return [
    ...changed.flatMap((key) => (former.has(key) === present.has(key) ? [key] : [key, presenceOf(key)])),
    ...(isRedesigned ? [CAMPAIGN_DESIGN] : []),
  ];
}
