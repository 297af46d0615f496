import { wordsIn } from "../search/fold.ts";
import type { ShelfLabel } from "./data.ts";

const fields = ["state", "battery", "model", "place", "department", "area"] as const;

/**
 * Returns a function that returns whether a label matches the form's filters: it has all words of the search, and in each field
 * the chosen value. `value` returns what a field of the form contains; an empty one matches every label.
 */
export function createFilter(value: (name: string) => string): (label: ShelfLabel) => boolean {
  const words = wordsIn(value("search"));
  const wanted = fields.map((name) => [name, value(name)] as const);
  return (label) =>
    words.every((word) => label.words.includes(word)) &&
    wanted.every(([name, wish]) => wish === "" || label[name] === wish);
}
