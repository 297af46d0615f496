import test from "ava";
import { compile, createCompiler } from "../../../../domain/expression/expression.ts";
import { limits } from "../../../../domain/expression/limits.ts";
import { BudgetError, EVALUATION_COST, spendBudget, withBudget } from "../../../../domain/expression/meter.ts";
import { programBound } from "../../../../domain/expression/pattern.ts";

const variables = {
  item: {
    long: "a".repeat(8000),
    same: "a".repeat(8000),
    part: "b".repeat(800),
    short: "b",
    digit: "7",
    five: "x",
  },
  link: {},
  device: { list: ["1", "2"], nothing: null },
};

/** The number of steps that an evaluation takes: the smallest sufficient budget. */
function stepsOf(source: string): number {
  const expression = compile(source);
  const isEnough = (steps: number): boolean => {
    try {
      withBudget("it", steps, () => expression.explain(variables));
      return true;
    } catch (error) {
      if (error instanceof BudgetError) return false;
      throw error;
    }
  };
  let [tooFew, enough]: [number, number] = [-1, limits.steps];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

type Operation = [rule: string, source: string, steps: number];
/** Expressions with one operation and its operands, which cost a few steps each. */
const operations: Operation[] = [
  ["reading a string", "bytes(item.long)", 1022],
  ["a search compares at each offset", "item.long.contains(item.part)", 46031],
  ["a search for a short part", "item.long.indexOf(item.short)", 1087],
  ["a search from the end", "item.long.lastIndexOf(item.part)", 46031],
  ["only the compared part counts", "item.long.startsWith(item.part)", 124],
  ["only the compared part counts", "item.long.endsWith(item.part)", 124],
  ["a search, and one step per part", "item.long.split(item.part)", 46041],
  ["one part per character", 'item.part.split("")', 923],
  ["all parts and their separators", "[item.part, item.part].join(item.short)", 229],
  ["all parts and their separators", "[item.part, item.part].join(item.part)", 429],
  ["counting characters", "item.long.size()", 4022],
  ["each letter", "item.long.lowerAscii()", 8022],
  ["each letter", "item.part.upperAscii()", 822],
  ["reading a string", "item.long.trim()", 1022],
  ["reading a string", "double(item.digit)", 22],
  ["reading a string", "int(item.long)", 1022],
  ["reading a string", "uint(item.part)", 122],
  ["a string itself", "string(item.long)", 22],
  ["reading bytes", "string(bytes(item.long))", 2053],
  ["formatting a number", "string(1)", 41],
  ["each unit of a duration", "duration(item.part)", 4822],
  ["a timestamp is short", "timestamp(item.part)", 62],
  ["a field of a timestamp", 'timestamp("2026-01-01T00:00:00Z").getHours()', 82],
  ["a field in a zone", 'timestamp("2026-01-01T00:00:00Z").getHours("Europe/Zagreb")', 4073],
  ["a literal pattern, at each character", 'item.part.matches("b+c")', 4028],
  ["a computed pattern is also compiled", "item.short.matches(item.five)", 20032],
  ["a computed pattern, at each character", "item.part.matches(item.five)", 23228],
  ["strings are compared in blocks", "item.long == item.same", 264],
  ["the shorter string sets the cost", "item.long == item.part", 39],
  ["strings are compared in blocks", "item.long < item.same", 264],
  ...["!=", "<=", ">", ">="].map(
    (operator): Operation => ["strings are compared in blocks", `item.long ${operator} item.same`, 264],
  ),
  ["each element", "[1, 2, 3] == [1, 2, 4]", 21],
  ["lists of different lengths differ", "[1, 2, 3] == [1, 2]", 17],
  ["elements count by their own size", "[item.long] == [item.same]", 267],
  ["reading bytes", "bytes(item.long) == bytes(item.same)", 10036],
  ["each entry", '{"a": 1, "b": 2} == {"a": 1, "b": 3}', 22],
  ["entries count by their own size", '{"a": item.long} == {"a": item.same}', 269],
  ["each element", "1 in [1, 2, 3]", 18],
  ["each element, by the size of the string", "item.long in [item.same, item.part]", 519],
  ["each element, by the size of its own elements", "[1, 2] in [[1, 3], [1, 2]]", 26],
  ["one lookup in a map", '"a" in {"a": 1}', 14],
  ["both strings are read", "item.long + item.same", 2014],
  ["both lists are read", "[1, 2, 3] + [4, 5]", 22],
  ["reading bytes", "bytes(item.long) + bytes(item.part)", 2236],
  ["numbers are not read", "1 + 2", 12],
  ["unjoined operands are not read", "dyn(item.long) - dyn(item.same)", 36],
  ["a decimal", "1.5 + 2.5", 32],
  ["a decimal on the left", "1.5 + dyn(2)", 43],
  ["a decimal on the right", "dyn(2) + 1.5", 43],
  ["integers are cheap", "dyn(2) + 1", 23],
  ["a list is not compared with itself", "device.list == device.list", 14],
  ["a search in an empty list", "device.nothing in device.list", 16],
  ["each key of a map", "item.all(key, true)", 36],
  ["each element of a list", "[1, 2, 3].all(one, true)", 24],
  ["a swallowed error", "(1 / 0 == 1) || true", 215],
];
for (const [rule, source, steps] of operations)
  test(`the steps of an operation depend on the size of its operands: ${rule}: ${source}`, (t) =>
    t.is(stepsOf(source), steps));

test("an evaluation may use all of its steps, and not one more", (t) => {
  const expression = compile("item.long.lowerAscii() == item.short");
  const explain = (letters: number) => {
    const item = { long: "a".repeat(letters), short: "" };
    return expression.explain({ item, link: {}, device: {} }).error;
  };
  const ofOneLetter = stepsOf("item.five.lowerAscii() == item.short") - EVALUATION_COST;
  const most = limits.steps - (ofOneLetter - 1);
  t.is(explain(most), undefined);
  t.is(explain(most + 1), `the evaluation takes more than ${limits.steps} steps`);
});

const bounds: [pattern: string, instructions: number][] = [
  ["a", 4],
  ["ab", 5],
  ["a?", 6],
  ["a*", 6],
  ["a+", 6],
  ["a{3}", 11],
  ["a{2,5}", 15],
  ["a{3,}", 11],
  ["(a)", 7],
  ["(ab)c", 9],
  ["(a|b)", 10],
  ["a|b|c", 10],
  ["[a-z]", 4],
  ["[]a]", 4],
  ["[^]a]b", 5],
  ["[[:alpha:]x]y", 5],
  ["[\\]]a", 5],
  ["\\Qa{5}\\E", 11],
  ["\\pL", 5],
  ["\\p{Greek}b", 5],
  ["(a", 4],
  ["a)", 5],
  ["(a{3}b){2}", 31],
  ["a(b){2}", 16],
  ["((a)+)+", 14],
  ["\\Qab", 7],
  ["\\Qab\\Ec", 10],
  ["[a:]b", 5],
  ["[[a]b", 5],
  ["[:a:]b", 5],
  ["[[:alpha:]]b", 5],
  ["[[:a]:]]", 4],
  ["\\Qa{5}", 9],
  ["[a:b:]c", 5],
  ["[[:]a:]b", 4],
];
for (const [pattern, instructions] of bounds)
  test(`a pattern's limit counts its pieces, groups and repetitions: ${pattern}`, (t) =>
    t.is(programBound(pattern), instructions));

test("nested work has its own budget, and then the outer budget continues", (t) => {
  t.notThrows(() => spendBudget(limits.packSteps * 10), "nothing is limited without a budget");
  withBudget("the outer", 100, () => {
    spendBudget(60);
    withBudget("the inner", 10, () => {
      spendBudget(10);
      t.throws(() => spendBudget(1), {
        name: "BudgetError",
        message: "the inner takes more than 10 steps for one label",
      });
    });
    t.throws(() => withBudget("a failing one", 10, () => spendBudget(11)), { instanceOf: BudgetError });
    spendBudget(40);
    t.throws(() => spendBudget(1), { instanceOf: BudgetError, message: /^the outer takes more than 100 steps/ });
  });
  t.notThrows(() => spendBudget(limits.packSteps * 10));
});

test("an expression that exceeds its budget is an error, not false", (t) => {
  const expression = compile("item.long.lowerAscii() == item.short");
  t.throws(() => withBudget("a pack", 100, () => expression.evaluate(variables)), { instanceOf: BudgetError });
  t.false(withBudget("a pack", limits.packSteps, () => expression.evaluate(variables)));
});

test("a custom function reads the evaluation's variables and uses its steps", (t) => {
  const own = createCompiler(
    ["item"],
    [
      {
        signature: "own(string): string",
        cost: () => 500,
        call: ({ item }, key) => (item as Record<string, string>)[key as string],
      },
    ],
  );
  const expression = own('own("digit") == "7"');
  t.true(expression.evaluate({ item: { digit: "7" } }));
  t.false(expression.evaluate({ item: { digit: "8" } }));
  t.throws(() => withBudget("it", 500, () => expression.evaluate({ item: {} })), { instanceOf: BudgetError });
  t.notThrows(() => withBudget("it", 550, () => expression.evaluate({ item: {} })));
});
