import test from "ava";
import { compile, type Explanation, type Variables } from "../../../domain/expression/expression.ts";
import { unchecked } from "../../harness/part-of.ts";
import { variables } from "./a-dairy-item.ts";

const explained: [source: string, explanation: Explanation][] = [
  ['item.brand == "Dukat"', { value: true, missing: [] }],
  ['item.brand == "x"', { value: false, missing: [] }],
  ['item.sale == "x" || item["a b"] == link.shelf', missing("item.sale", 'item["a b"]', "link.shelf")],
  ['item[link.location] == "x"', missing("item[link.location]")],
  ['has(item.sale) || item["sa" + "le"] == "x"', missing('item["sa" + "le"]')],
  ["double(item.words) > 1.0", fault('double(item.words): "ask us" is not a number')],
  ["int(item.price) > 1", fault('int(item.price): "12.50" is not a whole number')],
  ['duration(item.words) > duration("1s")', fault('duration(item.words): "ask us" is not a duration such as "1h30m"')],
  ["uint(item.price) > 1u", fault('uint(item.price): "12.50" is not a whole number')],
  [
    'int(uint("18446744073709551615")) > 0',
    fault('int(uint("18446744073709551615")): 18446744073709551615 has more than 64 bits'),
  ],
  [
    'duration("1h or so") > duration("1s")',
    fault('duration("1h or so"): "1h or so" is not a duration such as "1h30m"'),
  ],
  ["1 / 0 == 1", fault("1 / 0: division by zero")],
  ["bool(item.words)", fault('bool(item.words): bool() conversion error: invalid string value "ask us"')],
  ["[1][2] == 1", fault("[1][2]: No such key: index out of bounds, index 2 >= size 1")],
  ["item.brand", fault("the expression must return true or false")],
];
function missing(...paths: string[]): Explanation {
  return { value: false, missing: paths };
}
function fault(error: string): Explanation {
  return { value: false, missing: [], error };
}
for (const [source, explanation] of explained) {
  test(`an author sees why: ${source}`, (t) => t.deepEqual(compile(source).explain(variables), explanation));
}

test("an explanation names a variable of the wrong type, and no earlier call", (t) => {
  const wrong = { ...variables, item: unchecked<Variables[string]>(5) };
  t.deepEqual(
    compile('double("1.0") > 0.5 && item["brand" + ""] == "x"').explain(wrong),
    fault("item: Variable 'item' is not of type 'map<string, string>', got 'double'"),
  );
});

test("an explanation truncates a long string", (t) => {
  const item = { words: "x".repeat(4096) };
  const { error = "" } = compile("double(item.words) > 1.0").explain({ ...variables, item });
  t.regex(error, /^double\(item\.words\): "x{40}\.\.\." is not a number$/);
});
