import { limits } from "./limits.ts";
import type { Weight } from "./weight.ts";

/** Work of compiling an expression beside that of its nodes, in nodes. */
const EXPRESSION_NODES = 10;

/** Adds up what compiling different expressions costs, and says when that is too much. */
export interface CompileBudget {
  /** Counts an expression; the reason where all so far are too many to be compiled, else undefined. */
  add(weight: Weight): string | undefined;
}

export function createCompileBudget(noun: string): CompileBudget {
  let nodes = 0;
  let patterns = 0;
  return {
    add(weight) {
      nodes += EXPRESSION_NODES + weight.nodes;
      patterns += weight.patterns;
      if (nodes > limits.nodesInAll)
        return `the different expressions of ${noun} have at most ${limits.nodesInAll} parts in all, and ${EXPRESSION_NODES} count for each`;
      if (patterns > limits.patternsInAll)
        return `the regular expressions of ${noun} are too large in all: at most ${limits.patternsInAll} instructions`;
      return undefined;
    },
  };
}

/** Names the costliest parts with their steps, for a refusal. */
export function costliest(parts: readonly { name: string; steps: number }[]): string {
  const shown = parts.toSorted((a, b) => b.steps - a.steps).slice(0, 3);
  return shown.map(({ name, steps }) => `${name} (${steps})`).join(", ");
}
