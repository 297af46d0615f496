import test from "ava";
import type { Variables } from "../../../../domain/expression/expression.ts";
import { createCompiler } from "../../../../domain/expression/expression.ts";
import { type ConformanceCase, errorCases, valueCases } from "./cases.ts";
import { knownDifferences } from "./known-differences.ts";
import { isSame } from "./values.ts";

/** The minimum number of passing cases. A change that makes more cases pass raises it; no change may lower it. */
const recorded = { values: 888, errors: 84 };

const differences = new Set(Object.values(knownDifferences).flatMap(({ cases }) => cases));

/** Whether a case passes with Shelfwire's compiler and its guards; the case's variables are the roots. */
function passes({ source, bindings, value }: ConformanceCase): boolean {
  try {
    const compile = createCompiler([...bindings.keys()], [], () => "dyn");
    const given = compile(source).value(Object.fromEntries(bindings) as Variables);
    return value !== undefined && isSame(given, value.wanted);
  } catch {
    // The expression is refused when it is compiled, or reports an error when it is evaluated.
    return value === undefined;
  }
}

const names = (cases: readonly ConformanceCase[]): string[] => cases.map(({ name }) => name).sort();

for (const [kind, cases, minPassing] of [
  ["value", valueCases, recorded.values],
  ["error", errorCases, recorded.errors],
] as const) {
  test(`CEL conformance: at least ${minPassing} of the ${cases.length} ${kind} cases without protocol buffers pass`, (t) => {
    const failing = cases.filter((one) => !passes(one));
    t.log(`${cases.length - failing.length} of ${cases.length} pass`);
    t.true(cases.length - failing.length >= minPassing);
    t.deepEqual(names(failing), names(cases.filter(({ name }) => differences.has(name))));
  });
}

test("the number of cases is the recorded one, and each case has a unique name", (t) => {
  t.is(valueCases.length, 971);
  t.is(errorCases.length, 103);
  const all = [...valueCases, ...errorCases].map(({ name }) => name);
  t.is(new Set(all).size, all.length);
  t.deepEqual(
    [...differences].filter((name) => !all.includes(name)),
    [],
  );
});
