import { limits } from "./limits.ts";

/** Work of compiling an expression beside that of its nodes, in nodes. */
const EXPRESSION_NODES = 10;

/** Thrown if the expressions of a pack or a design are together too much to be compiled. */
export class CompileBudgetError extends Error {
  override readonly name = "CompileBudgetError";
}

/** What compiling different expressions may cost together. Each method throws CompileBudgetError beyond that. */
export interface CompileBudget {
  /** Charges a source, before it is parsed, as much as any source of its length may cost. */
  begin(source: string): void;
  /** Charges a regular expression, before it is compiled. */
  addPattern(cost: number): void;
  /** Charges a compiled expression its nodes instead. One that does not compile keeps the charge of its length. */
  end(source: string, nodes: number): void;
}

export function createCompileBudget(noun: string): CompileBudget {
  let nodes = 0;
  let patterns = 0;
  const spendNodes = (more: number): void => {
    nodes += more;
    if (nodes > limits.nodesInAll)
      throw new CompileBudgetError(
        `the distinct expressions of ${noun} can have at most ${limits.nodesInAll} parts in total, where each expression adds ${EXPRESSION_NODES}`,
      );
  };
  return {
    begin(source) {
      // What is left may be less than the source could cost: most cost a fraction of it, and one is bounded by itself.
      spendNodes(EXPRESSION_NODES);
      nodes += mostNodes(source);
    },
    addPattern(cost) {
      patterns += cost;
      if (patterns > limits.patternsInAll)
        throw new CompileBudgetError(
          `the regular expressions of ${noun} are too large: they can have at most ${limits.patternsInAll} instructions in total, and a class such as \\p{L} counts as many`,
        );
    },
    end(source, compiled) {
      nodes -= mostNodes(source);
      spendNodes(compiled);
    },
  };
}

/** The most nodes that the parser makes of a source before it refuses it. */
const mostNodes = (source: string): number => Math.min(limits.nodes, source.length);

/** Names the costliest parts with their steps, for a refusal. */
export function costliest(parts: readonly { name: string; steps: number }[]): string {
  const shown = parts.toSorted((a, b) => b.steps - a.steps).slice(0, 3);
  return shown.map(({ name, steps }) => `${name} (${steps})`).join(", ");
}
