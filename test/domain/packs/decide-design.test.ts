import test from "ava";
import fc from "fast-check";
import type { Variables } from "../../../domain/expression/expression.ts";
import { scenarioVariables } from "../../../domain/expression/variables.ts";
import { type CompiledScenario, chooseScenario } from "../../../domain/packs/choose-scenario.ts";
import { decide, type LinkFacts } from "../../../domain/packs/decide-design.ts";
import type { StudioLink } from "../../../schemas/design.ts";
import type { Item } from "../../../schemas/item.ts";
import { designKey } from "../../../schemas/keys.ts";

const key = (id: string) => designKey("t/demo", id);
const item: Item = { itemId: "milk", sics: [], properties: [], stamps: {}, created: 1 };
const TYPE = 1328;

/** A scenario that is true and names these designs. */
const scenario = (...designs: string[]): CompiledScenario => ({
  scenario: { id: "offer", name: "Offer", cel_expression: "true", design_ids: designs.map(key) },
  expression: { evaluate: () => true },
  children: [],
});
/** A scenario that is true, and records the variables of its evaluation. */
const asking = (asked: Variables[]): CompiledScenario => ({
  ...scenario("a"),
  expression: { evaluate: (variables) => asked.push(variables) > 0 },
});
/** Designs by ID, each with the label types that it fits. */
const designs = (types: Record<string, number[]>): LinkFacts["designs"] =>
  new Map(Object.entries(types).map(([id, compatible_esltype_ids]) => [key(id), { compatible_esltype_ids }]));

/** Some of the facts, with the scenarios of the tenant's pack. */
type Given = Partial<LinkFacts> & { scenarios?: CompiledScenario[] };
const facts = ({ scenarios = [scenario("a")], ...fields }: Given): LinkFacts => ({
  link: { status: "ACTIVE" },
  item,
  type: TYPE,
  chooseScenario: (given) => chooseScenario(scenarios, scenarioVariables(given.item, given.link, given.type)),
  designs: designs({ a: [TYPE], b: [TYPE], small: [1317] }),
  ...fields,
});
const designOf = (fields: Given) => decide(facts(fields), undefined)?.design_id;
const forced = (id: string): LinkFacts["link"] => ({ status: "ACTIVE", forced_design_id: key(id) });

test("rule 2: a forced design is used directly, and no expression is evaluated", (t) => {
  const asked: Variables[] = [];
  const decided = decide(facts({ link: forced("b"), scenarios: [asking(asked)] }), undefined);
  t.deepEqual(asked, []);
  t.deepEqual(decided, { design_id: key("b"), conditions: [] });
});

test("rule 2: a forced design needs no communication pack", (t) => {
  t.is(designOf({ link: forced("b"), chooseScenario: undefined }), key("b"));
});

test("rule 3: the studio link names the matching scenario and its conditions", (t) => {
  const matched = scenario("a");
  const rich = { ...matched.scenario, priority: 3, validityPeriod: { to: "2026-12-31" } };
  t.deepEqual(decide(facts({ scenarios: [{ ...matched, scenario: rich }] }), undefined), {
    design_id: key("a"),
    conditions: ["true"],
    scenarioId: "offer",
    priority: 3,
    validityPeriod: { to: "2026-12-31" },
  });
});

test("rule 4: expressions are evaluated with the item, the link and the label's type", (t) => {
  const asked: Variables[] = [];
  const milk = { ...item, properties: [{ key: "brand", value: "Dukat", stamp: 1 }] };
  const link = { status: "ACTIVE", facings: "2", location: "aisle 4" } as const;
  decide(facts({ item: milk, link, scenarios: [asking(asked)] }), undefined);
  t.is((asked[0]?.item as ReadonlyMap<string, unknown> | undefined)?.get("brand"), "Dukat");
  t.like(asked[0], { link: { facings: 2n, location: "aisle 4" }, device: { type: 1328n } });
});

test("rule 6: designs are found only by their full keys", (t) => {
  const bare = { ...scenario(), scenario: { ...scenario().scenario, design_ids: ["a"] } };
  t.is(designOf({ scenarios: [bare] }), null);
  t.is(designOf({ link: { status: "ACTIVE", forced_design_id: "a" } }), null);
});

const order: [rule: string, fields: Given, design: string | null][] = [
  ["a store-level design wins over the communication pack", { storeDesign: key("b") }, key("b")],
  ["an unsuitable store-level design leaves the label to the pack", { storeDesign: key("small") }, key("a")],
  ["an unknown store-level design leaves the label to the pack", { storeDesign: key("gone") }, key("a")],
  ["a store-level design needs no pack", { storeDesign: key("b"), chooseScenario: undefined }, key("b")],
  ["a forced design wins over a store-level design", { storeDesign: key("a"), link: forced("b") }, key("b")],
  ["a forced design that does not fit still wins", { storeDesign: key("a"), link: forced("small") }, null],
];
for (const [rule, fields, design] of order) {
  test(`label, then store, then pack: ${rule}`, (t) => t.is(designOf(fields), design));
}

test("label, then store, then pack: a store-level design is used without evaluating any expression", (t) => {
  const asked: Variables[] = [];
  t.deepEqual(decide(facts({ storeDesign: key("b"), scenarios: [asking(asked)] }), undefined), {
    design_id: key("b"),
    conditions: [],
  });
  t.deepEqual(asked, []);
});

const compatibility: [rule: string, fields: Given, design: string | null][] = [
  ["the first compatible ID in order wins", { scenarios: [scenario("small", "b", "a")] }, key("b")],
  ["an unknown design fits no label", { scenarios: [scenario("gone", "a")] }, key("a")],
  ["no design fits: none is chosen", { scenarios: [scenario("small", "gone")] }, null],
  ["the search does not continue in another scenario", { scenarios: [scenario("small"), scenario("a")] }, null],
  ["a scenario without designs means no design", { scenarios: [scenario(), scenario("a")] }, null],
  ["no scenario applies: no design", { scenarios: [] }, null],
  ["there is no pack: no design", { chooseScenario: undefined }, null],
  ["an unsuitable forced design is not used, and nothing replaces it", { link: forced("small") }, null],
  ["an unknown forced design is not used", { link: forced("gone") }, null],
];
for (const [rule, fields, design] of compatibility) {
  test(`rule 7: ${rule}`, (t) => t.is(designOf(fields), design));
}

const studioLink = (design_id: string | null): StudioLink => ({ design_id, conditions: ["another reason"] });

test("a link without a matching scenario has no design, no scenario and no field of a scenario", (t) => {
  t.deepEqual(decide(facts({ scenarios: [] }), undefined), { design_id: null, conditions: [] });
  t.deepEqual(decide(facts({ chooseScenario: undefined }), undefined), { design_id: null, conditions: [] });
});

test("a scenario without priority and validity sets neither on the link", (t) => {
  const decided = decide(facts({}), undefined);
  t.deepEqual(decided, { design_id: key("a"), conditions: ["true"], scenarioId: "offer" });
});

test("an internal error during the search is thrown and is not a decision", (t) => {
  const chooseScenario = () => {
    throw new TypeError("no such member");
  };
  t.throws(() => decide(facts({ chooseScenario }), undefined), { instanceOf: TypeError });
});

test("rule 8: a design that differs from the current one is written", (t) => {
  t.is(decide(facts({}), studioLink(key("b")))?.design_id, key("a"));
  t.is(decide(facts({}), studioLink(null))?.design_id, key("a"));
  t.is(decide(facts({ scenarios: [] }), studioLink(key("a")))?.design_id, null);
});

test("rule 9: the current design is not written again, whatever the reason", (t) => {
  t.is(decide(facts({}), studioLink(key("a"))), undefined);
  t.is(decide(facts({ link: forced("a") }), studioLink(key("a"))), undefined);
  t.is(decide(facts({ scenarios: [] }), studioLink(null)), undefined);
});

const untouched: [what: string, fields: Partial<LinkFacts>][] = [
  ["an INACTIVE link", { link: { status: "INACTIVE" } }],
  ["a DELETED link", { link: { status: "DELETED" } }],
  ["an INACTIVE link with a forced design", { link: { ...forced("a"), status: "INACTIVE" } }],
  ["a link without its item", { item: undefined }],
];
for (const [what, fields] of untouched) {
  test(`${what} keeps its design`, (t) => {
    t.is(decide(facts(fields), undefined), undefined);
    t.is(decide(facts(fields), studioLink(key("b"))), undefined);
  });
}

const ids = fc.constantFrom("a", "b", "c", "d");
const anyFacts = fc
  .record({
    listed: fc.array(ids, { maxLength: 4 }),
    types: fc.dictionary(ids, fc.subarray([TYPE, 1317]), { noNullPrototype: true }),
    force: fc.option(ids, { nil: undefined }),
  })
  .map(({ listed, types, force }) => ({
    listed,
    types,
    force,
    facts: facts({
      scenarios: [scenario(...listed)],
      designs: designs(types),
      ...(force && { link: forced(force) }),
    }),
  }));

test("rule 7: the first named design that fits is chosen", (t) => {
  fc.assert(
    fc.property(anyFacts, ({ listed, types, force, facts: given }) => {
      const named = force ? [force] : listed;
      const design = decide(given, undefined)?.design_id;
      const index = design ? named.findIndex((id) => key(id) === design) : named.length;
      const fits = (id: string) => types[id]?.includes(TYPE) ?? false;
      t.deepEqual(
        named.slice(0, index + 1).map(fits),
        named.slice(0, index + 1).map((_, at) => at === index),
      );
    }),
  );
});

test("rule 9: repeating a decision writes nothing", (t) => {
  fc.assert(
    fc.property(anyFacts, ({ facts: given }) => {
      t.is(decide(given, decide(given, undefined)), undefined);
    }),
  );
});
