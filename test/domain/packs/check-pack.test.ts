import test from "ava";
import { checkPack } from "../../../domain/packs/check-pack.ts";
import type { PackOrder, ScenarioOrder } from "../../../schemas/pack.ts";
import { workCounts } from "../../../schemas/work-counts.ts";

const TENANT = "t/demo";
const known = new Set(["t/demo/designs/shelf", "t/demo/designs/offer"]);
const check = (scenarios: ScenarioOrder[]) =>
  checkPack({ name: "Pack", scenarios } satisfies PackOrder, TENANT, (key) => known.has(key));
const scenario = (name: string, more: Partial<ScenarioOrder> = {}): ScenarioOrder => ({
  name,
  cel_expression: 'item.priceKind == "special"',
  design_ids: ["shelf"],
  ...more,
});

test("bare IDs and full keys of designs are stored as full keys", (t) => {
  const { pack, errors } = check([scenario("Offer", { design_ids: ["shelf", "t/demo/designs/offer"] })]);
  t.deepEqual(errors, []);
  t.deepEqual(pack.scenarios[0]?.design_ids, ["t/demo/designs/shelf", "t/demo/designs/offer"]);
});

test("another tenant's design and an unknown design are refused", (t) => {
  const { errors } = check([scenario("Offer", { design_ids: ["t/other/designs/shelf", "shef"] })]);
  t.deepEqual(errors, [
    {
      pointer: "/scenarios/0/design_ids/0",
      scenario: "Offer",
      detail: '"t/other/designs/shelf" is not a design of this tenant',
    },
    { pointer: "/scenarios/0/design_ids/1", scenario: "Offer", detail: 'the design "shef" does not exist' },
  ]);
});

test("an error names the scenario, line and column of an expression that does not compile", (t) => {
  const child = scenario("Child", { cel_expression: '  item.a == "1" &&\n  item.b ==== "2"' });
  const { errors } = check([scenario("Parent", { children: [child] })]);
  t.is(errors.length, 1);
  t.like(errors[0], { pointer: "/scenarios/0/children/0/cel_expression", scenario: "Child", line: 2, column: 12 });
});

test("a fault on the first of several lines is on line 1", (t) => {
  const { errors } = check([scenario("A", { cel_expression: 'item.a ==== "1" &&\n  item.b == "2"' })]);
  t.like(errors[0], { line: 1, column: 10 });
});

test("all faults are reported together, in tree order", (t) => {
  const { errors } = check([
    scenario("A", { cel_expression: "(" }),
    scenario("B", { design_ids: ["none"], children: [scenario("C", { cel_expression: "]" })] }),
  ]);
  t.deepEqual(
    errors.map((error) => error.scenario),
    ["A", "B", "C"],
  );
});

test("each child must be a complete expression, so its text cannot break out of its parents", (t) => {
  t.is(
    check([scenario("Parent", { children: [scenario("Child", { cel_expression: "false) || (true" })] })]).errors.length,
    1,
  );
});

test("a scenario without an ID gets a unique one from its name", (t) => {
  const { pack, errors } = check([
    scenario("Special offer!"),
    scenario("Special Offer"),
    scenario("Other", { id: "special-offer-2" }),
    scenario("Žuto"),
  ]);
  t.deepEqual(errors, []);
  t.deepEqual(
    pack.scenarios.map(({ id }) => id),
    ["special-offer", "special-offer-3", "special-offer-2", "uto"],
  );
});

test("an ID consists of the first 48 plain characters of the name, with a dash for each run of others", (t) => {
  const { pack } = check([scenario(`A -- B ${"c".repeat(60)}`), scenario("€")]);
  t.deepEqual(
    pack.scenarios.map(({ id }) => id),
    [`a-b-${"c".repeat(44)}`, "scenario"],
  );
});

test("a scenario is stored in its order and only with the given fields", (t) => {
  const { pack } = check([
    scenario("Offer", { priority: 3 } as Partial<ScenarioOrder>),
    { name: "Any", design_ids: ["shelf"] },
  ]);
  t.deepEqual(pack.scenarios, [
    {
      id: "offer",
      name: "Offer",
      cel_expression: 'item.priceKind == "special"',
      design_ids: ["t/demo/designs/shelf"],
      priority: 3,
      children: [],
    },
    { id: "any", name: "Any", design_ids: ["t/demo/designs/shelf"], children: [] },
  ]);
});

test("a duplicate ID is refused", (t) => {
  const { errors } = check([
    scenario("A", { id: "same" }),
    scenario("B", { children: [scenario("C", { id: "same" })] }),
  ]);
  t.deepEqual(errors, [
    { pointer: "/scenarios/1/children/0/id", scenario: "C", detail: 'the id "same" is defined twice' },
  ]);
});

test("a scenario without designs is a warning: its labels show their background", (t) => {
  const { errors, warnings } = check([scenario("Nothing", { design_ids: [] })]);
  t.deepEqual(errors, []);
  t.deepEqual(warnings, [
    {
      pointer: "/scenarios/0/design_ids",
      scenario: "Nothing",
      detail: "it has no design: labels for which it applies show their background",
    },
  ]);
});

for (const cel_expression of [undefined, "", "  "]) {
  test(`an expression that is ${JSON.stringify(cel_expression)} is true: the scenarios after it are never reached, which is a warning`, (t) => {
    const { errors, warnings } = check([scenario("Always", { cel_expression }), scenario("Never")]);
    t.deepEqual(errors, []);
    t.deepEqual(
      warnings.map(({ scenario: name }) => name),
      ["Always"],
    );
    t.regex(warnings[0]?.detail ?? "", /never reached/);
    const below = check([
      scenario("Parent", { children: [scenario("Always", { cel_expression }), scenario("Never")] }),
    ]);
    t.deepEqual(
      below.warnings.map(({ pointer }) => pointer),
      ["/scenarios/0/children/0"],
    );
    t.deepEqual(check([scenario("First"), scenario("Always", { cel_expression })]).warnings, []);
  });
}

test("50 levels are accepted; deeper ones are refused unchecked", (t) => {
  const nest = (depth: number): ScenarioOrder =>
    scenario(`level ${depth}`, depth > 1 ? { children: [nest(depth - 1)] } : {});
  t.deepEqual(check([nest(50)]).errors, []);
  const { errors } = check([nest(51)]);
  t.deepEqual(errors, [
    {
      pointer: `/scenarios/0${"/children/0".repeat(49)}/children`,
      scenario: "level 2",
      detail: "is more than 50 levels deep",
    },
  ]);
});

test("10,000 scenarios are the maximum", (t) => {
  const many = (count: number) =>
    Array.from({ length: count / 1000 }, (_, at) =>
      scenario(`parent ${at}`, { children: Array.from({ length: 999 }, (__, one) => scenario(`${at} ${one}`)) }),
    );
  t.deepEqual(check(many(10_000)).errors, []);
  t.deepEqual(check([...many(10_000), scenario("one more")]), {
    pack: { name: "Pack", scenarios: [] },
    errors: [{ pointer: "/scenarios", scenario: "", detail: "a pack can have at most 10000 scenarios, not 10001" }],
    warnings: [],
  });
});

/** Scenarios in groups that the form of a pack allows. */
const inGroups = (count: number, make: (index: number) => ScenarioOrder): ScenarioOrder[] =>
  Array.from({ length: Math.ceil(count / 1000) }, (_, group) =>
    scenario(`group ${group}`, {
      children: Array.from({ length: Math.min(999, count - group * 999) }, (__, index) => make(group * 999 + index)),
    }),
  );
const LOOP = `[${Array.from({ length: 100 }, (_, index) => index).join(",")}]`;
const costly = (index: number) => `${LOOP}.exists(x, ${LOOP}.exists(y, x * y == ${-1 - index}))`;

test("a pack with too many scenarios is not compiled", (t) => {
  const before = workCounts().compilations;
  const { errors } = check(inGroups(20_000, (index) => scenario("same", { cel_expression: `item.a == "${index}"` })));
  t.is(errors.length, 1);
  t.is(workCounts().compilations, before);
});

test("scenarios with the same name get different IDs, however many there are", (t) => {
  const taken: ScenarioOrder[] = [scenario("Offer", { id: "offer-3" }), scenario("Offer", { id: "offer" })];
  const { pack } = check([...taken, scenario("Offer"), scenario("Offer"), scenario("offer!")]);
  t.deepEqual(
    pack.scenarios.map(({ id }) => id),
    ["offer-3", "offer", "offer-2", "offer-4", "offer-5"],
  );
  const many = check(inGroups(9_000, () => scenario("Offer")));
  const ids = many.pack.scenarios.flatMap(({ children }) => children.map(({ id }) => id));
  t.is(new Set(ids).size, ids.length);
});

test("an expression shared by many scenarios is compiled once", (t) => {
  const before = workCounts().compilations;
  check(inGroups(900, () => scenario("Offer")));
  t.is(workCounts().compilations - before, 1);
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

test("the total counts the children of the last scenario that applies, and not those of its siblings", (t) => {
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
  const before = workCounts().compilations;
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
  t.true(workCounts().compilations - before < 1_000);
});

test("compilation stops if a pack's regular expressions are too large in total", (t) => {
  const before = workCounts().compilations;
  const { errors } = check(
    inGroups(900, (index) => scenario("Pattern", { cel_expression: `item.a.matches("(a${index}|b){20}")` })),
  );
  t.regex(errors[0]?.detail ?? "", /regular expressions of a pack are too large/);
  t.true(workCounts().compilations - before < 500);
});

test("expressions that do not compile are charged, and their regular expressions before compilation", (t) => {
  const classes = "\\\\pL".repeat(150);
  const before = workCounts();
  const { errors } = check(
    Array.from({ length: 300 }, (_, index) =>
      scenario(`Faulty ${index}`, {
        cel_expression: `item.a.matches("(?i)[${classes}]${index}") || item.a.matches("(")`,
      }),
    ),
  );
  const { compilations, compileSteps } = workCounts();
  t.regex(errors[0]?.detail ?? "", /^the regular expressions of a pack are too large/);
  t.true(compilations - before.compilations <= 3, `${compilations - before.compilations} compilations`);
  t.true(compileSteps - before.compileSteps <= 30_000, `${compileSteps - before.compileSteps} steps`);
});

test("checking stops after twenty faulty expressions, reports that it stopped, and lists all twenty", (t) => {
  const before = workCounts().compilations;
  const { errors } = check(
    Array.from({ length: 300 }, (_, index) => scenario(`Faulty ${index}`, { cel_expression: `item.a ${index}` })),
  );
  t.is(workCounts().compilations - before, 20);
  t.deepEqual(
    errors.map(({ pointer }) => pointer),
    [...Array.from({ length: 20 }, (_, index) => `/scenarios/${index}/cel_expression`), "/scenarios"],
  );
  t.is(errors.at(-1)?.detail, "20 expressions are faulty; the expressions after them were not checked");
  const exactly = Array.from({ length: 20 }, (_, index) => scenario("Faulty", { cel_expression: `item.a ${index}` }));
  t.is(check(exactly).errors.length, 20);
});

test("a regular expression is compiled once, however often expressions or packs use it", (t) => {
  const before = workCounts().compileSteps;
  const source = Array(40).fill('item.a.matches("(?i)\\\\pL+")').join(" || ");
  t.deepEqual(check([scenario("Letters", { cel_expression: source })]).errors, []);
  t.true(workCounts().compileSteps - before < source.length + 200, `${workCounts().compileSteps - before} steps`);
});

test("a hundred errors and warnings are listed, and the others are counted", (t) => {
  const unknown = Array.from({ length: 100 }, (_, index) => `unknown-${index}`);
  const { errors, warnings } = check([
    scenario("Wrong", { design_ids: unknown }),
    scenario("Wrong too", { design_ids: unknown.slice(0, 30) }),
    ...Array.from({ length: 300 }, (_, index) => scenario(`Bare ${index}`, { design_ids: [] })),
  ]);
  t.is(errors.length, 101);
  t.is(errors.at(-1)?.detail, "and 30 more errors");
  t.is(warnings.length, 101);
  t.regex(warnings.at(-1)?.detail ?? "", /^and \d+ more warnings$/);
});

test("an unreadable validity period is refused with the faulty end; a pack lists each end once", (t) => {
  const { errors } = check([
    scenario("Eve", { validityPeriod: { from: "24.12.2026" } }),
    scenario("Sale", { children: [scenario("Week", { validityPeriod: { from: "2026-12-27", to: "2026-12-20" } })] }),
  ]);
  t.deepEqual(
    errors.map(({ pointer, scenario: of }) => [pointer, of]),
    [
      ["/scenarios/0/validityPeriod/from", "Eve"],
      ["/scenarios/1/children/0/validityPeriod/to", "Week"],
    ],
  );
  const period = { from: "2026-12-24", to: "2026-12-25" };
  const always = { cel_expression: "", validityPeriod: period };
  const { pack, warnings } = check([scenario("A", always), scenario("B", { validityPeriod: { from: "2026-12-25" } })]);
  t.deepEqual(pack.periodEnds, ["2026-12-24", "2026-12-25"]);
  t.deepEqual(warnings, [], "one that holds for a time does not keep others from being reached");
  t.false("periodEnds" in check([scenario("A")]).pack);
  const many = Array.from({ length: 1001 }, (_, day) =>
    scenario(`${day}`, { validityPeriod: { from: new Date(day * 86_400_000).toISOString() } }),
  );
  t.regex(check(many).errors.at(-1)?.detail ?? "", /at most 1000 different start and end times, not 1001/);
});

test("an unknown field of a pack is refused with the nearest name; extra fields of a response are not", (t) => {
  const misspelt = { ...scenario("Child"), cel_expresion: "false", validityPeriod: { form: "2026-12-24" } };
  const order = {
    name: "Pack",
    scenario: [],
    scenarios: [scenario("Parent", { children: [misspelt as ScenarioOrder] })],
  };
  const { errors } = checkPack(order, TENANT, (key) => known.has(key));
  t.deepEqual(
    errors.map(({ pointer, scenario: of, detail }) => [pointer, of, /nearest is `(\w+)`/.exec(detail)?.[1]]),
    [
      ["/scenario", "", "scenarios"],
      ["/scenarios/0/children/0/cel_expresion", "Child", "cel_expression"],
      ["/scenarios/0/children/0/validityPeriod/form", "Child", "from"],
    ],
  );
  const answer = { packId: "pack", active: true, name: "Pack", scenarios: [], warnings: [] };
  t.deepEqual(checkPack(answer, TENANT, () => true).errors, []);
});
