import type { Field } from "../sentence/clauses.ts";
import { type Reading, readingsIn } from "./read-properties.ts";

/** An item property that conditions can be completed with. */
export interface Known {
  field: Field;
  /** How many items have it. */
  count: number;
  /** Its most frequent values. */
  values: readonly string[];
  isNumeric: boolean;
}

/** The interface's counts of item properties (`GET /item-properties`). */
export interface ItemProperties {
  properties: readonly {
    name: string;
    items: number;
    values: readonly { value: string }[];
    areNumbers: boolean;
  }[];
}

/** Returns the properties of items, most frequent first, with their values. */
export const catalogueOf = ({ properties }: ItemProperties): Known[] =>
  properties.map(({ name, items, values, areNumbers }) => ({
    field: { root: "item", key: name },
    count: items,
    values: values.map(({ value }) => value),
    // An item's number is a name, not a quantity.
    isNumeric: areNumbers && name !== "itemId",
  }));

/** Returns the properties that an expression reads but no item has; none until the items' properties are known. */
export function unknownIn(expression: string, known: readonly Known[]): Reading[] {
  if (known.length === 0) return [];
  const names = new Set(known.map(({ field }) => field.key));
  return readingsIn(expression).filter(({ name }) => !names.has(name));
}
