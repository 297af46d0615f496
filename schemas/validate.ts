import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Static, TSchema } from "typebox";
import type { Fault } from "./problem.ts";

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, strictNumbers: true });
ajv.addFormat("local-date-time", isLocalDateTime);
ajv.addFormat("instant", (text) => /^\d{4}-\d{2}-\d{2}T.*Z$/.test(text) && !Number.isNaN(Date.parse(text)));
/** Bounds the answer to a large faulty body. */
const MAX_FAULTS = 1000;

/** Gives the faults of a value against a schema; a value without faults has the schema's type. */
export type Check = (value: unknown) => Fault[];

/** Compiles a schema into a check whose faults name the place, the wrong value and what is allowed. */
export function compileCheck(schema: TSchema): Check {
  const { type, items, ...rest } = schema as { type?: string; items?: TSchema };
  if (type === "array" && items !== undefined) return checkRows(compileCheck({ ...rest, type }), compileCheck(items));
  // Compiled at its first call, because a process defines far more schemas than it soon uses.
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value) ? [] : faultsOf(validate.errors ?? []);
  };
}

/** Checks a list row by row and stops after MAX_FAULTS, so that a large faulty body costs little. */
function checkRows(checkList: Check, checkRow: Check): Check {
  return (value) => {
    const faults = checkList(value);
    if (!Array.isArray(value) || faults.length > 0) return faults;
    for (const [index, row] of value.entries()) {
      for (const { pointer, detail } of checkRow(row)) faults.push({ pointer: `/${index}${pointer}`, detail });
      if (faults.length > MAX_FAULTS)
        return [...faults.slice(0, MAX_FAULTS), { pointer: "", detail: "and more faults" }];
    }
    return faults;
  };
}

/** Makes a parser that throws a TypeError with all faults of a value; `what` names the value in its message. */
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

const timeForms: Readonly<Record<string, string>> = {
  "local-date-time": "YYYY-MM-DD hh:mm:ss",
  instant: "YYYY-MM-DDThh:mm:ssZ",
};

/** Whether a text is `YYYY-MM-DD hh:mm:ss` of an existing day and time. An empty text counts as absent and is valid. */
function isLocalDateTime(text: string): boolean {
  if (text === "") return true;
  const iso = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? `${text.replace(" ", "T")}.000Z` : "";
  const date = new Date(iso);
  return !Number.isNaN(date.getTime()) && date.toISOString() === iso;
}

function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const choices = Map.groupBy(
    errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "propertyNames"),
    ({ instancePath }) => instancePath,
  );
  const causes = errors.filter((error) => !isExplained(error, choices));
  return causes.slice(0, MAX_FAULTS).map((error) => ({ pointer: pointerOf(error), detail: detailOf(error) }));
}

/** Whether an `anyOf` at or above this value already reports the error: the errors of its single branches are noise. */
function isExplained(error: ErrorObject, choices: ReadonlyMap<string, readonly ErrorObject[]>): boolean {
  const { schemaPath, keyword, instancePath } = error;
  for (let path = instancePath; ; path = path.slice(0, path.lastIndexOf("/"))) {
    const explains = choices
      .get(path)
      ?.some(
        (choice) =>
          (schemaPath !== choice.schemaPath && schemaPath.startsWith(choice.schemaPath)) ||
          (choice.keyword === "propertyNames" && keyword !== "propertyNames" && schemaPath.includes("/propertyNames/")),
      );
    if (explains) return true;
    if (path === "") return false;
  }
}

/** The pointer of a missing property names the property, not the object that lacks it. */
function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  const name =
    keyword === "required" ? params.missingProperty : keyword === "propertyNames" ? params.propertyName : undefined;
  return name === undefined
    ? instancePath
    : `${instancePath}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function detailOf({ keyword, message, params, data, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case "anyOf":
      return parentSchema?.errorMessage ?? "is of none of the allowed forms";
    case "pattern":
      return `${parentSchema?.errorMessage ?? message ?? "is not valid"}, but is ${shown(data)}`;
    case "required":
      return "is missing";
    case "enum":
      return `must be one of ${params.allowedValues.filter((value: unknown) => value !== null).join(", ")}, not ${shown(data)}`;
    case "propertyNames":
      return "is not a name: 1 to 128 characters without control characters";
    case "format":
      return `must be a time as ${timeForms[params.format] ?? params.format}, not ${shown(data)}`;
    case "type":
      return `must be ${[params.type].flat().join(" or ")}, not ${shown(data)}`;
    default:
      return `${message ?? "is not valid"}, but is ${shown(data)}`;
  }
}

function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
