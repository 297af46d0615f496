import type { ASTNode } from "@marcbachmann/cel-js";
import { CompileBudgetError } from "./compile-budget.ts";
import { ExpressionError } from "./expression-error.ts";
import { type CelFunction, matchesWritten } from "./functions.ts";
import { limits } from "./limits.ts";
import { compilePattern, type Pattern, writtenPattern } from "./pattern.ts";
import { bindingOf, macroDepth, nodesOf } from "./syntax.ts";

export const INT64_MAX = 2n ** 63n - 1n;

/**
 * Rejects syntax that the parser accepts but an expression must not contain, such as a function that is not in `known`.
 * Throws ExpressionError.
 */
export function refuseUnsafe(ast: ASTNode, source: string, known: ReadonlyMap<string, CelFunction>): void {
  const refuse = (message: string, { start, end }: ASTNode): never => {
    throw new ExpressionError(message, source, start, end);
  };
  if (macroDepth(ast) > limits.macroDepth) refuse(`macros can be nested at most ${limits.macroDepth} levels deep`, ast);
  /** Operands of a minus. `-9223372036854775808` is a minus and a number that is too large by itself. */
  const negated = new Set<unknown>();
  for (const node of nodesOf(ast)) {
    if (node.op === "-_") negated.add(node.args);
    const isLarge = typeof node.args === "bigint" && node.args > INT64_MAX;
    if (isLarge && !(negated.has(node) && node.args === INT64_MAX + 1n))
      refuse("a whole number can have at most 64 bits", node);
    // The library would keep only one byte of each character.
    if (node.args instanceof Uint8Array && /[\u0080-\uffff]/.test(source.slice(node.start, node.end)))
      refuse('bytes can contain characters beyond ASCII only as escapes, such as b"\\303\\277"', node);
    const name = calledName(node);
    if (name !== undefined && !known.has(name) && !bindingOf(node)) refuse(`the function ${name} does not exist`, node);
  }
}

/**
 * Compiles the literal patterns of an expression, each once. Calls `charge` with the cost of each pattern before compiling
 * it.
 */
export function patternsOf(ast: ASTNode, source: string, charge: (cost: number) => void): Map<ASTNode, Pattern> {
  const written = new Map<ASTNode, Pattern>();
  const known = new Map<string, Pattern>();
  for (const node of nodesOf(ast)) {
    if (node.op !== "rcall" || node.args[0] !== "matches") continue;
    const [pattern] = node.args[2];
    if (pattern?.op !== "value" || typeof pattern.args !== "string") continue;
    const { args: text, start, end } = pattern;
    try {
      const compiled = known.get(text) ?? compilePattern(text, writtenPattern, charge);
      known.set(text, compiled);
      written.set(node, compiled);
    } catch (error) {
      if (error instanceof CompileBudgetError) throw error;
      throw new ExpressionError((error as Error).message, source, start, end);
    }
  }
  return written;
}

/** Returns the cost and implementation of each call. */
export function callsOf(
  written: ReadonlyMap<ASTNode, Pattern>,
  known: ReadonlyMap<string, CelFunction>,
): (call: ASTNode) => CelFunction | undefined {
  return (call) => {
    const pattern = written.get(call);
    return pattern ? matchesWritten(pattern) : known.get(calledName(call) ?? "");
  };
}

const calledName = (node: ASTNode): string | undefined =>
  node.op === "call" || node.op === "rcall" ? node.args[0] : undefined;
