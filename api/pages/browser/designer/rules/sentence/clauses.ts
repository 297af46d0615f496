/** What a condition reads: an item property, or a field of the link or the label. */
export interface Field {
  root: "item" | "link" | "device";
  key: string;
}

export const textTests = ["is", "isNot", "contains", "containsNot", "startsWith", "endsWith"] as const;
export const numberTests = ["below", "atMost", "above", "atLeast", "equals"] as const;
export const presenceTests = ["exists", "missing"] as const;

/** The number that a value is compared with: a constant, or a percentage of another property. */
export type Amount = { number: string } | { percent: string; of: Field };

/** One part of a condition, such as "brand is Dukat". A missing field has no value, so it is not Dukat. */
export type Clause =
  | { field: Field; test: "is" | "isNot"; values: readonly string[] }
  | { field: Field; test: "contains" | "containsNot" | "startsWith" | "endsWith"; text: string }
  | { field: Field; test: (typeof numberTests)[number]; amount: Amount }
  | { field: Field; test: (typeof presenceTests)[number] };
export type Test = Clause["test"];

/** A condition as people express it: clauses, all or any of which must be true. Without clauses it is always true. */
export interface Sentence {
  join: "and" | "or";
  clauses: readonly Clause[];
}

/** Whether a field's values are whole numbers; all other fields contain strings. */
export const isWhole = ({ root, key }: Field): boolean =>
  (root === "link" && key === "facings") || (root === "device" && key === "type");

export const isSameField = (a: Field, b: Field): boolean => a.root === b.root && a.key === b.key;

/** Returns the fields whose values a clause reads, each once. */
export function fieldsOf(clause: Clause): Field[] {
  const other = "amount" in clause && "of" in clause.amount ? clause.amount.of : undefined;
  return other === undefined || isSameField(clause.field, other) ? [clause.field] : [clause.field, other];
}

/** Whether a clause is also true for an item that lacks its field. */
export const isNegative = ({ test }: Clause): boolean => test === "isNot" || test === "containsNot";

/** Whether a clause only tests if its field exists. */
export const isPresence = ({ test }: Clause): boolean => test === "exists" || test === "missing";

/**
 * Simplifies a sentence: removes "brand exists" before a clause that requires the brand anyway, and "or" between fewer
 * than two clauses.
 */
export function concise({ join, clauses }: Sentence): Sentence {
  if (join === "or" && clauses.length > 1) return { join, clauses };
  const needed = clauses.filter((clause, index) => {
    if (clause.test !== "exists") return true;
    const next = clauses.slice(index + 1).find(({ test }) => test !== "exists");
    if (next === undefined || isNegative(next) || isPresence(next)) return true;
    return !fieldsOf(next).some((field) => isSameField(field, clause.field));
  });
  return { join: "and", clauses: needed };
}
