import test from "ava";
import { compile, ExpressionError } from "../../../../workers/evaluator/expression/expression.ts";

/** Messages that authors read, and the range that an editor marks. */
const messages: [source: string, message: string, position: [line: number, column: number]][] = [
  ['item.brand == "x" && (link.facings > 1', "a ) is missing here", [1, 39]],
  ["false) || (true", '")" does not belong here', [1, 6]],
  ['item.brand ==\n  "x" &&', "the expression ends too early", [2, 9]],
  ["item.brand == “x”", '"“" (U+201C) does not belong here', [1, 15]],
  ["item.brand\u00a0== 'x'", '"\u00a0" (U+00A0) does not belong here', [1, 11]],
  ['item.brand = "x"', '"=" does not belong here', [1, 12]],
  ['item.brand == "x', "the text that begins here has no closing quote", [1, 15]],
  ['item.brand == "x\n"', "a text must end on the line on which it begins", [1, 17]],
  ['true && store.name == "x"', 'there is no "store": an expression looks into item, link, device', [1, 9]],
  [
    "item.price > 9.99",
    "string > double cannot be: the sides are of different kinds; double(...) or int(...) makes a number of a text",
    [1, 1],
  ],
  ["item.price == true", "string == bool cannot be: the sides are of different kinds", [1, 1]],
  ['true &&\n\n  item.brand.reverse() == "x"', "there is no function reverse", [3, 3]],
  ["item.brand.startsWith(1)", "no function takes this: string.startsWith(int)", [1, 1]],
  ["if == 1", '"if" is a reserved word', [1, 1]],
  ["[1].all(x, [1].all(y, [1].all(z, true)))", "macros are nested at most 2 deep", [1, 1]],
  ['item.brand.matches("(")', "not a regular expression: error parsing regexp: missing closing ): `(`", [1, 20]],
  [
    'item.brand.matches("(a{100}b{100}){20}")',
    "the regular expression is too large: it repeats too much, or has too many alternatives",
    [1, 20],
  ],
  [`${"(".repeat(60)}true`, "an expression is at most 50 levels deep", [1, 51]],
  [Array.from({ length: 300 }, () => "true").join("&&"), "an expression has at most 500 parts", [1, 1]],
  [" ".repeat(5000), "an expression has at most 4096 characters", [1, 4097]],
];
for (const [source, message, position] of messages) {
  const title = source.trim().slice(0, 40).replace(/\s+/g, " ");
  test(`an author reads what is wrong and where: ${title} (${message.slice(0, 30)})`, (t) => {
    const error = t.throws(() => compile(source), { instanceOf: ExpressionError });
    t.deepEqual({ message: error.message, position: [error.line, error.column] }, { message, position });
  });
}

test("offsets, line and column name one position, in every line", (t) => {
  const source = 'item.brand == "x" &&\r\n  link.facings > 1 &&\n\tnobody == 2';
  const { start, end, line, column } = t.throws(() => compile(source), { instanceOf: ExpressionError });
  t.is(source.slice(start, end), "nobody");
  t.deepEqual([line, column], [3, 2]);
});
