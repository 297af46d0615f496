import { Ajv, type ErrorObject } from "ajv";
import type { Static, TSchema } from "typebox";
import type { Fault } from "./problem.ts";

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false });
ajv.addFormat("local-date-time", isLocalDateTime);
/** A caller needs many faults, not millions: what is left out is counted. */
const MOST_FAULTS = 1000;

/** Gives back the faults of a value against a schema: none means that the value is of its type. */
export type Check = (value: unknown) => Fault[];

/** Compiles a schema into a check that names every fault with its place and what would be right. */
export function compileCheck(schema: TSchema): Check {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : faultsOf(validate.errors ?? []));
}

/** Throws one readable error where `value` is not what `schema` says; `what` names it. */
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

/** `YYYY-MM-DD hh:mm:ss` of a day and a time that exist; an empty text is as good as none. */
function isLocalDateTime(text: string): boolean {
  if (text === "") return true;
  const iso = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) ? `${text.replace(" ", "T")}.000Z` : "";
  const date = new Date(iso);
  return !Number.isNaN(date.getTime()) && date.toISOString() === iso;
}

function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const choices = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "propertyNames");
  const causes = errors.filter(
    ({ schemaPath, keyword, instancePath }) =>
      !choices.some(
        (choice) =>
          (schemaPath !== choice.schemaPath &&
            schemaPath.startsWith(choice.schemaPath) &&
            instancePath.startsWith(choice.instancePath)) ||
          (choice.keyword === "propertyNames" && keyword !== "propertyNames" && schemaPath.includes("/propertyNames/")),
      ),
  );
  const faults = causes.slice(0, MOST_FAULTS).map((error) => ({ pointer: pointerOf(error), detail: detailOf(error) }));
  const left = causes.length - faults.length;
  return left > 0 ? [...faults, { pointer: "", detail: `and ${left} more faults` }] : faults;
}

/** A missing property's pointer names the property, not the object that lacks it. */
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
    case "required":
      return "is missing";
    case "enum":
      return `must be one of ${params.allowedValues.join(", ")}, not ${shown(data)}`;
    case "propertyNames":
      return "is not a name: 1 to 128 characters without control characters";
    case "format":
      return `must be a time as YYYY-MM-DD hh:mm:ss, not ${shown(data)}`;
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
