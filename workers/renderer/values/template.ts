import {
  BudgetError,
  createCompiler,
  type Expression,
  ExpressionError,
  type Variables,
} from "../../evaluator/expression/expression.ts";
import type { Weight } from "../../evaluator/expression/weight.ts";
import { formatFunctions } from "./format-functions.ts";

/**
 * Compiles expressions of designs: the maps that they may read, and the functions that format values by the store's
 * settings.
 */
export const designCompiler = createCompiler(["item", "link", "device", "store"], formatFunctions);

/** Maximum length of a filled text: an item's longest value. No element can show more. */
const MAX_TEXT_LENGTH = 4096;

/** A text with `${...}` expressions, compiled. */
export interface Template {
  /**
   * Fills in the value of every expression, up to the maximum length. An expression without a value gives an empty text
   * and is named in `missing`.
   */
  fill(variables: Variables): { text: string; missing: string[] };
  /** What each of its expressions costs. */
  readonly weights: readonly Weight[];
}

type Part = string | Expression;

/** Compiles a text in which every `${...}` is a CEL expression. Throws ExpressionError. */
export function compileTemplate(source: string): Template {
  const parts = partsOf(source).map(
    (part): Part => (typeof part === "string" ? part : compileAt(source, part.expression, part.at)),
  );
  return {
    weights: parts.flatMap((part) => (typeof part === "string" ? [] : part.weight)),
    fill(variables) {
      const missing: string[] = [];
      let text = "";
      for (const part of parts) {
        text += typeof part === "string" ? part : textOfExpression(part, variables, missing);
        if (text.length > MAX_TEXT_LENGTH)
          return { text: text.slice(0, MAX_TEXT_LENGTH).replace(/\p{Surrogate}$/u, ""), missing };
      }
      return { text, missing };
    },
  };
}

/** Offsets in errors count from the start of the whole text. */
function compileAt(whole: string, source: string, at: number): Expression {
  try {
    return designCompiler(source);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(error.message, whole, at + error.start, at + error.end);
  }
}

function textOfExpression(expression: Expression, variables: Variables, missing: string[]): string {
  try {
    return textOf(expression.value(variables));
  } catch (error) {
    if (error instanceof BudgetError) throw error;
    // Items often lack a property: the element stays empty and the picture has a warning.
    missing.push(expression.source);
    return "";
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError("an expression in a text must give a string, a number or a boolean");
}

/**
 * Splits a text into texts and expressions. An expression ends at the first closing brace outside of quotes and inner
 * braces.
 */
function partsOf(source: string): (string | { expression: string; at: number })[] {
  const parts: (string | { expression: string; at: number })[] = [];
  let from = 0;
  for (let start = source.indexOf("${"); start >= 0; start = source.indexOf("${", from)) {
    const end = closingBrace(source, start + 2);
    if (end < 0) throw new ExpressionError("an expression is not closed: a } is missing", source, start, source.length);
    parts.push(source.slice(from, start), { expression: source.slice(start + 2, end), at: start + 2 });
    from = end + 1;
  }
  parts.push(source.slice(from));
  return parts.filter((part) => part !== "");
}

function closingBrace(source: string, from: number): number {
  let depth = 0;
  let quote = "";
  for (let at = from; at < source.length; at += 1) {
    const character = source[at] as string;
    if (quote !== "") {
      if (character === "\\") at += 1;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}" && depth === 0) return at;
    else if (character === "}") depth -= 1;
  }
  return -1;
}
