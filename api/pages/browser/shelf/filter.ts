import { wordsIn } from "../search/fold.ts";
import type { ShelfLabel } from "./read-labels.ts";

const fields = ["state", "battery", "model", "place", "department", "area"] as const;

/**
 * Returns a test of whether a label matches the form's filters: it must have all words of the search, and the chosen value in
 * each field. `value` returns the content of a form field; an empty field matches every label.
 */
export function createFilter(value: (name: string) => string): (label: ShelfLabel) => boolean {
  const words = wordsIn(value("search"));
  const wanted = fields.map((name) => [name, value(name)] as const);
  return (label) =>
    words.every((word) => label.words.includes(word)) &&
    wanted.every(([name, wish]) => wish === "" || label[name] === wish);
}
