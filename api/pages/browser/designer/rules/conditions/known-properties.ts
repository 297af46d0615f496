import type { Field } from "../sentence/clauses.ts";
import { type Reading, readingsIn } from "./read-properties.ts";

/** A property of the items, as conditions are completed from it. */
export interface Known {
  field: Field;
  /** How many items have it. */
  count: number;
  /** Its most frequent values. */
  values: readonly string[];
  isNumeric: boolean;
}

/** What the interface counts of items (`GET /item-properties`). */
export interface ItemProperties {
  properties: readonly {
    name: string;
    items: number;
    values: readonly { value: string }[];
    areNumbers: boolean;
  }[];
}

/** The properties that items have, the most frequent first, with their values. */
export const catalogueOf = ({ properties }: ItemProperties): Known[] =>
  properties.map(({ name, items, values, areNumbers }) => ({
    field: { root: "item", key: name },
    count: items,
    values: values.map(({ value }) => value),
    // The number of an item is a name.
    isNumeric: areNumbers && name !== "itemId",
  }));

/** The properties that an expression reads and that no item has; none while it is not known what items have. */
export function unknownIn(expression: string, known: readonly Known[]): Reading[] {
  if (known.length === 0) return [];
  const names = new Set(known.map(({ field }) => field.key));
  return readingsIn(expression).filter(({ name }) => !names.has(name));
}
