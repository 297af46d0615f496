import fc from "fast-check";
import type { Case } from "../../../domain/expression/variables.ts";
import type { Scenario } from "../../../schemas/design.ts";

/** A condition as text, with its meaning in JavaScript: true, false, or "missing" if it needs a missing path. */
interface Condition {
  source: string;
  holds(given: Case): boolean | "missing";
}

const propertyOf = ({ item }: Case, key: string): string | undefined =>
  item.properties.find((property) => property.key === key && property.value !== "")?.value ??
  (key === "price" ? item.price : undefined);

const simple = (source: string, value: (given: Case) => string | undefined, holds: (value: string) => boolean) => ({
  source,
  holds(given: Case) {
    const found = value(given);
    return found === undefined ? ("missing" as const) : holds(found);
  },
});
const keys = fc.constantFrom("brand", "kind", "price");
const values = fc.constantFrom("a", "b", "2", "10.5", "");
const numbers = fc.constantFrom(1, 5, 20);
const isNumber = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);

const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(keys, values).map(([key, value]) =>
    simple(
      `item.${key} == "${value}"`,
      (given) => propertyOf(given, key),
      (found) => found === value,
    ),
  ),
  fc.tuple(keys, numbers).map(([key, limit]) =>
    simple(
      `double(item["${key}"]) > ${limit}.0`,
      (given) => propertyOf(given, key),
      (found) => isNumber(found) && Number(found) > limit,
    ),
  ),
  fc.tuple(keys, values).map(([key, value]) => ({
    source: `has(item.${key}) && item.${key} != "${value}"`,
    holds: (given: Case) => propertyOf(given, key) !== undefined && propertyOf(given, key) !== value,
  })),
  fc.constantFrom("aisle 1", "aisle 2").map((aisle) =>
    simple(
      `link.location == "${aisle}"`,
      ({ link }) => link.location,
      (found) => found === aisle,
    ),
  ),
  numbers.map((limit) =>
    simple(
      `link.facings >= ${limit}`,
      ({ link }) => link.facings,
      (found) => Number(found) >= limit,
    ),
  ),
  fc.constant({ source: "device.type in [1328]", holds: ({ type }: Case) => type === 1328 }),
  fc.constant({
    source: 'item.exists(key, item[key] == "b")',
    holds: (given: Case) => ["brand", "kind", "price"].some((key) => propertyOf(given, key) === "b"),
  }),
);

/** A compound condition under rule 5, by which a condition that needs a missing property is false, whatever else it says. */
const joined: fc.Arbitrary<Condition> = fc.oneof(
  conditions,
  fc.tuple(conditions, fc.constantFrom("&&", "||"), conditions).map(([one, joint, other]) => ({
    source: `(${one.source}) ${joint} (${other.source})`,
    holds(given: Case) {
      const [left, right] = [one.holds(given), other.holds(given)];
      if (left === "missing" || right === "missing") return "missing";
      return joint === "&&" ? left && right : left || right;
    },
  })),
);

interface Tree {
  condition: Condition;
  children: Tree[];
}
/** Trees of scenarios up to a depth. */
export const forest = (depth: number): fc.Arbitrary<Tree[]> =>
  fc.array(fc.record({ condition: joined, children: depth > 0 ? forest(depth - 1) : fc.constant([]) }), {
    maxLength: 4,
  });

/** An item, its link and its label's type. */
export const cases: fc.Arbitrary<Case> = fc.record({
  item: fc
    .record({ price: values, brand: values, kind: values, propertyPrice: values }, { requiredKeys: [] })
    .map(({ price, propertyPrice, ...properties }) => ({
      itemId: "milk",
      ...(price !== undefined && { price }),
      sics: [],
      properties: Object.entries({ ...(propertyPrice !== undefined && { price: propertyPrice }), ...properties }).map(
        ([key, value]) => ({ key, value, stamp: 1 }),
      ),
      stamps: {},
      created: 1,
    })),
  link: fc.record(
    { location: fc.constantFrom("aisle 1", "aisle 2", "3"), facings: fc.constantFrom("1", "05", "20") },
    { requiredKeys: [] },
  ),
  type: fc.constantFrom(1317, 1328),
});

/** The scenarios of the trees, each named by its path. */
export const scenariosOf = (trees: readonly Tree[], path = "s"): Scenario[] =>
  trees.map(({ condition, children }, at) => ({
    id: `${path}.${at}`,
    name: `Scenario ${path}.${at}`,
    cel_expression: condition.source,
    design_ids: [`${path}.${at}`],
    children: scenariosOf(children, `${path}.${at}`),
  }));

/** Rule 3 verbatim: children first, each with the conjunction of its ancestors' conditions and its own. */
export function naive(trees: readonly Tree[], given: Case, above = true, path = "s"): string | undefined {
  for (const [at, { condition, children }] of trees.entries()) {
    const holds = above && condition.holds(given) === true;
    const found = naive(children, given, holds, `${path}.${at}`) ?? (holds ? `${path}.${at}` : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
