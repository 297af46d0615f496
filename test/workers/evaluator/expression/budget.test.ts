import test from "ava";
import { costliest, createCompileBudget } from "../../../../workers/evaluator/expression/budget.ts";
import { limits } from "../../../../workers/evaluator/expression/limits.ts";

const weight = (nodes: number, patterns = 0) => ({ nodes, patterns, steps: 0 });

test("expressions are compiled up to their parts in all, and ten count for each expression", (t) => {
  const { add } = createCompileBudget("a pack");
  t.is(add(weight(limits.nodesInAll - 21)), undefined);
  t.is(add(weight(1)), undefined);
  t.is(
    add(weight(0)),
    `the different expressions of a pack have at most ${limits.nodesInAll} parts in all, and 10 count for each`,
  );
});

test("patterns are compiled up to their instructions in all", (t) => {
  const { add } = createCompileBudget("a design");
  t.is(add(weight(1, limits.patternsInAll - 1)), undefined);
  t.is(add(weight(1, 1)), undefined);
  t.is(
    add(weight(1, 1)),
    `the regular expressions of a design are too large in all: at most ${limits.patternsInAll} instructions`,
  );
});

test("the three costliest parts are named, the costliest first", (t) => {
  const parts = [3, 9, 1, 7].map((steps) => ({ name: `part ${steps}`, steps }));
  t.is(costliest(parts), "part 9 (9), part 7 (7), part 3 (3)");
});
