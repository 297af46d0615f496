import type { ASTNode } from "@marcbachmann/cel-js";
import { limits } from "./limits.ts";
import type { Pattern } from "./pattern.ts";
import { bindingOf, isNode, nodesOf } from "./syntax.ts";

/** The cost of an expression, determined only from its text. */
export interface Weight {
  /** Number of nodes of the syntax tree: the work of compiling it. */
  nodes: number;
  /** Number of instructions of the literal patterns. */
  patterns: number;
  /**
   * Estimated steps of an evaluation with usual values, at most the limit for one evaluation. The meter counts the actual
   * steps at run time.
   */
  steps: number;
}

/** Assumed number of elements of a list that is known only when the expression runs. */
const USUAL_ELEMENTS = 16;
const CALL_STEPS = 11;
/** Steps for one instruction of a pattern, for text of usual length. */
const PATTERN_STEPS = 4;

/** Literal patterns, by the calls that match them. */
export type WrittenPatterns = ReadonlyMap<ASTNode, Pick<Pattern, "size">>;

export function weightOf(ast: ASTNode, written: WrittenPatterns): Weight {
  const patterns = [...written.values()].reduce((sum, { size }) => sum + size, 0);
  return { nodes: [...nodesOf(ast)].length, patterns, steps: Math.min(stepsOf(ast, written), limits.steps) };
}

/** Counts every operand, including those of `||` and `? :`, although an evaluation skips some. */
function stepsOf(part: unknown, written: WrittenPatterns): number {
  if (Array.isArray(part)) return part.reduce((sum: number, element) => sum + stepsOf(element, written), 0);
  if (!isNode(part)) return 0;
  const binding = bindingOf(part);
  if (binding) {
    const times = binding.outside.reduce((most, range) => Math.max(most, elementsOf(range)), 1);
    return CALL_STEPS + stepsOf(binding.outside, written) + times * (1 + stepsOf(binding.inside, written));
  }
  const isCall = part.op === "call" || part.op === "rcall";
  const own = isCall ? CALL_STEPS + PATTERN_STEPS * (written.get(part)?.size ?? 0) : 1;
  return own + stepsOf(part.args, written);
}

const elementsOf = (range: ASTNode): number =>
  range.op === "list" && Array.isArray(range.args) ? range.args.length : USUAL_ELEMENTS;
