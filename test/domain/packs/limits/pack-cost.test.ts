import test from "ava";
import { computingCounts } from "../../../../schemas/computing-counts.ts";
import { check, inGroups, scenario } from "../a-pack.ts";

const LOOP = `[${Array.from({ length: 100 }, (_, index) => index).join(",")}]`;
const costly = (index: number) => `${LOOP}.exists(x, ${LOOP}.exists(y, x * y == ${-1 - index}))`;

test("a pack with too many scenarios is not compiled", (t) => {
  const before = computingCounts().compilations;
  const { errors } = check(inGroups(20_000, (index) => scenario("same", { cel_expression: `item.a == "${index}"` })));
  t.is(errors.length, 1);
  t.is(computingCounts().compilations, before);
});

test("an expression shared by many scenarios is compiled once", (t) => {
  const before = computingCounts().compilations;
  check(inGroups(900, () => scenario("Offer")));
  t.is(computingCounts().compilations - before, 1);
});

test("the total cost of a pack's expressions is limited, and the costliest scenarios are named", (t) => {
  const cheap = scenario("Cheap");
  t.deepEqual(
    check([cheap, ...Array.from({ length: 4 }, (_, at) => scenario(`${at}`, { cel_expression: costly(at) }))]).errors,
    [],
  );
  const [error, ...others] = check([
    cheap,
    ...Array.from({ length: 9 }, (_, at) => scenario(`Costly ${at}`, { cel_expression: costly(at) })),
  ]).errors;
  t.deepEqual(others, []);
  t.is(error?.pointer, "/scenarios");
  t.is(error?.scenario, "");
  t.regex(error?.detail ?? "", /at most 300000 steps per link, and this one takes about \d+; .*"Costly 0" \(\d+\)/);
});

test("the total counts the children of the last scenario that applies, but not its siblings' children", (t) => {
  const costlyOnes = (from: number) =>
    Array.from({ length: 4 }, (_, at) => scenario(`${at}`, { cel_expression: costly(from + at) }));
  t.deepEqual(
    check([scenario("a", { children: costlyOnes(0) }), scenario("b", { children: costlyOnes(5) })]).errors,
    [],
  );
  const nested = check([...costlyOnes(0), scenario("last", { children: costlyOnes(5) })]);
  t.regex(nested.errors[0]?.detail ?? "", /at most 300000 steps/);
});

test("compilation stops if a pack's distinct expressions exceed the total limit", (t) => {
  const before = computingCounts().compilations;
  const { errors } = check(
    inGroups(9_000, (index) =>
      scenario("Wide", { cel_expression: Array(20).fill(`item.a == "${index}"`).join(" || ") }),
    ),
  );
  t.is(errors.length, 1);
  t.like(errors[0], { pointer: "/scenarios", scenario: "Wide" });
  t.regex(
    errors[0]?.detail ?? "",
    /^the distinct expressions of a pack can have at most 40000 parts in total.*; the costliest so far are "item\.a == /,
  );
  t.true((errors[0]?.detail.length ?? 0) < 600, "an expression is named by its beginning");
  t.true(computingCounts().compilations - before < 1_000);
});

test("compilation stops if a pack's regular expressions are too large in total", (t) => {
  const before = computingCounts().compilations;
  const { errors } = check(
    inGroups(900, (index) => scenario("Pattern", { cel_expression: `item.a.matches("(a${index}|b){20}")` })),
  );
  t.regex(errors[0]?.detail ?? "", /regular expressions of a pack are too large/);
  t.true(computingCounts().compilations - before < 500);
});

test("expressions that do not compile are charged, and their regular expressions before compilation", (t) => {
  const classes = "\\\\pL".repeat(150);
  const before = computingCounts();
  const { errors } = check(
    Array.from({ length: 300 }, (_, index) =>
      scenario(`Faulty ${index}`, {
        cel_expression: `item.a.matches("(?i)[${classes}]${index}") || item.a.matches("(")`,
      }),
    ),
  );
  const { compilations, compileSteps } = computingCounts();
  t.regex(errors[0]?.detail ?? "", /^the regular expressions of a pack are too large/);
  t.true(compilations - before.compilations <= 3, `${compilations - before.compilations} compilations`);
  t.true(compileSteps - before.compileSteps <= 30_000, `${compileSteps - before.compileSteps} steps`);
});

test("checking stops after twenty faulty expressions, reports that it stopped, and lists all twenty", (t) => {
  const before = computingCounts().compilations;
  const { errors } = check(
    Array.from({ length: 300 }, (_, index) => scenario(`Faulty ${index}`, { cel_expression: `item.a ${index}` })),
  );
  t.is(computingCounts().compilations - before, 20);
  t.deepEqual(
    errors.map(({ pointer }) => pointer),
    [...Array.from({ length: 20 }, (_, index) => `/scenarios/${index}/cel_expression`), "/scenarios"],
  );
  t.is(errors.at(-1)?.detail, "20 expressions are faulty; the expressions after them were not checked");
  const exactly = Array.from({ length: 20 }, (_, index) => scenario("Faulty", { cel_expression: `item.a ${index}` }));
  t.is(check(exactly).errors.length, 20);
});

test("a regular expression is compiled once, however often expressions or packs use it", (t) => {
  const before = computingCounts().compileSteps;
  const source = Array(40).fill('item.a.matches("(?i)\\\\pL+")').join(" || ");
  t.deepEqual(check([scenario("Letters", { cel_expression: source })]).errors, []);
  t.true(
    computingCounts().compileSteps - before < source.length + 200,
    `${computingCounts().compileSteps - before} steps`,
  );
});
