import test from "ava";
import fc from "fast-check";
import { type CompiledScenario, chooseScenario } from "../../../domain/packs/choose-scenario.ts";

const nothing = { item: {}, link: {}, device: {} };

/** A scenario whose ID, expression and design are its name. */
const scenario = (name: string, holds: boolean, children: CompiledScenario[] = []): CompiledScenario => ({
  scenario: { id: name, name, cel_expression: name, design_ids: [name] },
  expression: { evaluate: () => holds },
  children,
});
const chosen = (scenarios: CompiledScenario[]) => chooseScenario(scenarios, nothing)?.scenario.id;

const cases: [rule: string, scenarios: CompiledScenario[], chosen: string | undefined][] = [
  ["children are tried before their parent", [scenario("parent", true, [scenario("child", true)])], "child"],
  ["the parent applies if no child does", [scenario("parent", true, [scenario("child", false)])], "parent"],
  ["a child counts only if its ancestors apply", [scenario("parent", false, [scenario("child", true)])], undefined],
  [
    "every ancestor must apply, not only the nearest",
    [scenario("root", false, [scenario("parent", true, [scenario("child", true)])])],
    undefined,
  ],
  ["the first match wins", [scenario("a", false), scenario("b", true), scenario("c", true)], "b"],
  [
    "the walk is depth first: an earlier sibling's child comes before a later sibling",
    [scenario("a", true, [scenario("a1", false), scenario("a2", true)]), scenario("b", true)],
    "a2",
  ],
  ["a later sibling is tried if an earlier one does not apply", [scenario("a", false), scenario("b", true)], "b"],
  ["no scenario applies if no expression is true", [scenario("a", false), scenario("b", false)], undefined],
  ["no scenario applies if there are none", [], undefined],
];
for (const [rule, scenarios, expected] of cases) {
  test(`rule 3: ${rule}`, (t) => t.is(chosen(scenarios), expected));
}

test("a scenario that does not compile never applies, and neither do its children", (t) => {
  const broken = { ...scenario("broken", true, [scenario("child", true)]), expression: undefined };
  t.is(chosen([broken, scenario("next", true)]), "next");
});

test("the conditions are the expressions from the root to the match, and a blank expression counts as true", (t) => {
  const child = scenario("item.price != ''", true);
  const blank = {
    ...scenario("blank", true, [child]),
    scenario: { id: "b", name: "b", cel_expression: " ", design_ids: [] },
  };
  const absent = { ...scenario("absent", true, [blank]), scenario: { id: "a", name: "a", design_ids: [] } };
  t.deepEqual(chooseScenario([absent], nothing)?.conditions, ["true", "true", "item.price != ''"]);
});

test("each expression is evaluated with the link's variables", (t) => {
  const variables = { item: { brand: "x" }, link: {}, device: {} };
  const asked: unknown[] = [];
  const node = (holds: boolean, children: CompiledScenario[]): CompiledScenario => ({
    ...scenario("node", holds, children),
    expression: { evaluate: (given) => asked.push(given) > 0 && holds },
  });
  chooseScenario([node(true, [node(false, [])])], variables);
  t.deepEqual(asked, [variables, variables]);
});

interface Node {
  holds: boolean;
  children: Node[];
}
const forest = (depth: number): fc.Arbitrary<Node[]> =>
  fc.array(fc.record({ holds: fc.boolean(), children: depth > 0 ? forest(depth - 1) : fc.constant([]) }), {
    maxLength: 3,
  });
const trees = forest(3);

/** The tree as scenarios, each named by its position, such as `0.2.1`. */
const scenariosOf = (nodes: readonly Node[], path: readonly number[] = []): CompiledScenario[] =>
  nodes.map(({ holds, children }, index) => {
    const own = [...path, index];
    return scenario(own.join("."), holds, scenariosOf(children, own));
  });

/**
 * Rule 3 verbatim: every node, children before their parent, with the conjunction of its ancestors' conditions and its
 * own.
 */
const accumulated = (
  nodes: readonly Node[],
  path: readonly number[] = [],
  above = true,
): { name: string; holds: boolean }[] =>
  nodes.flatMap(({ holds, children }, index) => {
    const own = [...path, index];
    const all = above && holds;
    return [...accumulated(children, own, all), { name: own.join("."), holds: all }];
  });

test("rule 3: in any tree the match is the first node, children first, whose combined expression is true", (t) => {
  fc.assert(
    fc.property(trees, (nodes) => {
      t.is(chosen(scenariosOf(nodes)), accumulated(nodes).find(({ holds }) => holds)?.name);
    }),
    { numRuns: 500 },
  );
});

test("in any tree the conditions lead from a root to the match", (t) => {
  fc.assert(
    fc.property(trees, (nodes) => {
      const match = chooseScenario(scenariosOf(nodes), nothing);
      const steps = match?.scenario.id.split(".") ?? [];
      t.deepEqual(
        match?.conditions ?? [],
        steps.map((_, depth) => steps.slice(0, depth + 1).join(".")),
      );
    }),
  );
});
