import { parse } from "@marcbachmann/cel-js";
import test from "ava";
import { limits } from "../../../domain/expression/limits.ts";
import { patternsOf } from "../../../domain/expression/refuse-unsafe.ts";
import { type Weight, weightOf } from "../../../domain/expression/weight.ts";

function weigh(source: string): Weight {
  const { ast } = parse(source);
  return weightOf(
    ast,
    patternsOf(ast, source, () => {}),
  );
}

const weights: [what: string, source: string, weight: Weight][] = [
  ["a comparison", 'item.a == "1"', { nodes: 4, patterns: 0, steps: 4 }],
  ["every operand of a conditional", 'has(item.a) ? item.a == "1" : true', { nodes: 9, patterns: 0, steps: 19 }],
  ["a call", "item.a.size() > 1", { nodes: 5, patterns: 0, steps: 15 }],
  ["a function call", "double(item.a) > 1.0", { nodes: 5, patterns: 0, steps: 15 }],
  ["a pattern", 'item.a.matches("^ab+$")', { nodes: 4, patterns: 7, steps: 42 }],
  ["two patterns", 'item.a.matches("a") || item.b.matches("b")', { nodes: 9, patterns: 6, steps: 53 }],
  ["a computed pattern", "item.a.matches(item.b)", { nodes: 5, patterns: 0, steps: 15 }],
  ["a pattern named by a macro", "item.all(k, item.a.matches(k))", { nodes: 7, patterns: 0, steps: 252 }],
  ["a macro over a literal list", "[1, 2, 3].all(x, x > 0)", { nodes: 9, patterns: 0, steps: 27 }],
  ["a macro over any other list", "item.all(k, k != item.a)", { nodes: 7, patterns: 0, steps: 92 }],
  ["nested macros", "item.all(a, item.all(b, a != b))", { nodes: 9, patterns: 0, steps: 1244 }],
  ["a list", 'item.a in ["1", "2"]', { nodes: 6, patterns: 0, steps: 6 }],
];
for (const [what, source, weight] of weights)
  test(`an expression's weight follows from its text: ${what}: ${source}`, (t) => t.deepEqual(weigh(source), weight));

test("an expression's weight is at most the limit of one evaluation", (t) => {
  const all = (depth: number): string => (depth === 0 ? "true" : `item.all(k${depth}, ${all(depth - 1)})`);
  t.is(weigh(all(5)).steps, limits.steps);
});
