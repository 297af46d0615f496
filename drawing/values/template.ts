import type { CompileBudget } from "../../domain/expression/compile-budget.ts";
import { decimalText } from "../../domain/expression/decimal.ts";
import {
  BudgetError,
  createCompiler,
  type Expression,
  ExpressionError,
  type Variables,
} from "../../domain/expression/expression.ts";
import { splitTemplate, type TemplatePart } from "../../domain/expression/template-parts.ts";
import type { Weight } from "../../domain/expression/weight.ts";
import { type DrawingNotice, notice } from "../../schemas/drawing-notice.ts";
import { formatFunctions, type StoreMap } from "./format-functions.ts";
import { currencyDecimals } from "./format-price.ts";
import { textFunctions } from "./text-functions.ts";
import { unitFunctions } from "./unit-functions.ts";
import { ValueError } from "./value-error.ts";

/**
 * Compiles expressions of designs: the maps that they may read, and the functions that format values by the store's settings.
 */
export const designCompiler = createCompiler(
  ["item", "link", "device", "store", "group"],
  [...formatFunctions, ...textFunctions, ...unitFunctions],
);

/** Maximum length of filled text: an item's longest value. No element can show more. */
const MAX_TEXT_LENGTH = 4096;

/** Text with `${...}` expressions, compiled. */
export interface Template {
  /** Fills in the value of every expression, up to the maximum length. */
  fill(variables: Variables): Filled;
  /** The cost of each of the template's expressions. */
  readonly weights: readonly Weight[];
}

export interface Filled {
  text: string;
  /** Sources of the expressions without a value. Each results in an empty string. */
  missing: string[];
  /**
   * Reason why a function returned no value, by the source of its expression. Absent or empty if no function rejected its
   * arguments.
   */
  reasons?: Record<string, DrawingNotice | string>;
  /**
   * Warnings about calculated numbers that were rounded because they have too many decimal places. Absent or empty if there are
   * none.
   */
  rounded?: DrawingNotice[];
  /** Set for a template that was joined from several: the text of each. */
  parts?: readonly string[];
}

type Part = string | Expression;

/**
 * Compiles text in which every `${...}` is a CEL expression. Calculated numbers are amounts in the given currency, or in the
 * store's. Throws ExpressionError, and CompileBudgetError.
 */
export function compileTemplate(source: string, currency?: string, budget?: CompileBudget): Template {
  const parts = partsOf(source).map(
    (part): Part => (typeof part === "string" ? part : compileAt(source, part.expression, part.at, budget)),
  );
  return {
    weights: parts.flatMap((part) => (typeof part === "string" ? [] : part.weight)),
    fill(variables) {
      const filled = { text: "", missing: [], reasons: {}, rounded: [] };
      for (const part of parts) {
        filled.text += typeof part === "string" ? part : textOfExpression(part, variables, filled, currency);
        if (filled.text.length > MAX_TEXT_LENGTH) break;
      }
      const { missing, reasons, rounded } = filled;
      const text = filled.text.slice(0, MAX_TEXT_LENGTH).replace(/\p{Surrogate}$/u, "");
      const hasReasons = Object.keys(reasons).length > 0;
      return { text, missing, ...(hasReasons && { reasons }), ...(rounded.length > 0 && { rounded }) };
    },
  };
}

/** Joins several templates. They are filled one after another, up to the maximum length in total. */
export const joinTemplates = (templates: readonly Template[]): Template => ({
  weights: templates.flatMap(({ weights }) => weights),
  fill(variables) {
    const filled: Required<Filled> = { text: "", missing: [], reasons: {}, rounded: [], parts: [] };
    const parts = templates.map((template) => {
      const { text, missing, reasons, rounded = [] } = template.fill(variables);
      filled.missing.push(...missing);
      Object.assign(filled.reasons, reasons);
      filled.rounded.push(...rounded);
      const part = text.slice(0, MAX_TEXT_LENGTH - filled.text.length).replace(/\p{Surrogate}$/u, "");
      filled.text += part;
      return part;
    });
    return { ...filled, parts };
  },
});

/** Offsets in errors count from the start of the whole text. */
function compileAt(whole: string, source: string, at: number, budget?: CompileBudget): Expression {
  try {
    return designCompiler(source, budget);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(error.message, whole, at + error.start, at + error.end);
  }
}

function textOfExpression(
  expression: Expression,
  variables: Variables,
  { missing, reasons, rounded }: Pick<Required<Filled>, "missing" | "reasons" | "rounded">,
  currency: string | undefined,
): string {
  try {
    const value = expression.value(variables);
    if (typeof value !== "number") return textOf(value);
    const { exact, shown } = shownNumber(value, currency ?? currencyOf(variables));
    if (exact !== shown) rounded.push(notice("NUMBER_ROUNDED", { expression: expression.source, exact, shown }));
    return shown;
  } catch (error) {
    if (error instanceof BudgetError) throw error;
    // Items often lack a property. The element stays empty and the picture has a warning.
    missing.push(expression.source);
    if (error instanceof ValueError) reasons[expression.source] = error.notice;
    else if (error instanceof RangeError) reasons[expression.source] = error.message;
    return "";
  }
}

/**
 * Maximum number of decimal places that are shown of a calculated number. A number with more is the result of a division, and
 * its digits are not exact.
 */
const MAX_DECIMALS = 6;

/** Rounds a calculated number with too many decimal places to those of the currency. */
function shownNumber(value: number, currency: unknown): { exact: string; shown: string } {
  const exact = decimalText(value);
  if ((exact.split(".")[1]?.length ?? 0) <= MAX_DECIMALS) return { exact, shown: exact };
  return { exact, shown: decimalText(value, typeof currency === "string" ? currencyDecimals(currency) : 2) };
}

const currencyOf = ({ store }: Variables): unknown =>
  store instanceof Map ? store.get("currency") : (store as Partial<StoreMap> | undefined)?.currency;

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  throw new TypeError("an expression in a text must return a string, a number or a boolean");
}

/** Returns the parts of a template. Throws ExpressionError if an expression is not closed. */
function partsOf(source: string): TemplatePart[] {
  const { parts, unclosedAt } = splitTemplate(source);
  if (unclosedAt === undefined) return parts;
  throw new ExpressionError("an expression is not closed: a } is missing", source, unclosedAt, source.length);
}
