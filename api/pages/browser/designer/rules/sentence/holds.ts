import type { Amount, Clause, Field, Sentence } from "./clauses.ts";

/** Returns the value of a field of an item, its link or its label as an expression reads it; undefined if missing. */
export type Values = (field: Field) => string | number | undefined;

/** Whether a sentence is true. */
export const holds = ({ join, clauses }: Sentence, values: Values): boolean =>
  join === "or" && clauses.length > 0
    ? clauses.some((clause) => clauseHolds(clause, values))
    : clauses.every((clause) => clauseHolds(clause, values));

/** Whether a clause is true. A number comparison with text that is not a number is false. */
export function clauseHolds(clause: Clause, values: Values): boolean {
  const value = values(clause.field);
  if (clause.test === "missing") return value === undefined;
  if (value === undefined) return clause.test === "isNot" || clause.test === "containsNot";
  switch (clause.test) {
    case "exists":
      return true;
    case "is":
      return clause.values.includes(`${value}`);
    case "isNot":
      return !clause.values.includes(`${value}`);
    case "contains":
      return `${value}`.includes(clause.text);
    case "containsNot":
      return !`${value}`.includes(clause.text);
    case "startsWith":
      return `${value}`.startsWith(clause.text);
    case "endsWith":
      return `${value}`.endsWith(clause.text);
    default:
      return "amount" in clause && compare(clause.test, numberOf(value), amountIn(clause.amount, values));
  }
}

function compare(test: string, left: number | undefined, right: number | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  if (test === "below") return left < right;
  if (test === "atMost") return left <= right;
  if (test === "above") return left > right;
  return test === "atLeast" ? left >= right : left === right;
}

const DIGITS = 15;

function amountIn(amount: Amount, values: Values): number | undefined {
  if ("number" in amount) return Number(amount.number);
  const of = numberOf(values(amount.of));
  // Prices are calculated as decimals.
  return of === undefined ? undefined : Number(((of * Number(amount.percent)) / 100).toPrecision(DIGITS));
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Returns the number in a value; undefined if its text is not a number. */
function numberOf(value: string | number | undefined): number | undefined {
  if (typeof value !== "string") return value;
  return DECIMAL.test(value) ? Number(value) : undefined;
}
