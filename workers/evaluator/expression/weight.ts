import type { ASTNode } from "@marcbachmann/cel-js";
import { limits } from "./limits.ts";
import { compilePattern, writtenPattern } from "./pattern.ts";
import { bindingOf, isNode, nodesOf } from "./syntax.ts";

/** What an expression costs, from its text alone. */
export interface Weight {
  /** Nodes of its syntax tree: the work of compiling it. */
  nodes: number;
  /** Instructions of its literal patterns. */
  patterns: number;
  /** Estimated steps of an evaluation with usual values, at most those that one may take. The meter counts the true ones when it runs. */
  steps: number;
}

/** Elements of a list that is known only when the expression runs. */
const USUAL_ELEMENTS = 16;
const CALL_STEPS = 11;
/** Steps of a pattern's instruction, for a text of usual length. */
const PATTERN_STEPS = 4;

export function weightOf(ast: ASTNode): Weight {
  const all = [...nodesOf(ast)];
  const patterns = all.reduce((sum, node) => sum + patternSizeOf(node), 0);
  return { nodes: all.length, patterns, steps: Math.min(stepsOf(ast), limits.steps) };
}

/** Every operand counts, also of `||` and `? :`, of which an evaluation skips some. */
function stepsOf(part: unknown): number {
  if (Array.isArray(part)) return part.reduce((sum: number, element) => sum + stepsOf(element), 0);
  if (!isNode(part)) return 0;
  const binding = bindingOf(part);
  if (binding) {
    const times = binding.outside.reduce((most, range) => Math.max(most, elementsOf(range)), 1);
    return CALL_STEPS + stepsOf(binding.outside) + times * (1 + stepsOf(binding.inside));
  }
  const own = part.op === "call" || part.op === "rcall" ? CALL_STEPS + PATTERN_STEPS * patternSizeOf(part) : 1;
  return own + stepsOf(part.args);
}

const elementsOf = (range: ASTNode): number =>
  range.op === "list" && Array.isArray(range.args) ? range.args.length : USUAL_ELEMENTS;

function patternSizeOf(node: ASTNode): number {
  if (node.op !== "rcall" || node.args[0] !== "matches") return 0;
  const [pattern] = node.args[2];
  return pattern?.op === "value" && typeof pattern.args === "string"
    ? compilePattern(pattern.args, writtenPattern).size
    : 0;
}
