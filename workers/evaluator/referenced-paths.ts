import type { ASTNode } from "@marcbachmann/cel-js";
import { isNode, nodesOf } from "./syntax.ts";

/** A key of one of the maps: `item.brand` and `item["brand"]` are both `["item", "brand"]`. */
export type Path = readonly [root: string, key: string];

export interface Paths {
  /** Paths that must be there: where one is missing the expression is false (specification, rule 5). */
  readonly required: readonly Path[];
  /** Paths that `has()` or `in` asks for, and those that such a question guards. */
  readonly optional: readonly Path[];
  /** Whether it also looks at keys that only an evaluation knows. */
  readonly dynamic: boolean;
}

/** Collects the paths that an expression refers to, from its syntax tree. */
export function referencedPaths(ast: ASTNode, roots: readonly string[]): Paths {
  const required = new Map<string, Path>();
  const optional = new Map<string, Path>();
  let dynamic = false;

  const pathOf = (node: unknown): Path | undefined => {
    if (!isNode(node) || (node.op !== "." && node.op !== "[]")) return undefined;
    const [owner, key] = node.args as [unknown, unknown];
    const name =
      typeof key === "string"
        ? key
        : isNode(key) && key.op === "value" && typeof key.args === "string"
          ? key.args
          : undefined;
    return isNode(owner) && owner.op === "id" && roots.includes(owner.args) && name !== undefined
      ? [owner.args, name]
      : undefined;
  };
  const add = (paths: Map<string, Path>, path: Path) => paths.set(path.join("."), path);

  function visit(node: unknown, isGuarded: boolean): void {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, isGuarded);
      return;
    }
    if (!isNode(node)) return;
    const path = pathOf(node);
    const question = askedPath(node);
    if (path) add(isGuarded ? optional : required, path);
    else if (question) add(optional, question);
    else if (node.op === "id") dynamic ||= roots.includes(node.args);
    else if (node.op === "&&" || node.op === "||") {
      visit(node.args[0], isGuarded);
      visit(node.args[1], isGuarded || asks(node.args[0]));
    } else if (node.op === "?:") {
      visit(node.args[0], isGuarded);
      visit(node.args.slice(1), isGuarded || asks(node.args[0]));
    } else visit(node.args, isGuarded);
  }

  /** The path that `has(item.k)` or `"k" in item` asks for. */
  function askedPath(node: ASTNode): Path | undefined {
    if (node.op === "call" && node.args[0] === "has") return pathOf(node.args[1][0]);
    if (node.op !== "in") return undefined;
    const [key, owner] = node.args;
    const isPath =
      key.op === "value" && typeof key.args === "string" && owner.op === "id" && roots.includes(owner.args);
    return isPath ? [owner.args, key.args as string] : undefined;
  }
  const asks = (node: ASTNode): boolean => [...nodesOf(node)].some((one) => askedPath(one) !== undefined);

  visit(ast, false);
  return {
    required: [...required.values()],
    optional: [...optional].filter(([name]) => !required.has(name)).map(([, path]) => path),
    dynamic,
  };
}
