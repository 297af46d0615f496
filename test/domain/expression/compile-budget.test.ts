import test from "ava";
import { CompileBudgetError, costliest, createCompileBudget } from "../../../domain/expression/compile-budget.ts";
import { limits } from "../../../domain/expression/limits.ts";

const SOURCE = "item.a";
const tooManyParts = {
  instanceOf: CompileBudgetError,
  message: `the distinct expressions of a pack can have at most ${limits.nodesInAll} parts in total, where each expression adds 10`,
};

test("compilation is limited by the expressions' total parts, and each expression counts at least ten", (t) => {
  const { begin, end } = createCompileBudget("a pack");
  begin(SOURCE);
  end(SOURCE, limits.nodesInAll - 21);
  begin(SOURCE);
  t.notThrows(() => end(SOURCE, 1));
  t.throws(() => begin(SOURCE), tooManyParts);
});

test("an expression that does not compile is charged the maximum for its length", (t) => {
  const { begin } = createCompileBudget("a pack");
  const compileFaulty = (length: number) => begin("(".repeat(length));
  for (let count = 0; count < 78; count += 1) t.notThrows(() => compileFaulty(4096));
  t.notThrows(() => compileFaulty(1));
  t.throws(() => {
    for (let count = 0; count < 20; count += 1) compileFaulty(1);
  }, tooManyParts);
});

test("compilation is limited by the patterns' total instructions, which are charged in advance", (t) => {
  const { addPattern } = createCompileBudget("a design");
  t.notThrows(() => addPattern(limits.patternsInAll));
  t.throws(() => addPattern(1), {
    instanceOf: CompileBudgetError,
    message:
      /^the regular expressions of a design are too large: they can have at most 20000 instructions in total, and a class such as \\p\{L\} counts as many$/,
  });
});

test("the three costliest parts are named, costliest first", (t) => {
  const parts = [3, 9, 1, 7].map((steps) => ({ name: `part ${steps}`, steps }));
  t.is(costliest(parts), "part 9 (9), part 7 (7), part 3 (3)");
});
