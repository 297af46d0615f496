import type { ASTNode } from "@marcbachmann/cel-js";
import { bindingOf, isNode } from "./syntax.ts";

/** A key of one of the maps: `item.brand` and `item["brand"]` are both `["item", "brand"]`. */
export type Path = readonly [root: string, key: string];

export interface Paths {
  /** Paths that must be there: where one is missing the expression is false (specification, rule 5). */
  readonly required: readonly Path[];
  /** Paths that `has()` or `in` asks for, and those that are looked at only where such a question was answered yes. */
  readonly optional: readonly Path[];
  /** Whether it also looks at keys that only an evaluation knows. */
  readonly dynamic: boolean;
}

/** A path as an author writes it. */
export const writtenPath = ([root, key]: Path): string =>
  /^[A-Za-z_]\w*$/.test(key) ? `${root}.${key}` : `${root}[${JSON.stringify(key)}]`;

/** Names of paths. Roots have no dot in them, so a name is that of one path. */
type Names = ReadonlySet<string>;
const nameOf = (path: Path): string => path.join(".");

/** Which paths are known to be there where an expression is true, and where it is false. */
interface Knowledge {
  readonly ifTrue: Names;
  readonly ifFalse: Names;
}

const none: Names = new Set();
const nothing: Knowledge = { ifTrue: none, ifFalse: none };

/**
 * Collects the paths that an expression refers to, from its syntax tree. Which part of it an evaluation would reach
 * does not matter, with one exception: what is reached only where `has(item.k)` or `"k" in item` was true is optional.
 */
export function referencedPaths(ast: ASTNode, roots: readonly string[]): Paths {
  const required = new Map<string, Path>();
  const optional = new Map<string, Path>();
  let dynamic = false;

  /** Collects what is below a node that is reached only where the paths `there` are known to be there. */
  function visit(node: unknown, there: Names, names: readonly string[]): Knowledge {
    if (Array.isArray(node)) for (const one of node) visit(one, there, names);
    if (!isNode(node)) return nothing;
    const path = pathOf(node, names);
    if (path) (there.has(nameOf(path)) ? optional : required).set(nameOf(path), path);
    if (path) return nothing;
    const asked = askedPath(node, names);
    if (asked) optional.set(nameOf(asked), asked);
    if (asked) return { ifTrue: new Set([nameOf(asked)]), ifFalse: none };
    if (node.op === "id") dynamic ||= names.includes(node.args);
    const binding = bindingOf(node);
    if (binding) {
      visit(binding.outside, there, names);
      const inner = names.filter((name) => name !== binding.name);
      visit(binding.inside, there, inner);
      return nothing;
    }
    return visitOperands(node, there, names);
  }

  /** The operators that pass knowledge on: what stands on the right is reached only after the left. `? :` ends it. */
  function visitOperands(node: ASTNode, there: Names, names: readonly string[]): Knowledge {
    if (node.op === "&&" || node.op === "||") {
      const left = visit(node.args[0], there, names);
      const isAnd = node.op === "&&";
      const right = visit(node.args[1], union(there, isAnd ? left.ifTrue : left.ifFalse), names);
      return {
        ifTrue: (isAnd ? union : intersection)(left.ifTrue, right.ifTrue),
        ifFalse: (isAnd ? intersection : union)(left.ifFalse, right.ifFalse),
      };
    }
    if (node.op === "?:") {
      const condition = visit(node.args[0], there, names);
      visit(node.args[1], union(there, condition.ifTrue), names);
      visit(node.args[2], union(there, condition.ifFalse), names);
      return nothing;
    }
    const below = visit(node.args, there, names);
    return node.op === "!_" ? { ifTrue: below.ifFalse, ifFalse: below.ifTrue } : nothing;
  }

  visit(ast, none, roots);
  return {
    required: [...required.values()],
    optional: [...optional].filter(([name]) => !required.has(name)).map(([, path]) => path),
    dynamic,
  };
}

/** The path that a node looks up: `item.k` or `item["k"]`, where no macro gave the name `item` to something else. */
function pathOf(node: unknown, names: readonly string[]): Path | undefined {
  if (!isNode(node) || (node.op !== "." && node.op !== "[]")) return undefined;
  const [owner, key] = node.args;
  const name = typeof key === "string" ? key : textOf(key);
  return isRoot(owner, names) && name !== undefined ? [owner.args, name] : undefined;
}

/** The path that `has(item.k)` or `"k" in item` asks for. */
function askedPath(node: ASTNode, names: readonly string[]): Path | undefined {
  if (node.op === "call" && node.args[0] === "has") return pathOf(node.args[1][0], names);
  if (node.op !== "in") return undefined;
  const [key, owner] = node.args;
  const name = textOf(key);
  return isRoot(owner, names) && name !== undefined ? [owner.args, name] : undefined;
}

const isRoot = (node: ASTNode, names: readonly string[]): node is ASTNode & { op: "id"; args: string } =>
  node.op === "id" && names.includes(node.args);

const textOf = (node: ASTNode): string | undefined =>
  node.op === "value" && typeof node.args === "string" ? node.args : undefined;

const union = (one: Names, other: Names): Names =>
  one.size === 0 ? other : other.size === 0 ? one : new Set([...one, ...other]);

const intersection = (one: Names, other: Names): Names =>
  one.size === 0 || other.size === 0 ? none : new Set([...one].filter((name) => other.has(name)));
