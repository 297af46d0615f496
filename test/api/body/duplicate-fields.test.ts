import test from "ava";
import fc from "fast-check";
import { bodyLimits } from "../../../api/body/body-limits.ts";
import { countMembers, findDuplicate } from "../../../api/body/duplicate-fields.ts";
import { createJsonScan } from "../../../api/body/scan-json.ts";

/** Counts the names of all objects in a JSON text. */
function namesIn(text: string): number {
  const bytes = Buffer.from(text);
  const scan = createJsonScan(bytes, bodyLimits.json);
  scan.scanTo(bytes.length);
  return scan.pieces().reduce((sum, { names }) => sum + names, 0);
}
const duplicateOf = (text: string) => findDuplicate(Buffer.from(text));

test("law: in JSON text without duplicates the count of members equals the count in its value", (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      t.is(namesIn(text), countMembers(JSON.parse(text)));
      t.is(duplicateOf(text), undefined);
    }),
  );
});

test("law: a duplicate member counts twice in the text and once in the value", (t) => {
  const name = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }), name, (members, extra) => {
      const all = { ...members, [extra]: 0 };
      const text = `{${JSON.stringify(extra)}: [1, {"a": ":"}], ${JSON.stringify(all).slice(1)}`;
      t.true(namesIn(text) > countMembers(JSON.parse(text)));
    }),
  );
});

for (const [text, pointer] of [
  ['{"price": "1.99", "price": "2.99"}', "/price"],
  ['[{"itemId": "a"}, {"itemId": "b", "properties": {"brand": "x", "brand": "x"}}]', "/1/properties/brand"],
  ['{"pr\\u0069ce": 1, "price": 2}', "/price"],
  ['{"a/b~c": 1, "a/b~c": 2}', "/a~1b~0c"],
  ['{"": 1, "": 2}', "/"],
  ['{"__proto__": 1, "__proto__": 2}', "/__proto__"],
  ['{"a": {"b": 1}, "b": {"b": 1, "c": [{"d": 1, "d": 1}]}}', "/b/c/0/d"],
  ['{"text": "\\"x\\": 1, \\\\", "a" : 1, "a"\n:2}', "/a"],
  ['[["a", "a"], {"a": "a", "a": "b"}]', "/1/a"],
] as const) {
  test(`${text} contains ${pointer} twice`, (t) => {
    t.is(duplicateOf(text), pointer);
    t.not(namesIn(text), countMembers(JSON.parse(text)));
  });
}

for (const text of [
  '{"a": {"a": {"a": 1}}}',
  '[{"a": 1}, {"a": 1}]',
  '{"a": "b", "b": "a"}',
  '{"a": "\\"a\\": 1"}',
  '{"a": 1, "A": 1}',
  '{"é": 1, "e\\u0301": 1}',
]) {
  test(`${text} contains no duplicates`, (t) => {
    t.is(duplicateOf(text), undefined);
    t.is(namesIn(text), countMembers(JSON.parse(text)));
  });
}

test("text that is not JSON is skipped without an error", (t) => {
  for (const text of ['"', '"\\', "]]]]", '{"a": "b', "", ":::"]) t.notThrows(() => namesIn(text));
});
