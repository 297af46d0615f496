import type { ASTNode } from "@marcbachmann/cel-js";
import { isNode } from "./syntax.ts";

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
  const nameOf = (path: Path): string => path.join(".");

  /** Collects what is below a node; gives back the paths that it asks for. `guards` were asked for before it. */
  function visit(node: unknown, guards: ReadonlySet<string>): ReadonlySet<string> {
    if (Array.isArray(node)) return union(...node.map((one) => visit(one, guards)));
    if (!isNode(node)) return nothing;
    const path = pathOf(node);
    if (path) {
      (guards.has(nameOf(path)) ? optional : required).set(nameOf(path), path);
      return nothing;
    }
    const question = askedPath(node);
    if (question) {
      optional.set(nameOf(question), question);
      return new Set([nameOf(question)]);
    }
    if (node.op === "id") dynamic ||= roots.includes(node.args);
    if (node.op !== "&&" && node.op !== "||" && node.op !== "?:") return visit(node.args, guards);
    const [first, ...rest] = node.args as unknown[];
    const asked = visit(first, guards);
    return union(asked, visit(rest, union(guards, asked)));
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

  visit(ast, nothing);
  return {
    required: [...required.values()],
    optional: [...optional].filter(([name]) => !required.has(name)).map(([, path]) => path),
    dynamic,
  };
}

const nothing: ReadonlySet<string> = new Set();

function union(...sets: ReadonlySet<string>[]): ReadonlySet<string> {
  const filled = sets.filter(({ size }) => size > 0);
  return filled.length <= 1 ? (filled[0] ?? nothing) : new Set(filled.flatMap((set) => [...set]));
}
