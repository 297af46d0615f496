import type { ASTNode } from "@marcbachmann/cel-js";
import { bindingOf, isNode } from "./syntax.ts";

/** A key of one of the maps: `item.brand` and `item["brand"]` are both `["item", "brand"]`. */
export type Path = readonly [root: string, key: string];

export interface Paths {
  /** Paths that must exist. If one is missing, the expression is false (docs/rules.md#the-eleven-rules, rule 5). */
  readonly required: readonly Path[];
  /** Paths that `has()` or `in` tests, and paths that are read only after such a test was true. */
  readonly optional: readonly Path[];
  /** The paths whose values the expression reads, instead of only testing whether they exist. */
  readonly read: readonly Path[];
  /** Whether the expression also reads keys that are known only during evaluation. */
  readonly dynamic: boolean;
}

/** Returns a path as an author writes it. */
export const writtenPath = ([root, key]: Path): string =>
  /^[A-Za-z_]\w*$/.test(key) ? `${root}.${key}` : `${root}[${JSON.stringify(key)}]`;

/** Names of paths. A root contains no dot, so each name belongs to one path. */
type Names = ReadonlySet<string>;
const nameOf = (path: Path): string => path.join(".");

/** The paths that are known to exist if an expression is true, and if it is false. */
interface Knowledge {
  readonly ifTrue: Names;
  readonly ifFalse: Names;
}

const none: Names = new Set();
const nothing: Knowledge = { ifTrue: none, ifFalse: none };

/**
 * Collects the paths to which an expression refers, from its syntax tree. All parts count, whether or not an evaluation would
 * reach them, with one exception: a path is optional if it is read only after `has(item.k)` or `"k" in item` was true.
 */
export function referencedPaths(ast: ASTNode, roots: readonly string[]): Paths {
  const required = new Map<string, Path>();
  const optional = new Map<string, Path>();
  const read = new Map<string, Path>();
  let dynamic = false;

  /** Collects the paths below a node that is reached only if the paths in `present` are known to exist. */
  function visit(node: unknown, present: Names, names: readonly string[]): Knowledge {
    if (Array.isArray(node)) for (const element of node) visit(element, present, names);
    if (!isNode(node)) return nothing;
    const path = pathOf(node, names);
    if (path) (present.has(nameOf(path)) ? optional : required).set(nameOf(path), path);
    if (path) read.set(nameOf(path), path);
    if (path) return nothing;
    const tested = testedPath(node, names);
    if (tested) optional.set(nameOf(tested), tested);
    if (tested) return { ifTrue: new Set([nameOf(tested)]), ifFalse: none };
    if (node.op === "id") dynamic ||= names.includes(node.args);
    const binding = bindingOf(node);
    if (binding) {
      visit(binding.outside, present, names);
      const inner = names.filter((name) => name !== binding.name);
      visit(binding.inside, present, inner);
      return nothing;
    }
    return visitOperands(node, present, names);
  }

  /**
   * Visits the operands of `&&`, `||` and `!`. What is known after the left operand is also known for the right operand, which is
   * reached only after the left. After `? :` nothing more is known.
   */
  function visitOperands(node: ASTNode, present: Names, names: readonly string[]): Knowledge {
    if (node.op === "&&" || node.op === "||") {
      const left = visit(node.args[0], present, names);
      const isAnd = node.op === "&&";
      const right = visit(node.args[1], union(present, isAnd ? left.ifTrue : left.ifFalse), names);
      return {
        ifTrue: (isAnd ? union : intersection)(left.ifTrue, right.ifTrue),
        ifFalse: (isAnd ? intersection : union)(left.ifFalse, right.ifFalse),
      };
    }
    if (node.op === "?:") {
      const condition = visit(node.args[0], present, names);
      visit(node.args[1], union(present, condition.ifTrue), names);
      visit(node.args[2], union(present, condition.ifFalse), names);
      return nothing;
    }
    const below = visit(node.args, present, names);
    return node.op === "!_" ? { ifTrue: below.ifFalse, ifFalse: below.ifTrue } : nothing;
  }

  visit(ast, none, roots);
  return {
    required: [...required.values()],
    optional: [...optional].filter(([name]) => !required.has(name)).map(([, path]) => path),
    read: [...read.values()],
    dynamic,
  };
}

/** Returns the path that a node reads: `item.k` or `item["k"]`, if no macro rebinds the name `item`. */
function pathOf(node: unknown, names: readonly string[]): Path | undefined {
  if (!isNode(node) || (node.op !== "." && node.op !== "[]")) return undefined;
  const [owner, key] = node.args;
  const name = typeof key === "string" ? key : textOf(key);
  return isRoot(owner, names) && name !== undefined ? [owner.args, name] : undefined;
}

/** Returns the path that `has(item.k)` or `"k" in item` tests. */
function testedPath(node: ASTNode, names: readonly string[]): Path | undefined {
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

const union = (a: Names, b: Names): Names => a.union(b);
const intersection = (a: Names, b: Names): Names => a.intersection(b);
