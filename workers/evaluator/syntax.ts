import type { ASTNode } from "@marcbachmann/cel-js";

const macros = new Set(["all", "exists", "exists_one", "map", "filter", "bind"]);

/** A node and all that are below it. */
export function* nodesOf(node: unknown): Generator<ASTNode> {
  if (Array.isArray(node)) {
    for (const one of node) yield* nodesOf(one);
  } else if (isNode(node)) {
    yield node;
    yield* nodesOf(node.args);
  }
}

/** How deep macros are nested: each level multiplies the work of an evaluation. */
export function macroDepth(node: unknown): number {
  if (Array.isArray(node)) return Math.max(0, ...node.map(macroDepth));
  if (!isNode(node)) return 0;
  const isMacro = node.op === "rcall" && macros.has(node.args[0]);
  return macroDepth(node.args) + (isMacro ? 1 : 0);
}

export const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
