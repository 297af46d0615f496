import { changedValues } from "./changed-values.ts";
import type { Json, Operation, Parameter } from "./described.ts";
import type { SchemaCheck } from "./schema-check.ts";

/** A call as it is sent. `body` is serialised as JSON unless it is a string or a form. */
export interface Call {
  operation: Operation;
  /** What is special about the call. */
  change: string;
  method: string;
  parameters: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  isWithToken: boolean;
  /** `good`: accepted, or rejected because of what is stored. `bad`: 400. A number: exactly this status. */
  expected: "good" | "bad" | number;
}

/** Values of parameters, by their names, instead of their examples. */
export type Known = Readonly<Record<string, string>>;

const wrongTexts = ["x", "-1", "1.5", "99999999999999999999", "a b", "\u0001", "9".repeat(3_000)];

/**
 * Yields calls of an operation: as in its examples, with one change that its schemas allow or forbid, and with violations of
 * the protocol. Of the changes that break the same keyword, or leave something out at the same depth, only the first is used.
 */
export function* callsOf(operation: Operation, known: Known, check: SchemaCheck): Generator<Call> {
  const { parameters, body, method, security } = operation;
  const base: Call = {
    operation,
    change: "as its example says",
    method,
    parameters: textsOf(
      parameters.filter(({ required }) => required),
      known,
    ),
    headers: {},
    isWithToken: true,
    expected: "good",
    ...(body && { body: body.example ?? {} }),
  };
  yield base;
  const optional = parameters.filter((one) => !one.required && one.in === "query");
  if (optional.length > 0)
    yield { ...base, change: "with every parameter", parameters: { ...base.parameters, ...textsOf(optional, known) } };
  yield* callsWithWrongParameters(base, check);
  if (body?.mediaType === "application/json") yield* callsWithChangedBodies(base, body, check);
  if (security.length > 0) yield { ...base, change: "without a token", isWithToken: false, expected: 401 };
  yield { ...base, change: "with another method", method: "PROPFIND", expected: 405 };
  if (operation.answers["406"])
    yield { ...base, change: "for another type", headers: { accept: "text/x-none" }, expected: 406 };
}

const textsOf = (parameters: readonly Parameter[], known: Known): Record<string, string> =>
  Object.fromEntries(parameters.map(({ name, example }) => [name, known[name] ?? String(example)]));

/** For each parameter, yields calls that each have the first string that breaks a keyword of its schema. */
function* callsWithWrongParameters(base: Call, check: SchemaCheck): Generator<Call> {
  for (const { name, in: place, schema } of base.operation.parameters) {
    const broken = new Set<string>();
    for (const text of wrongTexts) {
      // A header cannot contain such a string.
      if (place === "header" && !/^[\x20-\x7e]*$/.test(text)) continue;
      const [fault] = check(schema, sentValue(text, schema));
      if (fault === undefined || broken.has(fault.keyword)) continue;
      broken.add(fault.keyword);
      const change = `${place} ${name} is ${JSON.stringify(text.slice(0, 40))}`;
      if (place === "header") yield { ...base, change, headers: { [name]: text }, expected: "bad" };
      else yield { ...base, change, parameters: { ...base.parameters, [name]: text }, expected: "bad" };
    }
  }
}

/** Returns the value that a string in a URL represents, by its schema. */
function sentValue(text: string, { type }: Json): unknown {
  const types = [type].flat();
  if (types.includes("array")) return text.split(",");
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function* callsWithChangedBodies(
  base: Call,
  body: NonNullable<Operation["body"]>,
  check: SchemaCheck,
): Generator<Call> {
  const { schema, example, isRequired } = body;
  yield { ...base, change: "with half a body", body: JSON.stringify(example).slice(0, -1), expected: "bad" };
  yield { ...base, change: "with a body of another type", headers: { "content-type": "text/csv" }, expected: 415 };
  if (isRequired) yield { ...base, change: "without a body", body: undefined, expected: "bad" };
  const taken = new Set<string>();
  for (const { change, depth, isEmpty, value } of changedValues(example)) {
    const [fault] = check(schema, value);
    if (fault === undefined && !isEmpty) continue;
    const kind = fault ? `${fault.keyword} ${Math.min(depth, 2)}` : `${change.split(" is ")[1]} ${depth}`;
    if (taken.has(kind)) continue;
    taken.add(kind);
    yield { ...base, change, body: value, expected: fault ? "bad" : "good" };
  }
}
