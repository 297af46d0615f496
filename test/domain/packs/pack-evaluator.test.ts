import test from "ava";
import fc from "fast-check";
import { scenarioVariables } from "../../../domain/expression/variables.ts";
import { chooseScenario } from "../../../domain/packs/choose-scenario.ts";
import { type CompiledPack, compilePack } from "../../../domain/packs/compile-pack.ts";
import { createPackEvaluator } from "../../../domain/packs/pack-evaluator.ts";
import type { Scenario } from "../../../schemas/design.ts";
import type { Item } from "../../../schemas/item.ts";
import { cases, forest, naive, scenariosOf } from "./any-pack.ts";

const compiled = (scenarios: Scenario[]): CompiledPack =>
  compilePack({ scenarios }, (_, error) => {
    throw error;
  });

test("rules 3 to 5: for any pack and links the choice matches a naive evaluation, in any order and with any cache size", (t) => {
  fc.assert(
    fc.property(
      forest(2),
      fc.array(cases, { maxLength: 12 }),
      fc.constantFrom(undefined, 0, 1000),
      (trees, links, room) => {
        const pack = compiled(scenariosOf(trees));
        const choose = createPackEvaluator(pack, () => undefined, room);
        // Every case is evaluated twice, the second time with a copy of the item's record.
        for (const given of [...links, ...links.map((one) => ({ ...one, item: { ...one.item } }))]) {
          const match = choose(given);
          t.is(match?.scenario.id, naive(trees, given));
          t.deepEqual(match, chooseScenario(pack, scenarioVariables(given.item, given.link, given.type)));
        }
      },
    ),
    { numRuns: 500 },
  );
});

/** A pack that counts its evaluations. */
function counting(...sources: string[]) {
  return countingWithin(undefined, ...sources);
}

/** The same pack with a limited cache. */
function countingWithin(maxSize: number | undefined, ...sources: string[]) {
  const counted = { evaluations: 0 };
  const pack = compiled(
    sources.map((cel_expression, at) => ({ id: `${at}`, name: `${at}`, cel_expression, design_ids: [], children: [] })),
  ).map((scenario) => ({
    ...scenario,
    expression: scenario.expression && {
      ...scenario.expression,
      explain: (variables: Parameters<typeof scenario.expression.explain>[0]) => {
        counted.evaluations += 1;
        return (scenario.expression as NonNullable<typeof scenario.expression>).explain(variables);
      },
    },
  }));
  return { counted, choose: createPackEvaluator(pack, () => undefined, maxSize) };
}
const itemWith = (properties: Record<string, string>): Item => ({
  itemId: "milk",
  sics: [],
  properties: Object.entries(properties).map(([key, value]) => ({ key, value, stamp: 1 })),
  stamps: {},
  created: 1,
});

test("of all links with equal values at the pack's paths only one is evaluated", (t) => {
  const { counted, choose } = counting('item.kind == "x"', 'item.brand == "x" && device.type == 1');
  for (let at = 0; at < 1000; at += 1) {
    const item = itemWith({ kind: `kind ${at % 4}`, brand: `brand ${at % 5}`, ean: `${at}` });
    choose({ item, link: { facings: `${at % 7}`, location: `${at}` }, type: 1317 + (at % 3) });
  }
  t.is(counted.evaluations, 4 * 5 * 3 * 2);
});

test("a missing value counts as a value that differs from every string", (t) => {
  const { counted, choose } = counting('!has(item.kind) || item.kind == "-"', "has(item.a) && has(item.b)");
  const items = [{}, { kind: "-" }, { kind: "null" }, { kind: "1:-" }, { kind: "a", a: "-" }, { kind: "a-", b: "-" }];
  const chosen = [...items, ...items].map(
    (properties) => choose({ item: itemWith(properties as Record<string, string>), link: {}, type: 1 })?.scenario.id,
  );
  const once = ["0", "0", undefined, undefined, undefined, undefined];
  t.deepEqual(chosen, [...once, ...once]);
  t.is(counted.evaluations, 2 + 4 * 2);
});

test("equal values at different paths do not make links equal", (t) => {
  const { choose } = counting("has(item.a)", "has(item.b)");
  const chosen = ["a", "b"].map((path) => choose({ item: itemWith({ [path]: "x" }), link: {}, type: 1 })?.scenario.id);
  t.deepEqual(chosen, ["0", "1"]);
});

test("cached and evaluated choices are counted", (t) => {
  const pack = compiled([{ id: "a", name: "A", cel_expression: 'item.a == "x"', design_ids: [], children: [] }]);
  const counts = { hits: 0, misses: 0 };
  const choose = createPackEvaluator(pack, () => undefined, undefined, counts);
  for (const a of ["x", "y", "x", "x", "y"]) choose({ item: itemWith({ a }), link: {}, type: 1 });
  t.deepEqual(counts, { hits: 3, misses: 2 });
});

test("an internal error during a search is thrown and not cached", (t) => {
  const [whole] = compiled([{ id: "a", name: "A", cel_expression: "true", design_ids: [], children: [] }]);
  const expression = whole?.expression;
  if (whole === undefined || expression === undefined) return t.fail();
  let isBroken = true;
  const explain: typeof expression.explain = (variables) => {
    if (isBroken) throw new TypeError("no such member");
    return expression.explain(variables);
  };
  const choose = createPackEvaluator([{ ...whole, expression: { ...expression, explain } }], () => undefined);
  const given = { item: itemWith({}), link: {}, type: 1 };
  t.throws(() => choose(given), { instanceOf: TypeError });
  isBroken = false;
  t.is(choose(given)?.scenario.id, "a");
});

test("values that are split differently are different", (t) => {
  const { choose } = counting('item.a == "x" && item.b == "y1:z"', "item.a != item.b");
  const chosen = [
    { a: "x", b: "y1:z" },
    { a: "x1:y", b: "1:z" },
    { a: "x", b: "y" },
  ].map((properties) => choose({ item: itemWith(properties), link: {}, type: 1 })?.scenario.id);
  t.deepEqual(chosen, ["0", "1", "1"]);
});

// The text that separates two values in a key may also occur in a value: "x|y" and "z", or "x" and "y|z".
for (const between of ["", "-", ":", "1:", "#", ".", ".#", ",", "|", "\n", "\0"]) {
  test(`values that join to the same string with ${JSON.stringify(between)} are different`, (t) => {
    const { choose } = counting("item.a == 'x'", "item.b == 'z'");
    const pairs = [
      { a: "x", b: `y${between}z` },
      { a: `x${between}y`, b: "z" },
    ];
    const chosen = pairs.map((properties) => choose({ item: itemWith(properties), link: {}, type: 1 })?.scenario.id);
    t.deepEqual(chosen, ["0", "1"]);
  });
}

test("the cache of choices has a limited size: the length of values counts, and a full cache is emptied", (t) => {
  const { counted, choose } = countingWithin(3000, 'item.a == "x"');
  /** The number of evaluations after a link with a value of a thousand characters. */
  const after = (first: string) => {
    choose({ item: itemWith({ a: first.padEnd(1000) }), link: {}, type: 1 });
    return counted.evaluations;
  };
  t.deepEqual(["a", "b", "c", "a", "b", "c"].map(after), [1, 2, 3, 3, 3, 3], "three fit");
  t.deepEqual(["d", "d", "a", "d", "b", "a"].map(after), [4, 4, 5, 5, 6, 6], "the fourth link empties the cache");
});

test("short values count as well, since each choice takes space", (t) => {
  const { counted, choose } = countingWithin(1000, 'item.a == "x"');
  for (const a of ["1", "2", "3", "4", "5", "6", "1"]) choose({ item: itemWith({ a }), link: {}, type: 1 });
  t.is(counted.evaluations, 7);
});

test("a pack's cache has a default limit", (t) => {
  const { counted, choose } = counting('item.a == "x"');
  const values = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(1_000_000));
  for (const a of values) choose({ item: itemWith({ a }), link: {}, type: 1 });
  choose({ item: itemWith({ a: values[0] ?? "" }), link: {}, type: 1 });
  t.is(counted.evaluations, 13);
});

test("an expression that computes its keys during evaluation is evaluated for each link", (t) => {
  const { counted, choose } = counting('item.exists(key, key == "sale")', "item[link.location] == '1'");
  const item = itemWith({ kind: "x" });
  for (let time = 0; time < 5; time += 1) choose({ item, link: { location: "kind" }, type: 1 });
  t.is(counted.evaluations, 10);
});

test("one such expression disables the cache of its pack", (t) => {
  const { choose } = counting("item[link.location] == 'x'", "has(item.kind)");
  const at = (location: string) =>
    choose({ item: itemWith({ kind: "x", brand: "y" }), link: { location }, type: 1 })?.scenario.id;
  t.deepEqual(["brand", "kind", "brand"].map(at), ["1", "0", "1"]);
});

test("a scenario that is false because of a fault is reported for each link, even from the cache; a missing path is not a fault", (t) => {
  const pack = compiled([
    { id: "cheap", name: "Cheap", cel_expression: "double(item.cost) < 2.0", design_ids: [], children: [] },
    { id: "sale", name: "Sale", cel_expression: 'item.sale == "yes"', design_ids: [], children: [] },
  ]);
  const faults: unknown[] = [];
  const choose = createPackEvaluator(pack, (scenario, error) => faults.push({ scenario, error }));
  const free = itemWith({ cost: "free" });
  for (const item of [free, free, itemWith({ cost: "free" })]) t.is(choose({ item, link: {}, type: 1 }), undefined);
  const fault = { scenario: { id: "cheap", name: "Cheap" }, error: 'double(item.cost): "free" is not a number' };
  t.deepEqual(faults, [fault, fault, fault]);
  choose({ item: itemWith({ cost: "1" }), link: {}, type: 1 });
  choose({ item: itemWith({}), link: {}, type: 1 });
  t.is(faults.length, 3);
});

test("a scenario that does not compile never applies and is not a fault of a link", (t) => {
  const scenarios = [{ id: "a", name: "A", cel_expression: "(", design_ids: [], children: [] }];
  const choose = createPackEvaluator(
    compilePack({ scenarios }, () => undefined),
    () => t.fail(),
  );
  t.is(choose({ item: itemWith({}), link: {}, type: 1 }), undefined);
});
