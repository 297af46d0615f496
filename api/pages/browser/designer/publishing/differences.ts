import type { Texts } from "../../texts.ts";

/** A difference between two versions, as the interface lists it. */
export interface Difference {
  pointer: string;
  kind: "ADDED" | "REMOVED" | "CHANGED" | "MOVED";
  names: readonly string[];
  before?: unknown;
  after?: unknown;
}

/** How a page words the names and values of fields; undefined for the usual wording. */
export interface Saying {
  field?(name: string): string | undefined;
  value?(value: unknown, field: string): string | undefined;
}

/** A longer value would hide the other differences. */
const MAX_VALUE_LENGTH = 120;

/** Describes a difference for people: what it concerns, and the earlier and current values. */
export function differenceText(
  { pointer, kind, names, before, after }: Difference,
  text: Texts,
  saying: Saying,
): string {
  const field = pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  const isEntry = /^\d+$/.test(field);
  const fieldName = isEntry ? [] : [saying.field?.(field) ?? field];
  const what = [...names, ...fieldName].join(" › ") || field;
  const said = (value: unknown) => saying.value?.(value, field) ?? plainText(value);
  if (kind === "MOVED") {
    const [from, to] = [Number(before) + 1, Number(after) + 1];
    return text("publishing.difference.MOVED", { what, before: from, after: to });
  }
  if (isEntry && kind !== "CHANGED") return text(`publishing.difference.${kind}`, { what });
  if (kind === "ADDED") return text("publishing.difference.SET", { what, after: said(after) });
  if (kind === "REMOVED") return text("publishing.difference.UNSET", { what, before: said(before) });
  return text("publishing.difference.CHANGED", { what, before: said(before), after: said(after) });
}

/** Returns a shortened value, without quotes if it is plain. */
function plainText(value: unknown): string {
  const said = typeof value === "string" ? value : JSON.stringify(value);
  return said.length > MAX_VALUE_LENGTH ? `${said.slice(0, MAX_VALUE_LENGTH)} …` : said;
}
