import { parse } from "@marcbachmann/cel-js";
import test from "ava";
import fc from "fast-check";
import { compile } from "../../../domain/expression/expression.ts";
import { referencedPaths, writtenPath } from "../../../domain/expression/referenced-paths.ts";

/** Paths as text: required paths, then optional paths in brackets, then `...` if keys are computed. */
function pathsOf(source: string): string {
  const { required, optional, dynamic } = referencedPaths(parse(source).ast, ["item", "link"]);
  const written = [
    ...required.map((path) => path.join("/")),
    ...optional.map((path) => `(${path.join("/")})`),
    ...(dynamic ? ["..."] : []),
  ];
  return written.join(" ");
}

const sections: Record<string, [source: string, paths: string][]> = {
  "a path that is read is required": [
    ['item.a == "1"', "item/a"],
    ['item["a"] == "1"', "item/a"],
    ['item["a.b"] == item.a', "item/a.b item/a"],
    ['item.a == "1" && item.a != "2"', "item/a"],
    ["link.a == item.a", "link/a item/a"],
    ["!(item.a == item.b) || link.c > 1", "item/a item/b link/c"],
    ["[item.a, item.b].size() > 1", "item/a item/b"],
    ['{"x": item.a}.x == item.b', "item/a item/b"],
    ["item.a.matches(item.b) && double(item.c) > 1.0", "item/a item/b item/c"],
    ["[1].all(x, item.a == item.b)", "item/a item/b"],
    ['link.a.all(x, x == "1")', "link/a"],
    ["cel.bind(x, item.a, x == item.b)", "item/a item/b"],
    ['item.a == "1" ? true : true || item.b == "2"', "item/a item/b"],
    ["item.a ? item.b : item.c", "item/a item/b item/c"],
    ["has(item.a.b)", "item/a"],
  ],
  "a path that is only tested by has() or in is optional": [
    ["has(item.a)", "(item/a)"],
    ["!has(item.a)", "(item/a)"],
    ['"a" in item', "(item/a)"],
    ['!("a.b" in link)', "(link/a.b)"],
  ],
  "a path guarded by such a test is optional": [
    ['has(item.a) && item.a == "1"', "(item/a)"],
    ['"a" in item && item["a"] == "1"', "(item/a)"],
    ['!has(item.a) || item.a == "1"', "(item/a)"],
    ['has(item.a) ? item.a == "1" : true', "(item/a)"],
    ['true && has(item.a) && item.a == "1"', "(item/a)"],
    ['has(item.a) && [1].all(x, item.a == "1")', "(item/a)"],
    ['!(!has(item.a) || item.a == "1")', "(item/a)"],
    ["has(item.a) && has(item.b) && item.a == item.b", "(item/a) (item/b)"],
    ["!has(item.a) || !has(item.b) || item.a == item.b", "(item/a) (item/b)"],
    ["has(item.a) && (has(item.b) && item.a == item.b)", "(item/a) (item/b)"],
    ['!has(item.a) ? true : item.a == "1"', "(item/a)"],
    ['has(item.a) && (true ? item.a == "1" : item.a == "2")', "(item/a)"],
    ['(has(item.a) || has(item.a) && has(item.b)) && item.a == "1"', "(item/a) (item/b)"],
    ['(!has(item.a) && !has(item.a)) || item.a == "1"', "(item/a)"],
    ["!(!has(item.a) || !has(item.b)) && item.a == item.b", "(item/a) (item/b)"],
    ['(has(item.a) && has(item.b)) && item.b == "1"', "(item/a) (item/b)"],
    ['has(item.a) ? (has(item.b) ? item.a == item.b : item.a == "1") : true', "(item/a) (item/b)"],
  ],
  "a test that is false or is used in another operation guards nothing": [
    ['has(item.a) || item.a == "1"', "item/a"],
    ['!has(item.a) && item.a == "1"', "item/a"],
    ['has(item.a) ? true : item.a == "1"', "item/a"],
    ['(has(item.a) || has(item.b)) && item.a == "1"', "item/a (item/b)"],
    ['!(!has(item.a) && !has(item.b)) && item.a == "1"', "item/a (item/b)"],
    ['(!has(item.a) && !has(item.b)) || item.a == "1"', "item/a (item/b)"],
    ['(has(item.a) || item.b == "1") && item.a == "1"', "item/b item/a"],
    ['(!has(item.a) && link.b == "1") || item.a == "1"', "link/b item/a"],
    ['has(item.a) == false || item.a == "1"', "item/a"],
    ['[has(item.a)].all(x, x) && item.a == "1"', "item/a"],
    ['(has(item.a) ? true : false) && item.a == "1"', "item/a"],
  ],
  "a macro's variable is not a map inside it": [
    ['[{"a": 1}].all(item, item.a == 1)', ""],
    ['[{"a": 1}].all(item, item.a == 1) && item.b == "1"', "item/b"],
    ["[item.a].exists(item, item == link.b)", "item/a link/b"],
    ['cel.bind(item, {"a": item.b}, item.a == "1")', "item/b"],
    ["[1].map(item, item > 0, link.a + item).size() > 0", "link/a"],
    ['has(item.a) && [{"a": 1}].all(item, item.a == 1)', "(item/a)"],
  ],
  "a path that is required anywhere is required": [
    ['item.a == "1" && (item.b == "2" || has(item.c))', "item/a item/b (item/c)"],
    ['item.a == "1" || has(item.a)', "item/a"],
    ['(has(item.a) && item.a == "1") == (item.a == "1")', "item/a"],
  ],
  "a path is a map's own key with a literal name": [
    ['"a" in item.b', "item/b"],
    ['has(link.b) && item.b == "1"', "item/b (link/b)"],
    ['item["a"] == "1" && item[link.b] == "2"', "item/a link/b ..."],
    ["link.b in item", "link/b ..."],
    ['item.a["b"] == "1"', "item/a"],
  ],
  "keys computed during evaluation make an expression dynamic": [
    ["item[link.a] == item.b", "link/a item/b ..."],
    ["item.exists(key, item[key] == link.a)", "link/a ..."],
    ["size(item) > 2", "..."],
    ["item == link", "..."],
    ["item.a in item", "item/a ..."],
    ["item[1] == item.a", "item/a ..."],
  ],
  "a key that is not looked up in one of the given maps is not a path": [
    ["true", ""],
    ['"item.a" == "item"', ""],
    ['[{"a": 1}].all(x, x.a == 1)', ""],
    ['other.a == "1"', ""],
    ['"a" in "item"', ""],
  ],
};
for (const [rule, cases] of Object.entries(sections)) {
  for (const [source, paths] of cases) {
    test(`${rule}: ${source}`, (t) => t.is(pathsOf(source), paths));
  }
}

for (const [key, written] of [
  ["brand", "item.brand"],
  ["_b2", "item._b2"],
  ["2b", 'item["2b"]'],
  ["unit.price", 'item["unit.price"]'],
  ["a ", 'item["a "]'],
  [" a", 'item[" a"]'],
  ['"', 'item["\\""]'],
] as const)
  test(`a path is shown in the author's notation: ${written}`, (t) => t.is(writtenPath(["item", key]), written));

test("paths of different maps stay distinct, whatever the maps and keys are called", (t) => {
  const { required } = referencedPaths(parse("a.bc == ab.c").ast, ["a", "ab"]);
  t.deepEqual(required, [
    ["a", "bc"],
    ["ab", "c"],
  ]);
});

test("rule 5: has() guards only the path that it tests", (t) => {
  const variables = { item: new Map([["brand", "y"]]), link: {}, device: {} };
  t.false(compile('has(item.brand) && item.brand == "x" || item.b == "2"').evaluate(variables));
  t.false(compile('has(item.brand) ? item.other == "1" : true').evaluate(variables));
  t.true(compile('!has(item.other) || item.other == "1"').evaluate(variables));
});

/** Conditions of `has`, `in` and comparisons, in combinations that authors write. */
const { condition } = fc.letrec<{ condition: string }>((tie) => {
  const key = fc.constantFrom("a", "b", "c");
  const inner = tie("condition");
  return {
    condition: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      key.map((name) => `has(item.${name})`),
      key.map((name) => `"${name}" in item`),
      key.map((name) => `item.${name} == "1"`),
      key.map((name) => `item["${name}"] != "1"`),
      inner.map((one) => `!(${one})`),
      fc.tuple(inner, fc.constantFrom("&&", "||"), inner).map(([one, joint, other]) => `(${one} ${joint} ${other})`),
      fc.tuple(inner, inner, inner).map(([one, yes, no]) => `(${one} ? ${yes} : ${no})`),
    ),
  };
});
const items = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"));

test("if all required paths exist, no evaluation reaches a missing path", (t) => {
  fc.assert(
    fc.property(condition, items, (source, properties) => {
      const expression = compile(source);
      const item = new Map(Object.entries(properties));
      const isThere = expression.required.every(([, key]) => item.has(key));
      if (isThere) t.is(typeof expression.value({ item, link: {}, device: {} }), "boolean", source);
      else t.false(expression.evaluate({ item, link: {}, device: {} }), source);
    }),
    { numRuns: 2000 },
  );
});

test("each path in an expression is either required or optional, and listed once", (t) => {
  fc.assert(
    fc.property(condition, (source) => {
      const { required, optional, dynamic } = compile(source);
      const named = [
        ...new Set([...source.matchAll(/(?:item\.|\[")([abc])|"([abc])" in/g)].map((one) => one[1] ?? one[2])),
      ];
      t.deepEqual([...required, ...optional].map(([, key]) => key).sort(), named.sort());
      t.false(dynamic);
    }),
  );
});

test("the values of paths that are read are returned, and paths that are only tested are not", (t) => {
  const readOf = (source: string) => referencedPaths(parse(source).ast, ["item", "link"]).read.map(([, key]) => key);
  t.deepEqual(readOf('has(item.a) && item.b == "1" || "c" in item'), ["b"]);
  t.deepEqual(readOf("has(item.a) && item.a == item.b"), ["a", "b"]);
});
