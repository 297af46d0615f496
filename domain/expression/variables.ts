import { type Item, itemTexts, propertiesOf } from "../../schemas/item.ts";
import type { Link } from "../../schemas/link.ts";
import type { Variables } from "./expression.ts";

/** An item's own fields that an expression may read, in addition to `priorPrice`, unless a property has the same name. */
const fields = ["itemId", ...itemTexts] as const;

/** Returns the `item` map of an expression: the item's properties, and its own fields under names that no property has. */
export function itemVariables(item: Item): Map<string, string> {
  const map = new Map<string, string>();
  for (const field of fields) {
    const value = item[field];
    if (value !== undefined) map.set(field, value);
  }
  if (item.charged?.prior !== undefined) map.set("priorPrice", item.charged.prior);
  for (const { key, value } of propertiesOf(item)) map.set(key, value);
  return map;
}

/**
 * Returns the maps of a scenario's expression (docs/rules.md#the-eleven-rules, rule 4). Integers are bigint, as CEL requires.
 */
export function scenarioVariables(item: Item, link: Pick<Link, "facings" | "location">, type: number): Variables {
  return {
    item: itemVariables(item),
    link: {
      ...(link.location !== undefined && { location: link.location }),
      ...(link.facings !== undefined && { facings: BigInt(link.facings) }),
    },
    device: { type: BigInt(type) },
  };
}

/** The input of a scenario's expression. */
export interface Case {
  item: Item;
  link: Pick<Link, "facings" | "location">;
  /** The label's type. */
  type: number;
}

/** A value of the maps in comparable form. Undefined if it is missing. */
export type Value = string | number | undefined;

/**
 * Returns a function that reads the value at a path of `link` or `device` as in `scenarioVariables`, but in comparable form and
 * without creating the maps. Two cases with the same comparable value have the same value in an expression.
 */
export function valueReader(root: string, key: string): (given: Case) => Value {
  if (root === "link" && key === "location") return ({ link }) => link.location;
  if (root === "link" && key === "facings") return ({ link }) => link.facings;
  if (root === "device" && key === "type") return ({ type }) => type;
  return () => undefined;
}

/** Reads the values of `item` at these keys, in one pass over its properties. */
export function itemReader(keys: readonly string[]): (item: Item) => Value[] {
  const indexes = new Map(keys.map((key, index) => [key, index]));
  const ownFields = fields.flatMap((field) => {
    const index = indexes.get(field);
    return index === undefined ? [] : [{ field, index }];
  });
  const priorPrice = indexes.get("priorPrice");
  return (item) => {
    const values: Value[] = keys.map(() => undefined);
    for (const { key, value } of item.properties) {
      const index = indexes.get(key);
      // A removed property is stored with an empty value.
      if (index !== undefined && value !== "") values[index] = value;
    }
    for (const { field, index } of ownFields) values[index] ??= item[field];
    if (priorPrice !== undefined) values[priorPrice] ??= item.charged?.prior;
    return values;
  };
}
