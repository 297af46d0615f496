import { parse } from "@marcbachmann/cel-js";
import test from "ava";
import { compile } from "../../../workers/evaluator/expression.ts";
import { referencedPaths } from "../../../workers/evaluator/referenced-paths.ts";

/** Paths as text: required ones, then optional ones in brackets, then `...` where others may be looked at. */
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
    ["item.a ? item.b : item.c", "item/a item/b item/c"],
    ["has(item.a.b)", "item/a"],
  ],
  "a path that has() or in asks for is optional": [
    ["has(item.a)", "(item/a)"],
    ["!has(item.a)", "(item/a)"],
    ['"a" in item', "(item/a)"],
    ['!("a.b" in link)', "(link/a.b)"],
  ],
  "a path that such a question guards is optional": [
    ['has(item.a) && item.a == "1"', "(item/a)"],
    ['"a" in item && item["a"] == "1"', "(item/a)"],
    ['!has(item.a) || item.a == "1"', "(item/a)"],
    ['has(item.a) ? item.a == "1" : true', "(item/a)"],
    ['true && has(item.a) && item.a == "1"', "(item/a)"],
    ['has(item.a) && [1].all(x, item.a == "1")', "(item/a)"],
  ],
  "a path that is needed anywhere is required": [
    ['item.a == "1" && (item.b == "2" || has(item.c))', "item/a item/b (item/c)"],
    ['item.a == "1" || has(item.a)', "item/a"],
    ['(has(item.a) && item.a == "1") == (item.a == "1")', "item/a"],
  ],
  "keys that only an evaluation knows make it dynamic": [
    ["item[link.a] == item.b", "link/a item/b ..."],
    ["item.exists(key, item[key] == link.a)", "link/a ..."],
    ["size(item) > 2", "..."],
    ["item == link", "..."],
    ["item.a in item", "item/a ..."],
  ],
  "what is not looked up in a map is no path": [
    ["true", ""],
    ['"item.a" == "item"', ""],
    ['[{"a": 1}].all(x, x.a == 1)', ""],
    ['other.a == "1"', ""],
  ],
};
for (const [rule, cases] of Object.entries(sections)) {
  for (const [source, paths] of cases) {
    test(`${rule}: ${source}`, (t) => t.is(pathsOf(source), paths));
  }
}

test("rule 5: a question guards the path that it asks for, and no other", (t) => {
  const variables = { item: new Map([["brand", "y"]]), link: {}, device: {} };
  t.false(compile('has(item.brand) && item.brand == "x" || item.b == "2"').evaluate(variables));
  t.false(compile('has(item.brand) ? item.other == "1" : true').evaluate(variables));
  t.true(compile('!has(item.other) || item.other == "1"').evaluate(variables));
});
