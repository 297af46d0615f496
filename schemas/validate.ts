import { Ajv, type ValidateFunction } from "ajv";
import type { Static, TSchema } from "typebox";
import { countComputing } from "./computing-counts.ts";
import { faultsOf, pointerPart, shown } from "./fault-texts.ts";
import { compileLengths, type Shape } from "./length-faults.ts";
import { type Fault, faultAt } from "./problem.ts";
import { refusalNotice } from "./refusal-notice.ts";

/**
 * Options that omit the validation of our own schemas, which a test covers: compiling the meta-schema would dominate the start
 * of a process.
 */
const options = { allErrors: true, verbose: true, strict: false, strictNumbers: true, validateSchema: false };
const ajv = new Ajv(options);
ajv.addFormat("local-date-time", isLocalDateTime);
ajv.addFormat("instant", (text) => /^\d{4}-\d{2}-\d{2}T.*Z$/.test(text) && !Number.isNaN(Date.parse(text)));
/** Maximum number of faults reported for a body, which bounds the work and the response. */
export const MAX_FAULTS = 100;

/** Returns the faults of a value against a schema; a value without faults has the schema's type. */
export type Check = (value: unknown) => Fault[];

/** A check of a list that can run element by element, interleaved with other work. */
export interface ListCheck {
  /** Returns the faults of the list itself, such as its length. If there are any, the elements are not checked. */
  checkList: Check;
  /** Checks one element and adds its faults; returns false once there are so many faults that the rest need not be checked. */
  checkElement(element: unknown, index: number, faults: Fault[]): boolean;
  /** Returns the faults for a response. If the checks stopped early, the last fault says so and names what was not checked. */
  answerOf(faults: readonly Fault[], unchecked?: string): Fault[];
}

/** Adds the faults of a value; returns false once there are so many faults that the rest need not be checked. */
type Visit = (value: unknown, at: string, faults: Fault[]) => boolean;

/** Compiled checks by schema: a schema is compiled once, however many routes, queues and settings use it. */
const checks = new WeakMap<TSchema, Check>();
const listChecks = new WeakMap<TSchema, ListCheck | undefined>();

/** Compiles a schema into a check whose faults contain the place, the invalid value and what is allowed. */
export const compileCheck = (schema: TSchema): Check => getOrMake(checks, schema, makeCheck);

/** Compiles the schema of a list; returns undefined for any other schema. */
export const compileListCheck = (schema: TSchema): ListCheck | undefined =>
  getOrMake(listChecks, schema, makeListCheck);

function getOrMake<Made>(made: WeakMap<TSchema, Made>, schema: TSchema, make: (schema: TSchema) => Made): Made {
  if (!made.has(schema)) made.set(schema, make(schema));
  return made.get(schema) as Made;
}

function makeCheck(schema: TSchema): Check {
  const visit = createVisits()(schema as Shape);
  return (value) => {
    const faults: Fault[] = [];
    visit(value, "", faults);
    return answerOf(faults);
  };
}

function makeListCheck(schema: TSchema): ListCheck | undefined {
  const { items, ...list } = schema as Shape;
  if (items === undefined) return undefined;
  const visit = createVisits();
  const visitList = visit(list);
  const visitElement = visit(items);
  return {
    checkList(value) {
      const faults: Fault[] = [];
      visitList(value, "", faults);
      return answerOf(faults);
    },
    checkElement: (element, index, faults) => visitElement(element, `/${index}`, faults),
    answerOf,
  };
}

function answerOf(faults: readonly Fault[], unchecked?: string): Fault[] {
  countComputing("faults", faults.length);
  if (faults.length <= MAX_FAULTS) return [...faults];
  const detail = unchecked === undefined ? "and more faults" : `and more faults; ${unchecked}`;
  return [...faults.slice(0, MAX_FAULTS), { pointer: "", detail }];
}

/**
 * Compiles schemas so that lists at every depth are checked before their elements, and elements one after another until
 * MAX_FAULTS are found. ajv by itself would collect the faults of all elements, even of a list that is too long, so a
 * compressed body of a few kilobytes of zeros could take gigabytes.
 */
function createVisits(): (shape: Shape) => Visit {
  const visits = new Map<Shape, Visit>();
  let definitions: Shape["$defs"];

  function visitOf(given: Shape): Visit {
    definitions = given.$defs ?? definitions;
    const shape = (given.$ref === undefined ? undefined : definitions?.[given.$ref]) ?? given;
    const known = visits.get(shape);
    if (known) return known;
    const byKind = formsByKind(shape);
    const visit = byKind ? visitForms(byKind) : visitShape(shape);
    visits.set(shape, visit);
    return visit;
  }

  /**
   * Checks a value only against the form selected by its `kind`, so that the faults concern this form rather than "matches none
   * of the allowed forms".
   */
  function visitForms(forms: ReadonlyMap<string, Shape>): Visit {
    return (value, at, faults) => {
      const form = forms.get((value as { kind?: string } | null)?.kind ?? "");
      if (form !== undefined) return visitOf(form)(value, at, faults);
      faults.push(kindFault(value, at, [...forms.keys()]));
      return faults.length <= MAX_FAULTS;
    };
  }

  function visitShape(shape: Shape): Visit {
    const own = withoutItems(shape);
    const checkLengths = compileLengths(own);
    const checkOwn = ownCheck(own);
    const places = placesOf(shape);
    return (value, at, faults) => {
      countComputing("checks");
      const tooLong = checkLengths?.(value, at) ?? [];
      if (tooLong.length > 0) {
        faults.push(...tooLong);
        return faults.length <= MAX_FAULTS;
      }
      return checkOwn(value, at, faults) && places.every((place) => visitElements(place, value, at, faults));
    };
  }

  function visitElements({ path, part, items }: Place, value: unknown, at: string, faults: Fault[]): boolean {
    let list = value;
    for (const name of path) {
      if (typeof list !== "object" || list === null || !Object.hasOwn(list, name)) return true;
      list = (list as Record<string, unknown>)[name];
    }
    if (!Array.isArray(list)) return true;
    const visit = visitOf(items);
    return list.every((element, index) => visit(element, `${at}${part}/${index}`, faults));
  }

  return visitOf;
}

/** Checks a value against a schema without the elements of lists. */
function ownCheck(shape: Shape): Visit {
  // Compiled on first use, because a process defines far more schemas than it needs at first.
  let validate: ValidateFunction | undefined;
  return (value, at, faults) => {
    validate ??= ajv.compile(shape);
    if (!validate(value)) faults.push(...faultsOf(validate.errors ?? [], at, MAX_FAULTS + 1 - faults.length));
    return faults.length <= MAX_FAULTS;
  };
}

/**
 * Returns the schema and its nested objects without the elements of lists, and without the id, which only the original may
 * have.
 */
function withoutItems({ items: _, properties, $id: __, ...rest }: Shape): Shape {
  if (properties === undefined) return rest;
  const inner = Object.entries(properties).map(([name, property]) => [name, withoutItems(property)]);
  return { ...rest, properties: Object.fromEntries(inner) };
}

/** The forms of a value by the value of their field `kind`; undefined for other schemas. */
function formsByKind({ anyOf = [] }: Shape): ReadonlyMap<string, Shape> | undefined {
  const entries = anyOf.flatMap((form) => {
    const { const: only, enum: several = [only] } = form.properties?.kind ?? {};
    return several.map((kind): [unknown, Shape] => [kind, form]);
  });
  const isTold = entries.length > 0 && entries.every(([kind]) => typeof kind === "string");
  return isTold ? new Map(entries as [string, Shape][]) : undefined;
}

function kindFault(value: unknown, at: string, kinds: readonly string[]): Fault {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return faultAt(at, refusalNotice("FIELD_TYPE", { type: "an object", value: shown(value) }));
  const pointer = `${at}/kind`;
  if (!("kind" in value)) return faultAt(pointer, refusalNotice("FIELD_MISSING", {}));
  const { kind } = value;
  return faultAt(pointer, refusalNotice("FIELD_CHOICE", { choices: kinds.join(", "), value: shown(kind) }));
}

/** A place in a value that may contain a list: the names on the path to it, and the schema of its elements. */
interface Place {
  path: readonly string[];
  /** The same path as a JSON Pointer. */
  part: string;
  items: Shape;
}

/** The lists whose elements a schema describes, including those in nested objects. */
function placesOf({ items, properties = {} }: Shape, path: readonly string[] = []): Place[] {
  const own = items === undefined ? [] : [{ path, part: path.map((name) => `/${pointerPart(name)}`).join(""), items }];
  const inner = Object.entries(properties).flatMap(([name, property]) => placesOf(property, [...path, name]));
  return [...own, ...inner];
}

/** Creates a parser that throws a TypeError with the faults of a value; `what` names the value in the message. */
export function parseWith<S extends TSchema>(schema: S, what: string): (value: unknown) => Static<S> {
  const check = compileCheck(schema);
  return (value) => {
    const faults = check(value);
    if (faults.length > 0) {
      throw new TypeError(`${what}: ${faults.map(({ pointer, detail }) => `${pointer || "/"} ${detail}`).join("; ")}`);
    }
    return value as Static<S>;
  };
}

/**
 * Whether a string is `YYYY-MM-DD hh:mm:ss` with an existing day and time. An empty string counts as absent and is
 * valid.
 */
function isLocalDateTime(text: string): boolean {
  if (text === "") return true;
  const iso = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? `${text.replace(" ", "T")}.000Z` : "";
  const date = new Date(iso);
  return !Number.isNaN(date.getTime()) && date.toISOString() === iso;
}
