import type { ErrorObject } from "ajv";
import type { Fault } from "./problem.ts";

const timeForms: Readonly<Record<string, string>> = {
  "local-date-time": "YYYY-MM-DD hh:mm:ss",
  instant: "YYYY-MM-DDThh:mm:ssZ",
};

/** Converts ajv's errors for one value into at most `most` faults, with pointers below `at`. */
export function faultsOf(errors: readonly ErrorObject[], at: string, most: number): Fault[] {
  const choices = Map.groupBy(
    errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "propertyNames"),
    ({ instancePath }) => instancePath,
  );
  const faults: Fault[] = [];
  for (const error of errors) {
    if (faults.length >= most) break;
    if (!isExplained(error, choices)) faults.push({ pointer: `${at}${pointerOf(error)}`, detail: detailOf(error) });
  }
  return faults;
}

/** Whether an `anyOf` at or above this value already reports the error: the errors of its branches are noise. */
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
  return name === undefined ? instancePath : `${instancePath}/${pointerPart(String(name))}`;
}

/** A name as a part of a JSON Pointer. */
export const pointerPart = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

function detailOf({ keyword, message, params, data, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case "anyOf":
      return parentSchema?.errorMessage ?? "matches none of the allowed forms";
    case "pattern":
      return `${parentSchema?.errorMessage ?? "does not have the required form"}, but is ${shown(data)}`;
    case "required":
      return "is missing";
    case "enum":
      return `must be one of ${params.allowedValues.filter((value: unknown) => value !== null).join(", ")}, not ${shown(data)}`;
    case "propertyNames":
      return "is not a valid name: use 1 to 128 characters without control characters";
    case "format":
      return `must be a time in the form ${timeForms[params.format] ?? params.format}, not ${shown(data)}`;
    case "type":
      return `must be ${typesText([params.type].flat())}, not ${shown(data)}`;
    case "const":
      return `must be ${shown(params.allowedValue)}, not ${shown(data)}`;
    case "minimum":
      return `must be at least ${params.limit}, not ${shown(data)}`;
    case "maximum":
      return `must be at most ${params.limit}, not ${shown(data)}`;
    default:
      return keyword in countedParts
        ? `must have at ${keyword.startsWith("min") ? "least" : "most"} ${counted(params.limit, countedParts[keyword] ?? [])}, but is ${shown(data)}`
        : `${message ?? "is not valid"}, but is ${shown(data)}`;
  }
}

/** Singular and plural of the units that the keywords count. */
const countedParts: Readonly<Record<string, readonly string[]>> = {
  minLength: ["character", "characters"],
  maxLength: ["character", "characters"],
  minItems: ["item", "items"],
  maxItems: ["item", "items"],
  minProperties: ["field", "fields"],
  maxProperties: ["field", "fields"],
};

const counted = (count: number, [one, several]: readonly string[]): string => `${count} ${count === 1 ? one : several}`;

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** JSON types as they appear in a message: a string, an integer or null. */
function typesText(types: readonly string[]): string {
  const names = types.map((type) => typeNames[type] ?? type);
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" or ");
}

/** A value in a message, shortened. */
export function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 60) : value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
