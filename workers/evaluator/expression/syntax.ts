import type { ASTNode } from "@marcbachmann/cel-js";

/** Macros that give a name to each element of a list, or key of a map, in turn. */
const comprehensions = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** A node and all that are below it. */
export function* nodesOf(node: unknown): Generator<ASTNode> {
  if (Array.isArray(node)) {
    for (const one of node) yield* nodesOf(one);
  } else if (isNode(node)) {
    yield node;
    yield* nodesOf(node.args);
  }
}

/** A macro that names a value: where it looks the name's values up, and where it uses the name. */
export interface Binding {
  name: string;
  outside: readonly ASTNode[];
  inside: readonly ASTNode[];
}

/** Reads `list.all(name, ...)` and its like, and `cel.bind(name, value, ...)`; undefined for any other node. */
export function bindingOf(node: ASTNode): Binding | undefined {
  if (node.op !== "rcall") return undefined;
  const [macro, receiver, [variable, ...rest]] = node.args;
  if (variable?.op !== "id") return undefined;
  const name = variable.args;
  if (comprehensions.has(macro) && (rest.length === 1 || (rest.length === 2 && macro === "map")))
    return { name, outside: [receiver], inside: rest };
  if (macro === "bind" && receiver.op === "id" && receiver.args === "cel" && rest.length === 2)
    return { name, outside: rest.slice(0, 1), inside: rest.slice(1) };
  return undefined;
}

/** How deep macros are nested: each level multiplies the work of an evaluation. One after the other is no nesting. */
export function macroDepth(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((deepest: number, one) => Math.max(deepest, macroDepth(one)), 0);
  if (!isNode(node)) return 0;
  const binding = bindingOf(node);
  if (!binding) return macroDepth(node.args);
  return Math.max(macroDepth(binding.outside), 1 + macroDepth(binding.inside));
}

export const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
