import test from "ava";
import { compile, ExpressionError } from "../../../domain/expression/expression.ts";

/** Messages that authors read, and the range that an editor marks. */
const messages: [source: string, message: string, position: [line: number, column: number]][] = [
  ['item.brand == "x" && (link.facings > 1', "a ) is missing here", [1, 39]],
  ["false) || (true", '")" is not allowed here', [1, 6]],
  ['item.brand ==\n  "x" &&', "the expression is incomplete", [2, 9]],
  ["item.brand == “x”", '"“" (U+201C) is not allowed here', [1, 15]],
  ["item.brand\u00a0== 'x'", '"\u00a0" (U+00A0) is not allowed here', [1, 11]],
  ['item.brand = "x"', '"=" is not allowed here', [1, 12]],
  ['item.brand == "x', "the string that begins here has no closing quote", [1, 15]],
  ['item.brand == "x\n"', "a string must end on the line on which it begins", [1, 17]],
  ['true && store.name == "x"', '"store" does not exist: an expression can use item, link, device', [1, 9]],
  [
    "item.price > 9.99",
    "string > double is not possible: the two sides have different types; double(...) or int(...) converts a string to a number",
    [1, 1],
  ],
  ["item.price == true", "string == bool is not possible: the two sides have different types", [1, 1]],
  ['true &&\n\n  item.brand.reverse() == "x"', "the function reverse does not exist", [3, 3]],
  ["[1].all(x, true, true)", "the function all does not exist", [1, 1]],
  ["[1].map(x, 1, 2, 3)", "the function map does not exist", [1, 1]],
  ["[1].exists(x)", "the function exists does not exist", [1, 1]],
  ["[1].among(x, true)", "the function among does not exist", [1, 1]],
  ["item.brand.startsWith(1)", "no function accepts this: string.startsWith(int)", [1, 1]],
  ["if == 1", '"if" is a reserved word', [1, 1]],
  ["[1].all(x, [1].all(y, [1].all(z, true)))", "macros can be nested at most 2 levels deep", [1, 1]],
  ['item.brand.matches("(")', "not a regular expression: error parsing regexp: missing closing ): `(`", [1, 20]],
  [
    'item.brand.matches("(a{100}b{100}){20}")',
    "the regular expression is too large: it has too many repetitions or alternatives",
    [1, 20],
  ],
  [`${"(".repeat(60)}true`, "an expression can be nested at most 50 levels deep", [1, 51]],
  [Array.from({ length: 300 }, () => "true").join("&&"), "an expression can have at most 500 parts", [1, 1]],
  ["1 + 2)", '")" is not allowed here', [1, 6]],
  ["1 + * 2", '"*" is not allowed here', [1, 5]],
  ["true true", '"true" is not allowed here', [1, 6]],
  ['{"a": 1', "a } is missing here", [1, 8]],
  ["[1, 2", "a ] is missing here", [1, 6]],
  ['{"a" 1}', "a : is missing here", [1, 6]],
  ["item. && true", "a name is missing here", [1, 7]],
  ['"""abc', "the string that begins here has no closing quote", [1, 1]],
  [
    "10.5 < item.price",
    "double < string is not possible: the two sides have different types; double(...) or int(...) converts a string to a number",
    [1, 1],
  ],
  [
    "item.price >= 10.5",
    "string >= double is not possible: the two sides have different types; double(...) or int(...) converts a string to a number",
    [1, 1],
  ],
  [`[${Array(101).fill("1").join(",")}]`, "a list can have at most 100 elements", [1, 202]],
  [
    `{${Array.from({ length: 101 }, (_, at) => `${100 + at}: 1`).join(",")}}`,
    "a map can have at most 100 entries",
    [1, 702],
  ],
  [" ".repeat(5000), "an expression can have at most 4096 characters", [1, 4097]],
];
for (const [source, message, position] of messages) {
  const title = source.trim().slice(0, 40).replace(/\s+/g, " ");
  test(`an author sees the fault and its position: ${title} (${message.slice(0, 30)})`, (t) => {
    const error = t.throws(() => compile(source), { instanceOf: ExpressionError });
    t.deepEqual({ message: error.message, position: [error.line, error.column] }, { message, position });
  });
}

test("offsets, line and column refer to one position in every line", (t) => {
  const source = 'item.brand == "x" &&\r\n  link.facings > 1 &&\n\tnobody == 2';
  const { start, end, line, column } = t.throws(() => compile(source), { instanceOf: ExpressionError });
  t.is(source.slice(start, end), "nobody");
  t.deepEqual([line, column], [3, 2]);
});

const variables = { item: { text: "x", open: "(" }, link: { number: 5n, list: [1n] }, device: {} };
const failures: [source: string, error: string][] = [
  ["int(item.text) > 1", 'int(item.text): "x" is not a whole number'],
  ["[item.text].exists(one, int(one) > 1)", 'int(one): "x" is not a whole number'],
  [
    "item.text.matches(item.open)",
    "item.text.matches(item.open): not a regular expression: error parsing regexp: missing closing ): `(`",
  ],
  [
    "link.number.matches(item.text)",
    "link.number.matches(item.text): found no matching overload for 'int.matches(string)'",
  ],
  [
    "item.text.matches(link.number)",
    "item.text.matches(link.number): found no matching overload for 'string.matches(int)'",
  ],
  ['link.number.join(",") == ""', "link.number.join(\",\"): found no matching overload for 'int.join(string)'"],
  ['duration(link.number) == duration("1s")', "duration(link.number): found no matching overload for 'duration(int)'"],
  [
    'timestamp("2026-01-01T00:00:00Z").getHours(link.number) == 1',
    "timestamp(\"2026-01-01T00:00:00Z\").getHours(link.number): found no matching overload for 'google.protobuf.Timestamp.getHours(int)'",
  ],
  ["link.list[3] == 1", "link.list[3]: No such key: index out of bounds, index 3 >= size 1"],
  ["link.number + item.text == item.text", "link.number + item.text: no such overload: dyn<int> + string"],
];
for (const [source, error] of failures)
  test(`an author sees which operation failed and why: ${source}`, (t) =>
    t.deepEqual(compile(source).explain(variables), { value: false, missing: [], error }));

test("a path is missing if its whole map is missing", (t) => {
  const { explain, evaluate } = compile('item.text == "x"');
  t.deepEqual(explain({}), { value: false, missing: ["item.text"] });
  t.false(evaluate({}));
});

test("a missing computed path is named as the expression spells it", (t) => {
  t.deepEqual(compile('link["num" + "bers"] == 1').explain(variables), {
    value: false,
    missing: ['link["num" + "bers"]'],
  });
});

test("durations are written without unneeded digits", (t) => {
  for (const text of ["0s", "1.5s", "10s", "-0.01s", "100.000000001s"])
    t.true(compile(`string(duration("${text}")) == "${text}"`).evaluate(variables), text);
});
