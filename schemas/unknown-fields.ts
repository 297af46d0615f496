import { closest } from "fastest-levenshtein";
import type { TSchema } from "typebox";
import { pointerPart } from "./fault-texts.ts";
import type { Shape } from "./length-faults.ts";
import type { Fault } from "./problem.ts";

/**
 * Returns a fault for each field of a value that its schema does not define, with the nearest defined name. The value must
 * otherwise match the schema. `shownBeside` lists pointers to fields that responses contain in addition to the value, so that a
 * response can be sent back unchanged.
 */
export const unknownFields = (schema: TSchema, value: unknown, shownBeside: readonly string[] = []): Fault[] =>
  faultsAt(schema as Shape, value, "", {}).filter(({ pointer }) => !shownBeside.includes(pointer));

type Definitions = NonNullable<Shape["$defs"]>;

function faultsAt(given: Shape, value: unknown, at: string, outer: Definitions): Fault[] {
  const definitions = given.$defs ?? outer;
  const shape = formOf(given, value, definitions);
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.flatMap((entry, index) => faultsAt(items, entry, `${at}/${index}`, definitions)) : [];
  }
  const { properties } = shape;
  if (typeof value !== "object" || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const pointer = `${at}/${pointerPart(name)}`;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known ? faultsAt(known, field, pointer, definitions) : [{ pointer, detail: unknownText(name, properties) }];
  });
}

/** Returns the schema itself, the schema that it references or, among alternatives, the schema that the value matches. */
function formOf(given: Shape, value: unknown, definitions: Definitions): Shape {
  const shape = (given.$ref === undefined ? undefined : definitions[given.$ref]) ?? given;
  return shape.anyOf?.find((form) => hasForm(form, value)) ?? shape;
}

function hasForm({ type, properties = {} }: Shape, value: unknown): boolean {
  if (Array.isArray(value)) return type === "array";
  if (typeof value !== "object" || value === null || type !== "object") return false;
  const { const: only, enum: kinds = only === undefined ? undefined : [only] } = properties.kind ?? {};
  return kinds?.includes((value as { kind?: unknown }).kind) ?? true;
}

function unknownText(name: string, properties: Readonly<Record<string, Shape>>): string {
  const names = Object.keys(properties);
  return `is not a field of this object; the nearest is \`${closest(name, names)}\`, and the fields are ${names.join(", ")}`;
}
