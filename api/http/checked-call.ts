import { parse as parseQuery } from "node:querystring";
import type { TObject, TSchema } from "typebox";
import type { Fault } from "../../schemas/problem.ts";
import { unknownFields } from "../../schemas/unknown-fields.ts";
import type { Check } from "../../schemas/validate.ts";
import type { compileBodyCheck, Forms } from "../body/check-body.ts";
import { tolerate } from "../tolerance/tolerate.ts";
import { ProblemError } from "./problem-error.ts";
import type { Route } from "./route.ts";

export async function checkedBody(
  route: Route,
  check: ReturnType<typeof compileBodyCheck>,
  body: unknown,
  forms: Forms | undefined,
): Promise<unknown> {
  if (body !== undefined) {
    const { faults, value } = await check(body, forms);
    assertNone(faults.length > 0 ? faults : unknownIn(route, value), "body");
    return value;
  }
  if (route.isBodyOptional) return undefined;
  const errors = [{ pointer: "", detail: "is missing" }];
  throw new ProblemError("invalid-request", "The operation requires a body.", { errors });
}

/**
 * Unknown fields in the body of a management operation, since a misspelt one would otherwise be ignored silently.
 * Fields that only responses contain may be sent back. Bodies of a store's interface may have further fields.
 */
function unknownIn({ of, body: schema, namesUnknownFields, method, answers }: Route, body: unknown): Fault[] {
  if (of === undefined || schema === undefined || namesUnknownFields) return [];
  const shown = method === "PUT" ? ((answers[200] as Partial<TObject> | undefined)?.properties ?? {}) : {};
  return unknownFields(
    schema,
    body,
    Object.keys(shown).map((name) => `/${name}`),
  );
}

/** A query of texts that its schema takes, or takes in their strict form. */
export function checkedQuery(schema: TSchema, check: Check | undefined, text: string, isTolerant: boolean): unknown {
  const given = typedQuery(text, schema);
  const faults = check?.(given) ?? [];
  if (isTolerant && faults.length > 0)
    return checked(check, "query", tolerate(schema, given, { timeZone: "UTC" }).value);
  assertNone(faults, "query");
  return given;
}

export function checked(check: Check | undefined, what: string, value: unknown): unknown {
  assertNone(check?.(value) ?? [], what);
  return value;
}

function assertNone(faults: readonly Fault[], what: string): void {
  if (faults.length === 0) return;
  const errors = faults.map((fault) => ({ ...fault, pointer: pointerInto(what, fault.pointer) }));
  throw new ProblemError("invalid-request", `The ${what} has ${faults.length} fault${faults.length > 1 ? "s" : ""}.`, {
    errors,
  });
}

/** JSON Pointer of a fault. In a query it names the parameter only; the fault's detail names the wrong value. */
function pointerInto(what: string, pointer: string): string {
  if (what === "body") return pointer;
  return `/${what}${what === "query" ? /^(\/[^/]*)?/.exec(pointer)?.[0] : pointer}`;
}

/** Parses query texts to the types of the schema. A text that does not parse stays a text, which validation refuses. */
function typedQuery(text: string, schema: TSchema): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  // Avoids Node's limit of 1,000 keys: a filter may contain thousands of barcodes, and none may be dropped silently.
  return Object.fromEntries(
    Object.entries(parseQuery(text, "&", "=", { maxKeys: 0 }))
      .filter(([name]) => Object.hasOwn(properties, name))
      .map(([name, value]) => [name, typedText(value, properties[name]?.type)]),
  );
}

function typedText(value: string | string[] | undefined, type: string | undefined): unknown {
  if (type === "array") return [value ?? []].flat().flatMap(valuesOf);
  if (typeof value !== "string") return value;
  if (type === "integer" && /^-?\d+$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** The values of a list in a query: separated by commas, where `\,` is a literal comma. */
export const valuesOf = (text: string): string[] => text.split(/(?<!\\),/).map((value) => value.replaceAll("\\,", ","));
