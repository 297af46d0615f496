import test from "ava";
import { ExpressionError } from "../../../domain/expression/expression.ts";
import { chooseScenario } from "../../../domain/packs/choose-scenario.ts";
import { compilePack } from "../../../domain/packs/compile-pack.ts";
import type { Scenario } from "../../../schemas/design.ts";

const scenario = (id: string, cel_expression: string | undefined, children: Scenario[] = []): Scenario => ({
  id,
  name: `Scenario ${id}`,
  ...(cel_expression !== undefined && { cel_expression }),
  design_ids: [`t/demo/designs/${id}`],
  children,
});
const variables = { item: { brand: "Dukat" }, link: {}, device: {} };

/** The design that a pack chooses for the variables above, and the faults that it reports. */
function choose(...scenarios: Scenario[]) {
  const faults: { id: string; name: string; error: ExpressionError }[] = [];
  const compiled = compilePack({ scenarios }, ({ id, name }, error) => faults.push({ id, name, error }));
  return { match: chooseScenario(compiled, variables), compiled, faults };
}

for (const blank of [undefined, "", "  \n\t"]) {
  test(`an expression that is ${JSON.stringify(blank)} is true`, (t) => {
    const { match, faults } = choose(scenario("a", blank));
    t.is(match?.scenario.id, "a");
    t.deepEqual(faults, []);
  });
}

test("blank space around an expression is ignored", (t) => {
  t.deepEqual(choose(scenario("a", ' item.brand == "Dukat" ')).match?.conditions, ['item.brand == "Dukat"']);
});

test("a broken expression and its children never apply, and the other scenarios still count", (t) => {
  const { match } = choose(scenario("broken", "item.brand ==", [scenario("child", "true")]), scenario("next", "true"));
  t.is(match?.scenario.id, "next");
});

test("a broken expression is reported once with its scenario and position, however often the pack is used", (t) => {
  const { compiled, faults } = choose(scenario("a", "true", [scenario("b", "item.brand ==")]));
  for (let time = 0; time < 3; time += 1) chooseScenario(compiled, variables);
  t.deepEqual(
    faults.map(({ id, name, error }) => [id, name, error.start]),
    [["b", "Scenario b", 13]],
  );
  t.true(faults[0]?.error instanceof ExpressionError);
});

test("every broken expression of a tree is reported", (t) => {
  const { faults } = choose(scenario("a", "(", [scenario("b", ")"), scenario("c", "true")]), scenario("d", "x.y"));
  t.deepEqual(faults.map(({ id }) => id).sort(), ["a", "b", "d"]);
});

test("a child's text cannot escape its parents", (t) => {
  const { match, faults } = choose(scenario("parent", "false", [scenario("child", "false) || (true")]));
  t.is(match, undefined);
  t.deepEqual(
    faults.map(({ id }) => id),
    ["child"],
  );
});

test("the match includes the other fields of its scenario", (t) => {
  const rich = { ...scenario("a", "true"), priority: 3, validityPeriod: { from: "2026-01-01" } };
  const { children: _, ...said } = rich;
  t.deepEqual(choose(rich).match?.scenario, said);
});
