import { type CompileBudget, CompileBudgetError, costliest } from "../../domain/expression/compile-budget.ts";
import { ExpressionError } from "../../domain/expression/expression.ts";
import { limits } from "../../domain/expression/limits.ts";
import { type Element, hasMembers, type LayoutElement } from "../../schemas/canvas.ts";
import type { PriceElement } from "../../schemas/canvas-texts.ts";
import type { Fault } from "../../schemas/problem.ts";
import { compileTemplate, designCompiler, joinTemplates } from "./template.ts";

/** The result of compiling all layouts of a design, and the remaining budget. */
export interface Work {
  faults: Fault[];
  budget: CompileBudget | undefined;
  /** Whether the rest was not examined, because there was too much to compile or there were too many faults. */
  isStopped: boolean;
}

/** The cost of an element for one label. */
export interface Cost {
  name: string;
  steps: number;
}

/** Compiles an element's condition and its text, until the design is too costly or has too many faults. */
export function compileTexts(work: Work, element: LayoutElement, pointer: string, costs: readonly Cost[]) {
  const { budget } = work;
  const compileAt = <Result>(compile: (source: string) => Result, source: string, name: string): Result | undefined => {
    if (work.isStopped) return undefined;
    try {
      return compile(source);
    } catch (error) {
      if (error instanceof ExpressionError) addFault(work, `${pointer}/${name}`, error);
      else if (error instanceof CompileBudgetError) {
        work.faults.push({ pointer, detail: `${error.message}; the costliest elements are ${costliest(costs)}` });
        work.isStopped = true;
      } else throw error;
      return undefined;
    }
  };
  const visible = element.visible?.trim()
    ? compileAt((source) => designCompiler(source, budget), element.visible, "visible")
    : undefined;
  const currency = element.kind === "price" ? element.currencyCode : undefined;
  const templates = hasMembers(element)
    ? []
    : templatesOf(element).flatMap(
        ([name, text]) => compileAt((source) => compileTemplate(source, currency, budget), text, name) ?? [],
      );
  return { visible, template: templates.length > 1 ? joinTemplates(templates) : templates[0] };
}

function addFault(work: Work, pointer: string, { message, start, end }: ExpressionError): void {
  work.faults.push({ pointer, detail: `${message} (characters ${start} to ${end})` });
  if (work.faults.length < limits.faults) return;
  const detail = `${limits.faults} expressions are faulty; the expressions after them were not checked`;
  work.faults.push({ pointer: "", detail });
  work.isStopped = true;
}

const suffixOf = ({ suffix }: PriceElement): [name: string, template: string][] =>
  suffix === undefined ? [] : [["suffix", suffix]];

/** Returns the templates of an element's content, by their fields. A text's own template precedes those of its runs. */
function templatesOf(element: Element): [name: string, template: string][] {
  switch (element.kind) {
    case "text":
      return [
        ["text", element.text],
        ...(element.runs ?? []).map(({ text }, index): [string, string] => [`runs/${index}/text`, text]),
      ];
    case "box":
    case "line":
    case "ellipse":
    case "polygon":
    case "arc":
      return [];
    case "image":
      return [["image", element.image]];
    case "price":
      return [["value", element.value], ...suffixOf(element)];
    default:
      return [["value", element.value]];
  }
}
