import test from "ava";
import { compile } from "../../../../domain/expression/expression.ts";
import { withBudget } from "../../../../domain/expression/meter.ts";
import { compilePack } from "../../../../domain/packs/compile-pack.ts";
import { decide } from "../../../../domain/packs/decide-design.ts";
import { compileForTrials, explain } from "../../../../domain/packs/explain.ts";
import { createPackEvaluator } from "../../../../domain/packs/pack-evaluator.ts";
import type { Scenario } from "../../../../schemas/design.ts";
import type { Item } from "../../../../schemas/item.ts";

const item: Item = { itemId: "milk", sics: [], properties: [], stamps: {}, created: 1 };
const LOOP = `[${Array.from({ length: 100 }, (_, index) => index).join(",")}]`;
/** Scenarios that each take about fifty thousand steps and are never true, followed by one that is true. */
const scenarios = (count: number): Scenario[] => [
  ...Array.from({ length: count }, (_, index) => ({
    id: `costly-${index}`,
    name: "Costly",
    cel_expression: `${LOOP}.exists(x, ${LOOP}.exists(y, x - y == ${1000 + index}))`,
    design_ids: ["t/demo/designs/a"],
    children: [],
  })),
  { id: "last", name: "Last", design_ids: ["t/demo/designs/b"], children: [] },
];
const fail = () => {
  throw new Error("no expression is faulty");
};
const designs = new Map(["a", "b"].map((id) => [`t/demo/designs/${id}`, { compatible_esltype_ids: [1] }]));
const decided = (count: number, current?: Parameters<typeof decide>[1]) => {
  const chooseScenario = createPackEvaluator(compilePack({ scenarios: scenarios(count) }, fail), () => {});
  return decide({ link: { status: "ACTIVE" }, item, type: 1, chooseScenario, designs }, current);
};

test("a link that exceeds the pack's steps gets a fault and keeps its design", (t) => {
  t.is(decided(3)?.design_id, "t/demo/designs/b");
  t.deepEqual(decided(20), {
    design_id: null,
    conditions: [],
    fault: "the pack takes more than 300000 steps for one label",
  });
});

test("a link that already has the fault is not written again, but a link without the fault is", (t) => {
  const fault = decided(20);
  t.is(decided(20, fault), undefined);
  t.truthy(decided(20, { design_id: null }));
});

test("faults found before a pack is abandoned are reported", (t) => {
  const faulty = { id: "faulty", name: "Faulty", cel_expression: "1 / 0 == 1", design_ids: [], children: [] };
  const reported: string[] = [];
  const pack = compilePack({ scenarios: [faulty, ...scenarios(20)] }, fail);
  const choose = createPackEvaluator(pack, ({ id }) => reported.push(id));
  t.throws(() => choose({ item, link: {}, type: 1 }), { message: /^the pack takes more than/ });
  t.is(reported[0], "faulty");
});

test("a trial of a pack that takes too many steps ends with the reason", (t) => {
  const { scenarios: traced, design_id } = explain({
    ...compileForTrials({ scenarios: scenarios(200) }),
    item,
    link: {},
    type: 1,
    designs,
  });
  t.is(design_id, null);
  t.is(traced.length, 201);
  t.regex(traced.at(-2)?.error ?? "", /^the trial of all scenarios takes more than \d+ steps/);
});

test("a budget applies only to its own work, and exceeding it is an error", (t) => {
  const loop = compile(`${LOOP}.exists(x, x > 1000)`);
  const nothing = { item: {}, link: {}, device: {} };
  t.throws(() => withBudget("this", 50, () => loop.evaluate(nothing)), { message: /^this takes more than 50 steps/ });
  t.false(loop.evaluate(nothing));
});
