import type { Json } from "../components.ts";

/** A part of a document in the keywords that generators keep. */
export function strictly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strictly);
  if (typeof value !== "object" || value === null) return value;
  const changes = [withoutConditions, withoutChoices, withAbsentForNull, withNullBeside, withoutPattern];
  const kept = changes.reduce((schema, change) => change(schema), value as Json);
  const { default: initial, description, uniqueItems: _, ...rest } = kept;
  const fields = Object.entries(rest).map(([name, field]) => {
    if (name === "application/problem+json") return [name, problemContent(field as Json)];
    if (/^(image|font)\//.test(name)) return [name, fileContent(field as Json)];
    return [name, isData(name) ? field : strictly(field)];
  });
  const { enum: values, const: only, type } = rest as { enum?: readonly unknown[]; const?: unknown; type?: unknown };
  const isSchema = initial !== undefined && typeof initial !== "object";
  return {
    ...Object.fromEntries(fields),
    ...(values !== undefined && type === undefined && { type: typeOf(values) }),
    ...(only !== undefined && type === "number" && { type: typeOf([only]) }),
    // Without it an integer has 32 bits to some, and a rev is a time in milliseconds.
    ...(isLargeInteger(rest) && { format: "int64" }),
    ...(initial !== undefined && !isSchema && { default: strictly(initial) }),
    ...(description !== undefined && {
      description: typeof description === "string" ? description : strictly(description),
    }),
    // A generator makes a field with a default a required one.
    ...(isSchema && { description: `${description ?? "Value"}; ${String(initial)} if absent` }),
  };
}

/**
 * The type of the values of an enumeration, all of one, which some generators take for a number with decimals if it is
 * not said.
 */
const typeOf = ([value]: readonly unknown[]): string => (typeof value === "number" ? "integer" : typeof value);

/** Whether a schema takes integers that 32 bits do not hold. */
const isLargeInteger = ({ type, maximum, enum: values }: Json): boolean =>
  [type].flat().includes("integer") && values === undefined && !(typeof maximum === "number" && maximum < 2 ** 31);

const isData = (name: string): boolean => ["example", "examples", "enum", "const", "variables"].includes(name);

const problemContent = ({ schema: _, ...content }: Json): Json => ({
  schema: { $ref: "#/components/schemas/Problem" },
  ...content,
});

/** Some generators ignore a response without a schema. */
const fileContent = (content: Json): Json => ({ schema: { type: "string", format: "binary" }, ...content });

/**
 * A choice between a list and something else, or between a number and a text, as any value: of the first, generators make
 * invalid Java, and the second is refused by generators for Go.
 */
function withoutChoices(schema: Json): Json {
  const { anyOf, description, ...rest } = schema;
  if (isChoiceOfTypes(schema)) {
    const { type, minimum: _, maximum: __, pattern: ___, ...others } = rest;
    return { ...others, description: `${description ?? "Value"}: ${(type as string[]).join(", or ")}` };
  }
  if (!Array.isArray(anyOf) || !anyOf.some(({ type }) => type === "array")) return schema;
  const choices = anyOf.map(({ type, enum: values, const: only }: Json) =>
    type === "array" ? "a list" : ((values as string[] | undefined)?.join(", ") ?? only ?? type),
  );
  return { ...rest, description: `${description ?? "Value"}: ${choices.join(", or ")}` };
}

const isChoiceOfTypes = ({ type, enum: values }: Json): boolean =>
  Array.isArray(type) && values === undefined && type.filter((one) => one !== "null").length > 1;

/** Fields that may be absent without null among their values, which is the same there: C# sends names of such numbers. */
function withAbsentForNull(schema: Json): Json {
  const { properties, required = [] } = schema as { properties?: Record<string, Json>; required?: readonly string[] };
  if (properties === undefined) return schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    if (!hasNullAmongValues(field) || required.includes(name)) return [name, field];
    const values = othersThanNull(field);
    return [name, { ...field, type: typeOf(values), enum: values }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** An enumeration with null as a choice between the two: null is not a constant of a type in Go. */
function withNullBeside(schema: Json): Json {
  if (!hasNullAmongValues(schema)) return schema;
  const { type: _, enum: __, ...rest } = schema;
  const values = othersThanNull(schema);
  return { ...rest, anyOf: [{ type: typeOf(values), enum: values }, { type: "null" }] };
}

const hasNullAmongValues = ({ enum: values }: Json): boolean => Array.isArray(values) && values.includes(null);
const othersThanNull = ({ enum: values }: Json): unknown[] => (values as unknown[]).filter((value) => value !== null);

/** A time is a type of the language, which C# checks against the text's pattern all the same, and does not compile. */
function withoutPattern(schema: Json): Json {
  if (schema.format !== "date-time") return schema;
  const { pattern: _, ...rest } = schema;
  return rest;
}

/** An object's schema without the conditions on its required fields. */
function withoutConditions(schema: Json): Json {
  if (schema.type !== "object") return schema;
  const { dependentRequired: _, propertyNames: __, anyOf, allOf, ...rest } = schema;
  const isCondition = (branches: unknown) => Array.isArray(branches) && branches.every((one) => !("$ref" in one));
  return {
    ...rest,
    ...(anyOf !== undefined && !isCondition(anyOf) && { anyOf }),
    ...(allOf !== undefined && !isCondition(allOf) && { allOf }),
  };
}
