import type { TSchema } from "typebox";
import { pointerPart } from "../../schemas/fault-texts.ts";
import type { Fault } from "../../schemas/problem.ts";
import { localTimeOf } from "./time-with-offset.ts";
import { WrittenNumber } from "./written-number.ts";

/** The parts of a schema that determine which forms of a value are accepted (docs/integrators/calls.md#accepted-forms). */
interface Shape {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  additionalProperties?: Shape | boolean;
  items?: Shape;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  /** The name of an object in which callers may send the fields of this one. */
  wrapper?: string;
}

/** A value, converted to its strict form as far as possible. */
export interface Tolerated {
  value: unknown;
  /** Why a value was not converted. The check of the value rejects it as well, but this reason is clearer. */
  faults: readonly Fault[];
  /** Whether a number was accepted as a string, whose text depends on how the number was written. */
  hasNumbers: boolean;
  /** Whether anything was not in its strict form; if not, a second check would find the same faults. */
  isChanged: boolean;
}

/** The settings of a call's store on which the meaning of its values depends. */
export interface FormsContext {
  timeZone: string;
}

/** Whether a caller requests that only strict forms be accepted (RFC 7240, section 4.4). */
export const asksForStrict = (prefer: string): boolean => /(^|,)\s*handling\s*=\s*"?strict\b/i.test(prefer);

/** Whether bodies of this schema may have forms that pass the check but would be misread. */
export const hasWrapper = (schema: TSchema): boolean => (schema as Shape).wrapper !== undefined;

/**
 * Converts a value from a form that existing programs send into a schema's strict form; operations see only strict forms. A
 * strict form is unchanged.
 */
export function tolerate(schema: TSchema, given: unknown, { timeZone }: FormsContext): Tolerated {
  const faults: Fault[] = [];
  let hasNumbers = false;
  let isChanged = false;

  function strict(shape: Shape, value: unknown, at: string): unknown {
    const types = typesOf(shape);
    const takes = (type: string) => types.includes(type);
    if (value instanceof WrittenNumber && !takes("string")) return strict(shape, value.value, at);
    const taken = takenForm(shape, types, value, at);
    if (taken !== value && !Array.isArray(value) && !isObject(value)) isChanged = true;
    return taken;
  }

  function takenForm(shape: Shape, types: readonly string[], value: unknown, at: string): unknown {
    const takes = (type: string) => types.includes(type);
    if (Array.isArray(value)) return shape.items ? listOf(shape.items, value, at) : plain(value);
    if (isObject(value)) {
      if (takes("array") && shape.items?.properties) {
        isChanged = true;
        return listOf(shape.items, [value], at);
      }
      return objectOf(shape, value, at);
    }
    if (takes("boolean")) return booleans.get(String(value).toLowerCase()) ?? value;
    if (typeof value === "string")
      return takes("string") || isText(shape) ? textOf(shape, value, at) : numberOf(shape, types, value);
    return isText(shape) ? textOfNumber(value, at) : value;
  }

  const listOf = (items: Shape, list: readonly unknown[], at: string) =>
    list.map((element, index) => strict(items, element, `${at}/${index}`));

  function objectOf(shape: Shape, value: Fields, at: string): Fields {
    const { properties, additionalProperties, required = [] } = shape;
    const fields = shape.wrapper === undefined ? value : unwrapped(shape.wrapper, properties ?? {}, value, at);
    const open = typeof additionalProperties === "object" ? additionalProperties : undefined;
    const made: Fields = {};
    for (const [name, field] of Object.entries(fields)) {
      const known = properties && Object.hasOwn(properties, name) ? properties[name] : open;
      if (known && !required.includes(name) && isEmpty(known, field)) {
        isChanged = true;
        continue;
      }
      const isOfMap = known !== undefined && known === open;
      const taken = known ? (isOfMap ? ofMap : strict)(known, field, `${at}/${pointerPart(name)}`) : plain(field);
      Object.defineProperty(made, name, { value: taken, enumerable: true, configurable: true, writable: true });
    }
    return made;
  }

  /** A value in a map of strings, such as `properties`: a number becomes what the caller wrote, and `true` becomes "true". */
  function ofMap(shape: Shape, value: unknown, at: string): unknown {
    if (!isText(shape)) return strict(shape, value, at);
    if (value !== true && !(value instanceof WrittenNumber)) return strict(shape, value, at);
    isChanged = true;
    return value === true ? "true" : value.source;
  }

  /** Merges the fields of an object and of the object wrapped in it. Fields in any other nested object are rejected. */
  function unwrapped(wrapper: string, properties: NonNullable<Shape["properties"]>, value: Fields, at: string): Fields {
    const { [wrapper]: inner, ...outer } = value;
    for (const [name, field] of Object.entries(outer)) {
      if (!isObject(field) || Object.hasOwn(properties, name)) continue;
      const lost = Object.keys(field).find((one) => Object.hasOwn(properties, one));
      if (lost === undefined) continue;
      const pointer = `${at}/${pointerPart(name)}/${pointerPart(lost)}`;
      faults.push({ pointer, detail: `is not allowed here: send \`${lost}\` next to or in \`${wrapper}\`` });
    }
    if (!isObject(inner)) return value;
    for (const name of Object.keys(inner)) {
      if (!Object.hasOwn(properties, name) || !Object.hasOwn(outer, name) || outer[name] === inner[name]) continue;
      faults.push({ pointer: `${at}/${wrapper}/${pointerPart(name)}`, detail: "differs from the value next to it" });
    }
    isChanged = true;
    return { ...inner, ...outer };
  }

  function textOf({ enum: values = [], format }: Shape, value: string, at: string): unknown {
    if (format === "local-date-time") return localTime(value, at);
    if (values.length === 0 || values.includes(value)) return value;
    const same = (one: unknown) => typeof one === "string" && one.toLowerCase() === value.toLowerCase();
    return values.find(same) ?? value;
  }

  function localTime(value: string, at: string): string {
    const local = localTimeOf(value, timeZone);
    if (local !== "twice") return local ?? value;
    const detail = `falls into an hour that occurs twice in ${timeZone} and cannot be converted to local time: ${value}`;
    faults.push({ pointer: at, detail });
    return value;
  }

  function textOfNumber(value: unknown, at: string): unknown {
    if (typeof value === "number") {
      hasNumbers = true;
      return String(value);
    }
    if (!(value instanceof WrittenNumber)) return value;
    const number = value.source.slice(0, 40);
    const detail = `must be a string; as a number, ${number} is not kept exactly. Send "${number}"`;
    faults.push({ pointer: at, detail });
    return value.value;
  }

  const value = strict(schema as Shape, given, "");
  return { value, faults, hasNumbers, isChanged };
}

type Fields = Record<string, unknown>;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);

/**
 * Whether a value only means that an optional field has none: `null` or "", if the field's schema rejects it; or `false` in
 * place of a string, a list or an object.
 */
function isEmpty(shape: Shape, value: unknown): boolean {
  if (value === null) return !takesNull(shape);
  if (value === false) return isText(shape) || typesOf(shape).some((type) => type === "array" || type === "object");
  return value === "" && isText(shape) && !takesEmptyText(shape);
}

const typesOf = ({ type }: Shape): readonly string[] => [type ?? []].flat();

function takesEmptyText({ enum: values, minLength = 0, pattern }: Shape): boolean {
  if (values !== undefined && !values.includes("")) return false;
  return minLength === 0 && (pattern === undefined || new RegExp(pattern, "u").test(""));
}

/** Returns the number in a string if the schema accepts it or its enum contains it; any other string is unchanged. */
function numberOf({ enum: choices = [] }: Shape, types: readonly string[], text: string): unknown {
  const choice = choices.find((one) => typeof one === "number" && String(one) === text);
  if (choice !== undefined) return choice;
  const isWritten = types.includes("integer") ? WHOLE.test(text) : types.includes("number") && DECIMAL.test(text);
  return isWritten ? Number(text) : text;
}

const WHOLE = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

function isText({ type, enum: values }: Shape): boolean {
  if (type === undefined) return values?.some((value) => typeof value === "string") ?? false;
  const types = [type].flat();
  return types.includes("string") && !["number", "integer", "boolean"].some((other) => types.includes(other));
}

const takesNull = (shape: Shape): boolean => typesOf(shape).includes("null") || (shape.enum?.includes(null) ?? false);

/** Returns a value that no schema describes, with its numbers as numbers. */
function plain(value: unknown): unknown {
  if (value instanceof WrittenNumber) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}
