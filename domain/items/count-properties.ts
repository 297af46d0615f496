import type { ItemProperties } from "../../schemas/item-properties.ts";

/** Limits of a count: names, distinct values for each name, and listed values. */
export const propertyLimits = { names: 500, values: 1_000, listed: 20, letters: 100 };

type Property = ItemProperties["properties"][number];

/** Counts which property names items have, and with which values. */
export function createPropertyCounts() {
  const names = new Map<string, { items: number; values: Map<string, number>; isFull: boolean; areNumbers: boolean }>();

  return {
    add(variables: ReadonlyMap<string, string>): void {
      for (const [name, value] of variables) {
        const known = names.get(name);
        if (known === undefined && names.size >= propertyLimits.names) continue;
        const counted = known ?? { items: 0, values: new Map<string, number>(), isFull: false, areNumbers: true };
        names.set(name, counted);
        counted.items += 1;
        counted.areNumbers &&= isNumber(value);
        const shown = value.slice(0, propertyLimits.letters);
        if (counted.values.has(shown) || counted.values.size < propertyLimits.values)
          counted.values.set(shown, (counted.values.get(shown) ?? 0) + 1);
        else counted.isFull = true;
      }
    },

    /** Returns the names, most frequent first. */
    result: (): Property[] =>
      [...names]
        .map(([name, { items, values, isFull, areNumbers }]) => ({
          name,
          items,
          values: mostFrequent(values),
          hasMore: isFull || values.size > propertyLimits.listed,
          areNumbers,
        }))
        .sort((one, other) => other.items - one.items || (one.name < other.name ? -1 : 1)),
  };
}

const mostFrequent = (values: ReadonlyMap<string, number>): Property["values"] =>
  [...values]
    .map(([value, items]) => ({ value, items }))
    .sort((one, other) => other.items - one.items || (one.value < other.value ? -1 : 1))
    .slice(0, propertyLimits.listed);

const isNumber = (text: string): boolean => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
