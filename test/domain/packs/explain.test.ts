import test from "ava";
import fc from "fast-check";
import { scenarioVariables } from "../../../domain/expression/variables.ts";
import { chooseScenario } from "../../../domain/packs/choose-scenario.ts";
import { compilePack } from "../../../domain/packs/compile-pack.ts";
import { compileForTrials, explain } from "../../../domain/packs/explain.ts";
import type { Scenario } from "../../../schemas/design.ts";
import type { Item } from "../../../schemas/item.ts";
import { designKey } from "../../../schemas/keys.ts";

const TYPE = 1328;
const key = (id: string) => designKey("t/demo", id);
const designs = new Map<string, { compatible_esltype_ids: number[]; deleted?: true }>([
  [key("fits"), { compatible_esltype_ids: [1317, TYPE] }],
  [key("small"), { compatible_esltype_ids: [1317, 1318] }],
  [key("none"), { compatible_esltype_ids: [] }],
  [key("deleted"), { compatible_esltype_ids: [], deleted: true }],
]);
const item: Item = {
  itemId: "milk",
  price: "1,99",
  sics: [],
  properties: [{ key: "brand", value: "Dukat", stamp: 1 }],
  stamps: {},
  created: 1,
};
const variables = scenarioVariables(item, {}, TYPE);

const scenario = (id: string, cel_expression: string | undefined, design_ids: string[], children: Scenario[] = []) => ({
  id,
  name: `Scenario ${id}`,
  ...(cel_expression !== undefined && { cel_expression }),
  design_ids: design_ids.map(key),
  children,
});
const trace = (...scenarios: Scenario[]) =>
  explain({ ...compileForTrials({ scenarios }), item, link: {}, type: TYPE, designs });

test("the trace lists every scenario, evaluated or not, with its own expression, its value and why it is false", (t) => {
  const { scenarios } = trace(
    scenario("sale", 'item.sale == "yes"', ["fits"], [scenario("below", "true", ["fits"])]),
    scenario("cheap", "double(item.price) < 2.0", ["fits"]),
    scenario("broken", "item.price >", ["fits"]),
    scenario("brand", ' item.brand == "Dukat" ', ["fits"], [scenario("other", 'item.brand != "Dukat"', ["fits"])]),
    scenario("later", undefined, ["fits"]),
  );
  const traced = (id: string, expression: string, ancestors: string[] = []) => ({
    id,
    name: `Scenario ${id}`,
    ancestors,
    expression,
    isAsked: true,
    value: false,
    missing: [],
  });
  t.deepEqual(scenarios, [
    { ...traced("sale", 'item.sale == "yes"'), missing: ["item.sale"] },
    { ...traced("below", "true", ["sale"]), isAsked: false, value: true },
    { ...traced("cheap", "double(item.price) < 2.0"), error: 'double(item.price): "1,99" is not a number' },
    { ...traced("broken", "item.price >"), error: "line 1, column 13: the expression is incomplete" },
    { ...traced("brand", 'item.brand == "Dukat"'), value: true },
    traced("other", 'item.brand != "Dukat"', ["brand"]),
    { ...traced("later", "true"), isAsked: false, value: true },
  ]);
});

test("a scenario that takes too many steps in a trial is false for that reason and has no missing paths", (t) => {
  const properties = { long: "a".repeat(8_000), part: "b".repeat(800) };
  const costly: Item = {
    ...item,
    properties: Object.entries(properties).map(([key, value]) => ({ key, value, stamp: 1 })),
  };
  const scenarios = Array.from({ length: 40 }, (_, index) =>
    scenario(`costly-${index}`, "item.long.contains(item.part)", ["fits"]),
  );
  const traced = explain({ ...compileForTrials({ scenarios }), item: costly, link: {}, type: TYPE, designs }).scenarios;
  t.like(traced[0], { value: false, missing: [], error: undefined });
  t.like(traced.at(-1), { value: false, missing: [] });
  t.regex(traced.at(-1)?.error ?? "", /^the trial of all scenarios takes more than \d+ steps/);
});

test("the trace names the matching scenario, and why each rejected design is not used", (t) => {
  const {
    match,
    designs: traced,
    design_id,
  } = trace(scenario("all", undefined, ["gone", "deleted", "small", "none", "fits", "small"]));
  t.deepEqual(match, { id: "all", name: "Scenario all" });
  t.deepEqual(traced, [
    { design_id: key("gone"), isChosen: false, reason: "the design does not exist" },
    { design_id: key("deleted"), isChosen: false, reason: "the design does not exist" },
    { design_id: key("small"), isChosen: false, reason: "it is for the label types 1317, 1318, not for 1328" },
    { design_id: key("none"), isChosen: false, reason: "it is not assigned to any label type, so not to 1328" },
    { design_id: key("fits"), isChosen: true },
    { design_id: key("small"), isChosen: false, reason: "an earlier design fits" },
  ]);
  t.is(design_id, key("fits"));
});

test("designs after the first that fits are not checked, and if no design fits, each has its own reason", (t) => {
  const reasons = (...ids: string[]) => trace(scenario("all", "true", ids)).designs.map(({ reason }) => reason);
  t.deepEqual(reasons("fits", "small", "gone"), [undefined, "an earlier design fits", "an earlier design fits"]);
  t.deepEqual(reasons("gone", "none"), [
    "the design does not exist",
    "it is not assigned to any label type, so not to 1328",
  ]);
});

test("without a matching scenario, a fitting design or any design, the respective fields are null", (t) => {
  t.like(trace(scenario("a", "false", ["fits"])), { match: null, designs: [], design_id: null });
  t.like(trace(scenario("a", "true", [])), { match: { id: "a" }, designs: [], design_id: null });
  t.like(trace(scenario("a", "true", ["small"])), { match: { id: "a" }, design_id: null });
  t.like(trace(), { scenarios: [], match: null, design_id: null });
});

const expressions = fc.constantFrom(
  "true",
  "false",
  'item.brand == "Dukat"',
  "item.sale == ''",
  "double(item.price) > 1.0",
  "(",
);
const forest = (depth: number): fc.Arbitrary<Scenario[]> =>
  fc.array(
    fc
      .record({
        id: fc.constantFrom("a", "b", "c"),
        expression: expressions,
        ids: fc.array(fc.constantFrom("gone", "small", "fits"), { maxLength: 3 }),
        children: depth > 0 ? forest(depth - 1) : fc.constant([]),
      })
      .map(({ id, expression, ids, children }) => scenario(id, expression, ids, [...children])),
    { maxLength: 3 },
  );

test("for any pack the trace ends with the scenario that the evaluator chooses and its first design that fits", (t) => {
  fc.assert(
    fc.property(forest(2), (scenarios) => {
      const chosen = chooseScenario(
        compilePack({ scenarios }, () => undefined),
        variables,
      )?.scenario;
      const { design_id, match, scenarios: asked } = trace(...(scenarios as Scenario[]));
      t.is(design_id, chosen?.design_ids.find((id) => id === key("fits")) ?? null);
      t.is(match?.id, chosen?.id);
      t.is(asked.filter(({ isAsked, value }) => isAsked && value).at(-1)?.id, match?.id);
    }),
    { numRuns: 300 },
  );
});

test("in the trace a scenario outside its validity period is dormant, and its children are not reached", (t) => {
  const scenarios = [
    {
      ...scenario("eve", "true", ["fits"], [scenario("below", "true", ["fits"])]),
      validityPeriod: { to: "2026-12-25" },
    },
    scenario("regular", "true", ["fits"]),
  ];
  const tried = { item, link: {}, type: TYPE, designs };
  const traced = explain({ ...compileForTrials({ scenarios, dormant: ["eve"] }), ...tried });
  t.is(traced.match?.id, "regular");
  t.deepEqual(
    traced.scenarios.map(({ id, isDormant, value, isAsked, validityPeriod }) => [
      id,
      isDormant,
      value,
      isAsked,
      validityPeriod?.to,
    ]),
    [
      ["eve", true, false, true, "2026-12-25"],
      ["below", undefined, true, false, undefined],
      ["regular", undefined, true, true, undefined],
    ],
  );
  t.is(explain({ ...compileForTrials({ scenarios }), ...tried }).match?.id, "below");
});
