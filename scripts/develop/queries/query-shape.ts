/**
 * A query's condition on a field: one value (for a flag, which one), no value, one of several, a range of values, its
 * existence, or something that no index answers.
 */
export type Condition = "one" | "true" | "false" | "absent" | "some" | "range" | "present" | "other";

/** The properties of a query that decide how a server finds its documents, without the values. */
export interface QueryShape {
  collection: string;
  where: Readonly<Record<string, Condition>>;
  /** Alternatives of an `$or`. Each applies in addition to `where`. */
  either?: readonly Readonly<Record<string, Condition>>[];
  sort: Readonly<Record<string, 1 | -1>>;
}

type Filter = Readonly<Record<string, unknown>>;

const RANGE = new Set(["$gt", "$gte", "$lt", "$lte"]);

/** Returns the shape of a query. Equal shapes have the same text, because fields are in order, except in a sort. */
export function shapeOf(collection: string, filter: Filter = {}, sort: unknown = {}): QueryShape {
  const { $or, ...rest } = filter;
  const either = Array.isArray($or) ? $or.map((branch: Filter) => conditionsOf(branch)) : undefined;
  return { collection, where: conditionsOf(rest), ...(either && { either: distinct(either) }), sort: sortOf(sort) };
}

/** An `$or` with many alternatives of the same shape is reduced to one of each. */
const distinct = <T>(values: readonly T[]): T[] =>
  [...new Set(values.map((value) => JSON.stringify(value)))].sort().map((text) => JSON.parse(text));

function conditionsOf(filter: Filter): Record<string, Condition> {
  const fields = Object.keys(filter).sort();
  return Object.fromEntries(fields.map((field) => [field, field[0] === "$" ? "other" : conditionOf(filter[field])]));
}

function conditionOf(asked: unknown): Condition {
  if (asked === null || asked === undefined) return "absent";
  if (typeof asked === "boolean") return `${asked}`;
  if (typeof asked !== "object" || asked.constructor !== Object) return "one";
  const operators = Object.keys(asked);
  if (!operators.some((name) => name.startsWith("$"))) return "one";
  if (operators.every((name) => RANGE.has(name))) return "range";
  const [operator = ""] = operators;
  const value = (asked as Record<string, unknown>)[operator];
  if (operators.length > 1) return "other";
  if (operator === "$exists") return value === true ? "present" : "absent";
  if (operator === "$in") return "some";
  return operator === "$eq" ? conditionOf(value) : "other";
}

const sortOf = (sort: unknown): Record<string, 1 | -1> =>
  Object.fromEntries(
    Object.entries((sort ?? {}) as object).map(([field, direction]) => [field, direction === -1 ? -1 : 1]),
  );

/** Returns a shape as text. Equal shapes have the same text. */
export const textOfShape = ({ collection, where, either, sort }: QueryShape): string =>
  JSON.stringify({ collection, where, ...(either && { either }), sort });
