import test from "ava";
import { checkPack } from "../../../domain/packs/check-pack.ts";
import type { ScenarioOrder } from "../../../schemas/pack.ts";
import { check, known, scenario, TENANT } from "./a-pack.ts";

test("bare design IDs and full design keys are stored as full keys", (t) => {
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

test("each child must be a complete expression, so its text cannot escape its parents", (t) => {
  t.is(
    check([scenario("Parent", { children: [scenario("Child", { cel_expression: "false) || (true" })] })]).errors.length,
    1,
  );
});

test("scenarios are stored in order, each with only the given fields", (t) => {
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
  test(`an expression that is ${JSON.stringify(cel_expression)} is true: a warning says that the scenarios after it are never reached`, (t) => {
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

test("50 levels are accepted, and deeper packs are refused unchecked", (t) => {
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

test("an invalid validity period is refused, its faulty end is named, and a pack lists each start and end time once", (t) => {
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
  t.deepEqual(warnings, [], "a scenario that applies for a limited time does not make others unreachable");
  t.false("periodEnds" in check([scenario("A")]).pack);
  const many = Array.from({ length: 1001 }, (_, day) =>
    scenario(`${day}`, { validityPeriod: { from: new Date(day * 86_400_000).toISOString() } }),
  );
  t.regex(check(many).errors.at(-1)?.detail ?? "", /at most 1000 different start and end times, not 1001/);
});

test("an unknown field of a pack is refused, and the error names the nearest known field; additional fields of a response are accepted", (t) => {
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
