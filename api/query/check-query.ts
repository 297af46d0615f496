import { parse as parseQuery } from "node:querystring";
import { closest } from "fastest-levenshtein";
import type { TSchema } from "typebox";
import { pointerPart } from "../../schemas/fault-texts.ts";
import type { Fault } from "../../schemas/problem.ts";
import { compileCheck } from "../../schemas/validate.ts";
import { assertNone } from "../http/checked-call.ts";
import { tolerate } from "../tolerance/strict-form.ts";

/** A query as its operation receives it, and remarks about it for its caller. */
export interface CheckedQuery {
  query: unknown;
  remarks: readonly string[];
}

/** How to treat a query beyond the strict forms of the operation's parameters. */
export interface Handling {
  /** Accepts other forms of values, and a `limit` beyond its maximum. */
  isTolerant: boolean;
  /** Rejects parameters that the operation does not have. */
  isStrict: boolean;
}

/** Compiles the check of an operation's query. */
export function compileQueryCheck(schema: TSchema | undefined): (text: string, handling: Handling) => CheckedQuery {
  const check = schema ? compileCheck(schema) : () => [];
  const { properties = {} } = (schema ?? {}) as { properties?: Properties };
  return (text, { isTolerant, isStrict }) => {
    const { query: given, unknown } = typedQuery(text, properties);
    let query = given;
    let faults = check(query);
    const remarks = isStrict
      ? []
      : unknown.map((name) => `${name.slice(0, 60)} ${notOfThisOperation(properties, name)}, and is ignored`);
    if (faults.length > 0 && isTolerant && schema !== undefined) {
      query = tolerate(schema, query, { timeZone: "UTC" }).value as Query;
      const { limit } = query;
      query = withinLimit(query, properties.limit?.maximum);
      if (query.limit !== limit) remarks.unshift(`limit=${limit} is more than the maximum; ${query.limit} is used`);
      faults = check(query);
    }
    const refused = isStrict ? unknown.map((name) => unknownFault(name, properties)) : [];
    assertNone([...faults, ...refused], "query");
    return { query, remarks };
  };
}

type Properties = Readonly<Record<string, { type?: string; maximum?: number }>>;
type Query = Record<string, unknown>;

const unknownFault = (name: string, properties: Properties): Fault => ({
  pointer: `/${pointerPart(name)}`,
  detail: `${notOfThisOperation(properties, name)}. Leave it out`,
});

function notOfThisOperation(properties: Properties, name: string): string {
  const names = Object.keys(properties);
  const nearest = names.length === 0 ? "it has none" : `the nearest is ${closest(name, names)}`;
  return `is not a query parameter of this operation; ${nearest}`;
}

/** Returns a query with its `limit` capped at the operation's maximum. */
const withinLimit = (query: Query, most = Number.POSITIVE_INFINITY): Query =>
  Number(query.limit) > most ? { ...query, limit: most } : query;

/**
 * Converts the strings of a query to the types of the schema. A string that cannot be converted is unchanged, and validation
 * rejects it. Names that the schema does not have are listed separately.
 */
function typedQuery(text: string, properties: Properties): { query: Query; unknown: string[] } {
  // Lifts Node's limit of 1,000 keys, because a filter may contain thousands of barcodes, and none may be dropped silently.
  const given = Object.entries(parseQuery(text, "&", "=", { maxKeys: 0 })).filter(([name]) => name !== "");
  const isKnown = (name: string) => Object.hasOwn(properties, name);
  const known = given.filter(([name]) => isKnown(name));
  return {
    query: Object.fromEntries(known.map(([name, value]) => [name, typedText(value, properties[name]?.type)])),
    unknown: given.map(([name]) => name).filter((name) => !isKnown(name)),
  };
}

function typedText(value: string | string[] | undefined, type: string | undefined): unknown {
  if (type === "array") return [value ?? []].flat().flatMap(valuesOf);
  if (typeof value !== "string") return value;
  if (type === "integer" && /^-?\d+$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** Returns the values of a list in a query: separated by commas, where `\,` is a literal comma. */
export const valuesOf = (text: string): string[] => text.split(/(?<!\\),/).map((value) => value.replaceAll("\\,", ","));
