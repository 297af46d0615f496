import { limits } from "./limits.ts";

/** Cost of compiling an expression, in nodes, in addition to the expression's own. */
const EXPRESSION_NODES = 10;

/** Thrown if the expressions of a pack or a design exceed the compilation budget in total. */
export class CompileBudgetError extends Error {
  override readonly name = "CompileBudgetError";
}

/** Limits what compiling distinct expressions may cost in total. Each method throws CompileBudgetError above the limit. */
export interface CompileBudget {
  /** Charges a source before it is parsed, with the maximum cost of any source of its length. */
  begin(source: string): void;
  /** Charges a regular expression, before it is compiled. */
  addPattern(cost: number): void;
  /**
   * Replaces the charge of `begin` with the actual number of nodes. A source that does not compile keeps the charge for its
   * length.
   */
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
      // The remaining budget may be smaller than the maximum cost of the source: most sources cost a fraction of that maximum,
      // and each source has a limit of its own.
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

/** Returns the maximum number of nodes that the parser creates from a source before rejecting the source. */
const mostNodes = (source: string): number => Math.min(limits.nodes, source.length);

/** Lists the costliest parts with their steps, for an error message. */
export function costliest(parts: readonly { name: string; steps: number }[]): string {
  const shown = parts.toSorted((a, b) => b.steps - a.steps).slice(0, 3);
  return shown.map(({ name, steps }) => `${name} (${steps})`).join(", ");
}
