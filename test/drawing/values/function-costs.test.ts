import test from "ava";
import { BudgetError, withBudget } from "../../../domain/expression/meter.ts";
import { designCompiler } from "../../../drawing/values/template.ts";

const LONGEST = 4096;
const store = { locale: "hr-HR", currency: "EUR", timeZone: "Europe/Zagreb" };
const variablesOf = (x: string) => ({ item: { x }, link: {}, device: {}, store, group: {} });

/** The steps that an evaluation takes, whether or not it returns a value: the smallest sufficient budget. */
function stepsOf(source: string, x: string): number {
  const expression = designCompiler(source);
  const isEnough = (steps: number): boolean => {
    try {
      withBudget("it", steps, () => expression.explain(variablesOf(x)));
      return true;
    } catch (error) {
      if (error instanceof BudgetError) return false;
      throw error;
    }
  };
  let [tooFew, enough] = [-1, 200_000];
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

const calls = [
  ...["upper(item.x)", "lower(item.x)", "title(item.x)", "price(item.x)", "price('1', item.x)", "number(item.x)"],
  ...["number(item.x, 2)", "round(item.x)", "round(item.x, 2)", "floor(item.x)", "unit(item.x)", "quantity(item.x)"],
  ...["discount(item.x, '1')", "digitalLink(item.x)"],
  ...["lowestPrice30(item.x)", "date(item.x)", "date('2026-07-03', item.x)", "replace(item.x, 'a', 'b')"],
];

for (const call of calls) {
  test(`${call} costs at least one step per character`, (t) => {
    const longer = stepsOf(call, "1".repeat(LONGEST)) - stepsOf(call, "1".repeat(96));
    t.true(longer >= LONGEST - 96, `${longer} steps more`);
  });

  test(`${call} refuses a string of more than ${LONGEST} characters and names it`, (t) => {
    const { error = "" } = designCompiler(call).explain(variablesOf("1".repeat(LONGEST + 1)));
    t.regex(error, /a string can have at most 4096 characters here, not 4097$/);
  });
}

test("each word of a title costs more, since its letters are changed separately", (t) => {
  t.true(stepsOf("title(item.x)", "a ".repeat(400)) - stepsOf("title(item.x)", "a".repeat(800)) >= 399 * 60);
});

test("searching for text to replace costs the same as any search", (t) => {
  const steps = stepsOf(`replace(item.x, '${"a".repeat(1000)}', '')`, "a".repeat(LONGEST));
  t.true(steps >= (3096 * 1000) / 128, `${steps} steps`);
});

test("a date and its pattern have at most 128 characters", (t) => {
  const errorOf = (source: string, x: string) => designCompiler(source).explain(variablesOf(x)).error ?? "";
  t.regex(errorOf("date(item.x)", "Z[".repeat(65)), /a date can have at most 128 characters, not 130$/);
  t.regex(errorOf("date('2026-07-03', item.x)", "d".repeat(129)), /pattern can have at most 128 characters, not 129$/);
});

test("a refusal beyond one evaluation's steps uses the total budget", (t) => {
  t.true(stepsOf("title(item.x)", "a ".repeat(2000)) >= 200);
});
