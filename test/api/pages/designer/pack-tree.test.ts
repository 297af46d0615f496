import test from "ava";
import fc from "fast-check";
import {
  changed,
  inserted,
  moved,
  placed,
  type Rule,
  removed,
  rowsOf,
  type Step,
  type Where,
} from "../../../../api/pages/browser/designer/rules/pack-tree.ts";

const rule = (id: string, children: readonly Rule[] = []): Rule => ({ id, name: id, design_ids: [], children });
const rules = [rule("a", [rule("a1"), rule("a2", [rule("deep")])]), rule("b"), rule("c")];
/** Returns the tree as text: children in brackets. */
const shape = (some: readonly Rule[]): string =>
  some.map(({ id, children }) => (children.length > 0 ? `${id}(${shape(children)})` : id)).join(" ");

test("a rule moves among its siblings, into the one before it and out of its parent", (t) => {
  const table: [id: string, step: Step, after: string][] = [
    ["b", "up", "b a(a1 a2(deep)) c"],
    ["b", "down", "a(a1 a2(deep)) c b"],
    ["b", "in", "a(a1 a2(deep) b) c"],
    ["a2", "out", "a(a1) a2(deep) b c"],
    ["deep", "out", "a(a1 a2 deep) b c"],
    ["a", "up", shape(rules)],
    ["c", "down", shape(rules)],
    ["a", "in", shape(rules)],
    ["b", "out", shape(rules)],
    ["none", "up", shape(rules)],
  ];
  for (const [id, step, after] of table) t.is(shape(moved(rules, id, step)), after, `${id} ${step}`);
});

test("a rule is placed next to or inside another, but never below itself", (t) => {
  const table: [id: string, where: Where, target: string, after: string][] = [
    ["c", "before", "a", "c a(a1 a2(deep)) b"],
    ["c", "inside", "deep", "a(a1 a2(deep(c))) b"],
    ["a1", "after", "c", "a(a2(deep)) b c a1"],
    ["a", "inside", "deep", shape(rules)],
    ["a", "before", "a", shape(rules)],
  ];
  for (const [id, where, target, after] of table)
    t.is(shape(placed(rules, id, where, target)), after, `${id} ${where}`);
});

test("rules are added, changed and removed at any depth", (t) => {
  t.is(shape(inserted(rules, rule("new"), "after", "deep")), "a(a1 a2(deep new)) b c");
  t.is(shape(inserted(rules, rule("new"), "inside", "b")), "a(a1 a2(deep)) b(new) c");
  t.is(shape(inserted([], rule("new"), "after", undefined)), "new");
  t.is(shape(removed(rules, "a2")), "a(a1) b c");
  const renamed = changed(rules, "deep", (one) => ({ ...one, name: "Deep" }));
  t.is(rowsOf(renamed).find(({ rule: { id } }) => id === "deep")?.rule.name, "Deep");
});

test("a row knows its place in the pack", (t) => {
  t.like(rowsOf(rules)[3], {
    level: 3,
    index: 0,
    siblings: 1,
    pointer: "/scenarios/0/children/1/children/0",
    parent: "a2",
  });
});

test("no sequence of moves loses or duplicates a rule", (t) => {
  const ids = rowsOf(rules).map((row) => row.rule.id);
  const step = fc.tuple(fc.constantFrom(...ids), fc.constantFrom<Step>("up", "down", "in", "out"));
  const place = fc.tuple(
    fc.constantFrom(...ids),
    fc.constantFrom<Where>("before", "after", "inside"),
    fc.constantFrom(...ids),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(step, place), { maxLength: 20 }), (moves) => {
      const after = moves.reduce<readonly Rule[]>(
        (some, [id, how, target]) =>
          target === undefined ? moved(some, id, how as Step) : placed(some, id, how as Where, target),
        rules,
      );
      t.deepEqual(
        rowsOf(after)
          .map((row) => row.rule.id)
          .sort(),
        [...ids].sort(),
      );
    }),
  );
});
