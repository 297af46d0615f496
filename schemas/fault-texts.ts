import type { ErrorObject } from "ajv";
import { type Fault, faultAt } from "./problem.ts";
import { type RefusalNotice, refusalNotice } from "./refusal-notice.ts";

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
    if (!isExplained(error, choices)) faults.push(faultAt(`${at}${pointerOf(error)}`, noticeOf(error)));
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

/** Returns an error's pointer. For a missing property, it names the property, not the object that lacks it. */
function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  const name =
    keyword === "required" ? params.missingProperty : keyword === "propertyNames" ? params.propertyName : undefined;
  return name === undefined ? instancePath : `${instancePath}/${pointerPart(String(name))}`;
}

/** Escapes a name as a part of a JSON Pointer. */
export const pointerPart = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

function noticeOf({ keyword, message, params, data, parentSchema }: ErrorObject): RefusalNotice {
  const value = shown(data);
  switch (keyword) {
    case "anyOf":
      return refusalNotice("FIELD_FORMS", {
        detail: parentSchema?.errorMessage ?? "matches none of the allowed forms",
      });
    case "pattern":
      return refusalNotice("FIELD_FORM", {
        detail: parentSchema?.errorMessage ?? "does not have the required form",
        value,
      });
    case "required":
      return refusalNotice("FIELD_MISSING", {});
    case "enum":
      return refusalNotice("FIELD_CHOICE", {
        choices: params.allowedValues.filter((choice: unknown) => choice !== null).join(", "),
        value,
      });
    case "propertyNames":
      return refusalNotice("FIELD_NAME", {});
    case "format":
      return refusalNotice("FIELD_TIME", { form: timeForms[params.format] ?? params.format, value });
    case "type":
      return refusalNotice("FIELD_TYPE", { type: typesText([params.type].flat()), value });
    case "const":
      return refusalNotice("FIELD_VALUE", { wanted: shown(params.allowedValue), value });
    case "minimum":
      return refusalNotice("FIELD_SMALL", { limit: params.limit, value });
    case "maximum":
      return refusalNotice("FIELD_LARGE", { limit: params.limit, value });
    default:
      return keyword in countedParts
        ? refusalNotice(keyword.startsWith("min") ? "FIELD_SHORT" : "FIELD_LONG", {
            limit: params.limit,
            unit: unitOf(params.limit, countedParts[keyword] ?? []),
            value,
          })
        : refusalNotice("FIELD_FORM", { detail: message ?? "is not valid", value });
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

const unitOf = (count: number, [one = "", several = ""]: readonly string[]): string => (count === 1 ? one : several);

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Names JSON types for a message, such as "a string, an integer or null". */
function typesText(types: readonly string[]): string {
  const names = types.map((type) => typeNames[type] ?? type);
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" or ");
}

/** Returns a value for a message, shortened. */
export function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 60) : value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
