import { readLength, shownLength, type Unit } from "../document/lengths.ts";
import type { FormField } from "./form-field.ts";

/** Returns a value as its field shows it. */
export function shownEntry(
  { control }: Pick<FormField, "control">,
  value: unknown,
  { unit, dpi }: { unit: Unit; dpi: number },
): string {
  if (value === undefined) return "";
  if (control === "length") return shownLength(value as number | string, unit, dpi);
  return control === "json" ? JSON.stringify(value) : String(value);
}

/** Returns an entry as the value of its field, or "invalid"; undefined removes the field. */
export function readEntry(
  { control, isRequired }: Pick<FormField, "control" | "isRequired">,
  entry: string,
  unit: Unit,
): unknown {
  if (entry.trim() === "") return isRequired ? "invalid" : undefined;
  switch (control) {
    case "length":
      return readLength(entry, unit) ?? "invalid";
    case "integer":
      return /^-?\d+$/.test(entry.trim()) ? Number(entry) : "invalid";
    case "json":
      return parsed(entry);
    default:
      return entry;
  }
}

function parsed(entry: string): unknown {
  try {
    return JSON.parse(entry);
  } catch {
    return "invalid";
  }
}

export const isWithin = ({ minimum = -Infinity, maximum = Infinity }: FormField, value: unknown): boolean =>
  typeof value !== "number" || (value >= minimum && value <= maximum);

/** Returns the value of a chosen option; undefined for none. */
export function chosenValue(text: string): unknown {
  if (text === "") return undefined;
  if (text === "true" || text === "false") return text === "true";
  return /^\d+$/.test(text) ? Number(text) : text;
}
