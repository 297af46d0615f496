import type { ASTNode } from "@marcbachmann/cel-js";

/** Macros that bind a name to each element of a list, or key of a map, in turn. */
const comprehensions = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Yields a node and all nodes below it. */
export function* nodesOf(node: unknown): Generator<ASTNode> {
  if (Array.isArray(node)) {
    for (const element of node) yield* nodesOf(element);
  } else if (isNode(node)) {
    yield node;
    yield* nodesOf(node.args);
  }
}

/** A macro that binds a name: the nodes that are evaluated without the name, and those that may use it. */
export interface Binding {
  name: string;
  outside: readonly ASTNode[];
  inside: readonly ASTNode[];
}

/** Reads `list.all(name, ...)` and similar macros, and `cel.bind(name, value, ...)`. Undefined for any other node. */
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

/** Returns the nesting depth of macros. Each level multiplies the work of an evaluation. Macros in sequence are not nested. */
export function macroDepth(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((deepest: number, element) => Math.max(deepest, macroDepth(element)), 0);
  if (!isNode(node)) return 0;
  const binding = bindingOf(node);
  if (!binding) return macroDepth(node.args);
  return Math.max(macroDepth(binding.outside), 1 + macroDepth(binding.inside));
}

export const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;
