import type { Json } from "../components.ts";

/** Converts a part of a document to the keywords that generators support. */
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
    // Without the format, some generators use 32 bits for an integer, and a rev is a time in milliseconds.
    ...(isLargeInteger(rest) && { format: "int64" }),
    ...(initial !== undefined && !isSchema && { default: strictly(initial) }),
    ...(description !== undefined && {
      description: typeof description === "string" ? description : strictly(description),
    }),
    // Generators treat a field with a default as required.
    ...(isSchema && { description: `${description ?? "Value"}; ${String(initial)} if absent` }),
  };
}

/** The common type of an enumeration's values. Some generators assume a decimal number if no type is given. */
const typeOf = ([value]: readonly unknown[]): string => (typeof value === "number" ? "integer" : typeof value);

/** Whether a schema allows integers that do not fit into 32 bits. */
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
 * Replaces a union of an array and another type, or of a number and a string, with a schema that accepts any value.
 * Generators turn the first into invalid Java; generators for Go reject the second.
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

/** Removes null from optional enumerations, where absence means the same; with null, C# sends names instead of values. */
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

/** Turns an enumeration that contains null into a union of its other values and null, because Go has no null constant. */
function withNullBeside(schema: Json): Json {
  if (!hasNullAmongValues(schema)) return schema;
  const { type: _, enum: __, ...rest } = schema;
  const values = othersThanNull(schema);
  return { ...rest, anyOf: [{ type: typeOf(values), enum: values }, { type: "null" }] };
}

const hasNullAmongValues = ({ enum: values }: Json): boolean => Array.isArray(values) && values.includes(null);
const othersThanNull = ({ enum: values }: Json): unknown[] => (values as unknown[]).filter((value) => value !== null);

/**
 * Removes the pattern of a time. C# has a type for times, but the generated code still checks the value against the pattern
 * and does not compile.
 */
function withoutPattern(schema: Json): Json {
  if (schema.format !== "date-time") return schema;
  const { pattern: _, ...rest } = schema;
  return rest;
}

/** Returns an object's schema without the conditions on its required fields. */
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
