import { pointerPart, shown } from "./fault-texts.ts";
import { type Fault, faultAt } from "./problem.ts";
import { type RefusalNotice, refusalNotice } from "./refusal-notice.ts";

/** The keywords of JSON Schema that limit the size of a value. */
export interface Shape {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  items?: Shape;
  anyOf?: readonly Shape[];
  const?: unknown;
  enum?: readonly unknown[];
  maxItems?: number;
  maxLength?: number;
  maxProperties?: number;
  $id?: string;
  $ref?: string;
  $defs?: Readonly<Record<string, Shape>>;
}

/** Returns a fault for each list, map or string in a value that is longer than its schema allows. */
export type LengthCheck = (value: unknown, at: string) => Fault[];

const NONE: Fault[] = [];

/**
 * Compiles the length bounds of a schema. It does not visit the elements of a list: they are checked only once the list is
 * known to be short. Returns undefined if the schema has no bounds.
 */
export function compileLengths(shape: Shape): LengthCheck | undefined {
  const own = keywords.some((keyword) => mostOf(shape, keyword) !== Number.POSITIVE_INFINITY);
  const inner = Object.entries(shape.properties ?? {}).flatMap(([name, property]) => {
    const check = compileLengths(property);
    return check ? [{ name, check, part: `/${pointerPart(name)}` }] : [];
  });
  if (!own && inner.length === 0) return undefined;
  return (value, at) => {
    const fault = own ? ownFault(shape, value) : undefined;
    if (fault !== undefined) return [faultAt(at, fault)];
    if (typeof value !== "object" || value === null || Array.isArray(value)) return NONE;
    let faults = NONE;
    for (const { name, check, part } of inner) {
      if (!Object.hasOwn(value, name)) continue;
      const found = check((value as Record<string, unknown>)[name], at + part);
      if (found.length > 0) faults = [...faults, ...found];
    }
    return faults;
  };
}

function ownFault(shape: Shape, value: unknown): RefusalNotice | undefined {
  if (Array.isArray(value)) return tooMany(mostOf(shape, "maxItems"), value.length, "items", value);
  if (typeof value === "string") {
    const most = mostOf(shape, "maxLength");
    // A character has at most two code units; for lengths in between, the schema's own check counts exactly.
    return value.length > 2 * most ? tooMany(most, value.length, "characters", value) : undefined;
  }
  if (typeof value !== "object" || value === null || mostOf(shape, "maxProperties") === Number.POSITIVE_INFINITY)
    return undefined;
  return tooMany(mostOf(shape, "maxProperties"), Object.keys(value).length, "fields", value);
}

const keywords = ["maxItems", "maxLength", "maxProperties"] as const;

/** Returns the largest bound among a value's forms; infinite if the schema has none. */
function mostOf(shape: Shape, keyword: (typeof keywords)[number]): number {
  const own = shape[keyword];
  if (own !== undefined) return own;
  const forms = (shape.anyOf ?? []).flatMap((form) => form[keyword] ?? []);
  return forms.length > 0 ? Math.max(...forms) : Number.POSITIVE_INFINITY;
}

const tooMany = (limit: number, count: number, unit: string, value: unknown): RefusalNotice | undefined =>
  count > limit ? refusalNotice("FIELD_LONG", { limit, unit, value: countedText(value, count) }) : undefined;

const countedText = (value: unknown, count: number): string =>
  typeof value === "object" && !Array.isArray(value) ? `an object of ${count}` : shown(value);
