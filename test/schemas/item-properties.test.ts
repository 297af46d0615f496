import test from "ava";
import { ItemPatch } from "../../schemas/item.ts";
import { compileCheck } from "../../schemas/validate.ts";

const check = compileCheck(ItemPatch);
/** Parsed like a body: only JSON can create an own property named `__proto__`. */
const rowOf = (properties: string): unknown => JSON.parse(`{"itemId": "1", "properties": ${properties}}`);
const pointersOf = (properties: string) => check(rowOf(properties)).map(({ pointer }) => pointer);
const manyOf = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ""])));

for (const key of [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "$set",
  "a.b",
  ".",
  "$",
  "ž",
  " ",
  "a/b",
]) {
  test(`a property may have the name ${JSON.stringify(key)}`, (t) => {
    t.deepEqual(pointersOf(`{${JSON.stringify(key)}: "value"}`), []);
  });

  test(`the value of the property ${JSON.stringify(key)} is checked like any other`, (t) => {
    const pointer = `/properties/${key.replaceAll("/", "~1")}`;
    for (const value of ["5", "null", "true", "[]", '{"a": "b"}']) {
      t.deepEqual(pointersOf(`{${JSON.stringify(key)}: ${value}}`), [pointer], value);
    }
  });
}

test("a property's name has 1 to 128 characters", (t) => {
  t.deepEqual(pointersOf(`{"${"k".repeat(128)}": "value"}`), []);
  t.deepEqual(pointersOf(`{"${"k".repeat(129)}": "value"}`), [`/properties/${"k".repeat(129)}`]);
  t.deepEqual(pointersOf('{"": "value"}'), ["/properties/"]);
});

test("a property's name contains no control characters, but its value may", (t) => {
  t.deepEqual(pointersOf('{"a\\n": "value"}'), ["/properties/a\n"]);
  t.deepEqual(pointersOf('{"a": "two\\nlines"}'), []);
});

test("a property's value has at most 4096 characters", (t) => {
  t.deepEqual(pointersOf(`{"a": "${"v".repeat(4096)}"}`), []);
  t.deepEqual(pointersOf(`{"a": "${"v".repeat(4097)}"}`), ["/properties/a"]);
});

test("an item row has at most 256 properties", (t) => {
  t.deepEqual(pointersOf(manyOf(256)), []);
  t.deepEqual(pointersOf(manyOf(257)), ["/properties"]);
});

test("properties are a map, not a list or a string", (t) => {
  for (const value of ["[]", '"a"', "5"]) t.deepEqual(pointersOf(value), ["/properties"], value);
});
