import test from "ava";
import { checkPack } from "../../../domain/packs/check-pack.ts";
import { compilePack } from "../../../domain/packs/compile-pack.ts";
import { decide, type LinkFacts } from "../../../domain/packs/decide-design.ts";
import { compileForTrials, explain } from "../../../domain/packs/explain.ts";
import { createPackEvaluator } from "../../../domain/packs/pack-evaluator.ts";
import { createExpressionWork } from "../../../drawing/expressions/expression-work.ts";
import { createExpressions } from "../../../drawing/expressions/expressions.ts";
import { TurnsFullError } from "../../../runtime/thread/owner-turns.ts";
import { ThreadError } from "../../../runtime/thread/thread.ts";
import type { CanvasDesign } from "../../../schemas/canvas.ts";
import { computingCounts } from "../../../schemas/computing-counts.ts";
import type { Scenario } from "../../../schemas/design.ts";
import type { Item } from "../../../schemas/item.ts";
import type { PackOrder } from "../../../schemas/pack.ts";

const TENANT = "t/demo";
const item: Item = {
  itemId: "milk",
  price: "1.99",
  sics: [],
  properties: [{ key: "brand", value: "Dukat", stamp: 1 }],
  stamps: {},
  created: 1,
};
const scenario = (id: string, cel_expression: string, design_ids = ["t/demo/designs/a"]): Scenario => ({
  id,
  name: id,
  cel_expression,
  design_ids,
  children: [],
});
const scenarios = [
  scenario("broken", "item.price >"),
  scenario("number", "double(item.brand) > 1.0"),
  scenario("dukat", 'item.brand == "Dukat"'),
];
const designs = new Map([["t/demo/designs/a", { compatible_esltype_ids: [1] }]]);
const pack = { id: "t/demo/communicationpacks/p#1", scenarios };
const order: PackOrder = { name: "p", scenarios: [{ name: "a", design_ids: ["a"], cel_expression: "item.a ==" }] };
const facts = (more: Partial<LinkFacts> = {}): LinkFacts => ({
  link: { status: "ACTIVE" },
  item,
  type: 1,
  chooseScenario: createPackEvaluator(
    compilePack(pack, () => {}),
    () => {},
  ),
  pack,
  designs,
  ...more,
});
const canvas = { name: "c", width: 100, height: 20, background: "white", elements: [] } as unknown as CanvasDesign;

test.serial("the thread checks, traces and decides like the main thread, which then compiles nothing", async (t) => {
  const expressions = createExpressions();
  const cases = [facts(), facts({ item: undefined }), facts({ pack: undefined, chooseScenario: undefined })].map(
    (one, index) => ({ key: `t/demo/s/main/links/${index}-0`, facts: one, current: undefined }),
  );
  const expected = {
    checked: checkPack(order, TENANT, (key) => key === "t/demo/designs/a"),
    trace: explain({ ...compileForTrials(pack), item, link: {}, type: 1, designs }),
    decided: cases.map(({ facts, current }) => decide(facts, current)),
  };
  const before = computingCounts();
  t.deepEqual(await expressions.checkPack(TENANT, order, ["t/demo/designs/a"]), expected.checked);
  t.deepEqual(await expressions.trace(TENANT, pack, { item, link: {}, type: 1 }, designs), expected.trace);
  t.deepEqual(await expressions.decide(cases), expected.decided);
  t.deepEqual(await expressions.canvasFaults(TENANT, canvas), []);
  t.regex((await expressions.canvasFaults(TENANT, { ...canvas, width: -1 }))[0]?.pointer ?? "", /width/);
  t.deepEqual(computingCounts(), before);
});

test.serial("each rev of a pack is compiled once for all callers", (t) => {
  const work = createExpressionWork();
  const trace = (packId: string, packs = [{ ...pack, id: packId }]) =>
    work({ kind: "trace", packId, tried: { item, link: {}, type: 1 }, designs, packs });
  const { chooseScenario: _, pack: __, ...own } = facts();
  t.deepEqual(trace("p#1", []), { lacking: ["p#1"] });
  const compiled = (what: () => unknown) => {
    const before = computingCounts().compilations;
    what();
    return computingCounts().compilations - before;
  };
  t.is(
    compiled(() => trace("p#1")),
    3,
  );
  t.is(
    compiled(() => trace("p#1", [])),
    0,
  );
  t.is(
    compiled(() => work({ kind: "decide", links: [{ facts: own, packId: "p#1", current: undefined }], packs: [] })),
    0,
  );
  t.is(
    compiled(() => trace("p#2")),
    3,
  );
});

test.serial("only a few checks of large packs wait per tenant, and do not block another tenant's check", async (t) => {
  const expressions = createExpressions();
  const large = { name: "g", design_ids: ["a"], children: Array(999).fill({ name: "s", design_ids: ["a"] }) };
  const largest: PackOrder = { name: "p", scenarios: Array(10).fill(large) };
  const checks = Array.from({ length: 4 }, () => expressions.checkPack(TENANT, largest, ["t/demo/designs/a"]));
  await t.throwsAsync(expressions.checkPack(TENANT, largest, []), { instanceOf: TurnsFullError });
  t.is((await expressions.checkPack("t/other", order, [])).errors.length, 2);
  for (const { errors } of await Promise.all(checks)) t.deepEqual(errors, []);
});

test.serial(
  "a check that crashes the thread is a fault of the checked pack, and the next order gets a new thread",
  async (t) => {
    const program = new URL("data:text/javascript,throw new Error('too much')");
    const expressions = createExpressions(program);
    t.regex(
      (await expressions.checkPack(TENANT, order, [])).errors[0]?.detail ?? "",
      /^the pack cannot be checked: too much/,
    );
    t.regex(
      (await expressions.canvasFaults(TENANT, canvas))[0]?.detail ?? "",
      /^the design cannot be checked: too much/,
    );
    await t.throwsAsync(expressions.trace(TENANT, pack, { item, link: {}, type: 1 }, designs), {
      instanceOf: ThreadError,
    });
  },
);
