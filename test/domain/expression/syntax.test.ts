import { type ASTNode, parse } from "@marcbachmann/cel-js";
import test from "ava";
import { bindingOf, isNode, macroDepth, nodesOf } from "../../../domain/expression/syntax.ts";

const treeOf = (source: string): ASTNode => parse(source).ast;
/** The names and values in a part of a tree, in order. */
const leavesOf = (part: unknown): unknown[] =>
  [...nodesOf(part)].filter(({ op }) => op === "id" || op === "value").map(({ args }) => args);

const bindings: [source: string, name: string, outside: unknown[], inside: unknown[]][] = [
  ["item.all(k, k == a)", "k", ["item"], ["k", "a"]],
  ["item.exists(k, k == a)", "k", ["item"], ["k", "a"]],
  ["item.exists_one(k, k == a)", "k", ["item"], ["k", "a"]],
  ["item.filter(k, k == a)", "k", ["item"], ["k", "a"]],
  ["item.map(k, a)", "k", ["item"], ["a"]],
  ["item.map(k, a, b)", "k", ["item"], ["a", "b"]],
  ["cel.bind(k, a, k == b)", "k", ["a"], ["k", "b"]],
];
for (const [source, name, outside, inside] of bindings)
  test(`a macro binds a name for its body: ${source}`, (t) => {
    const binding = bindingOf(treeOf(source));
    t.deepEqual([binding?.name, leavesOf(binding?.outside), leavesOf(binding?.inside)], [name, outside, inside]);
  });

for (const source of [
  ...["item", "a == b", "size(item)", "item.size()", 'item.matches("k")', "item.matches(a)"],
  ...["cel.other(k, a, b)", "item.bind(k, a, b)", "b.f(cel).bind(k, a, b)", "cel.bind(k, a)", "cel.bind(k, a, b, c)"],
])
  test(`any other node binds no name: ${source}`, (t) => t.is(bindingOf(treeOf(source)), undefined));

test("a macro with too many parts binds no name", (t) => {
  const { op, args } = treeOf("item.matches(k, a, b)");
  t.is(bindingOf({ op, args: ["all", ...(args as unknown[]).slice(1)] } as ASTNode), undefined);
});

const depths: [source: string, depth: number][] = [
  ["a == b", 0],
  ["item.all(k, true)", 1],
  ["item.all(k, true) && item.all(k, true)", 1],
  ["[item.all(k, true), item.all(k, item.all(l, true))]", 2],
  ["item.filter(k, true).all(k, true)", 1],
  ["item.all(k, item.filter(l, true).all(l, true))", 2],
  ["cel.bind(k, item.all(l, true), k)", 1],
  ["cel.bind(k, a, item.all(l, true))", 2],
];
for (const [source, depth] of depths)
  test(`macros are ${depth} deep: ${source}`, (t) => t.is(macroDepth(treeOf(source)), depth));

test("a node has an operation and arguments", (t) => {
  t.true(isNode({ op: "id", args: "item" }));
  for (const other of [undefined, null, "op", { op: "id" }, { args: [] }, ["op", "args"]]) t.false(isNode(other));
});
