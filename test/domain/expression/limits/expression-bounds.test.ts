import test from "ava";
import { compile, createCompiler, ExpressionError } from "../../../../domain/expression/expression.ts";

const chain = (count: number, part: string, joint: string) => Array.from({ length: count }, () => part).join(joint);
const nested = (depth: number) => `${"(".repeat(depth)}true${")".repeat(depth)}`;

const nothing = { item: {}, link: {}, device: {} };

const refused: [rule: string, source: string, start: number][] = [
  ["text that closes an unopened bracket", "false) || (true", 5],
  ["text after the end", 'item.brand == "x" @', 18],
  ["an unknown root", 'true && store.name == "x"', 8],
  ["a name without a map", "brand", 0],
  ["an empty expression", "", 0],
  ["a comparison of types that never match", "item.price > 9", 0],
  ["an unknown function", 'item.price.reverse() == "x"', 0],
  ["a list of more than 100 elements", `[${chain(101, "1", ",")}].size() > 0`, 201],
  ["an invalid pattern", 'item.brand.matches("a(b")', 19],
  ["a pattern with a large program", 'item.brand.matches("(a{100}b{100}){20}")', 19],
  ["an integer of more than 64 bits", "link.facings < 9223372036854775808", 15],
  ["the largest integer plus one", "9223372036854775809 > link.facings", 0],
  ["an integer below 64 bits", "-9223372036854775809 < link.facings", 1],
  ["the smallest integer after two signs", "-(1 + 9223372036854775808) < 0", 6],
  ["bytes written as the first character beyond ASCII", 'b"\u0080" == b"c"', 0],
  ["bytes written as the last character of 16 bits", 'b"\uffff" == b"c"', 0],
  ["bytes written as a character beyond 16 bits", 'b"😀" == b"c"', 0],
  ["bytes written as characters beyond ASCII", 'b"č" == b"c"', 0],
  ["bind called on a string instead of cel", '"cel".bind(x, 1, x == 1)', 0],
  ["a library function outside CEL", 'bytes("{}").json().a == 1', 0],
];
for (const [rule, source, start] of refused) {
  test(`${rule} is refused with its position`, (t) => {
    const error = t.throws(() => compile(source), { instanceOf: ExpressionError });
    t.is(error.start, start);
    t.true(error.end >= error.start);
    t.not(error.message, "");
  });
}

/** The largest input that passes each limit, and the smallest input that fails it. */
const bounds: [rule: string, passes: string, refused: string][] = [
  ["a source has at most 4096 characters", "true".padEnd(4096), "true".padEnd(4097)],
  ["an expression has at most 500 nodes", chain(250, "true", " && "), chain(251, "true", " && ")],
  ["an expression is at most 50 deep", nested(49), nested(50)],
  [
    "a list can have at most 100 elements",
    `[${chain(100, "1", ",")}].size() == 100`,
    `[${chain(101, "1", ",")}].size() == 101`,
  ],
  [
    "macros can be nested at most 2 levels deep",
    "[1].all(x, [x].exists(y, y == 1))",
    "[1].all(x, [x].exists(y, [y].filter(z, true).size() == 1))",
  ],
  [
    "bindings count as macros",
    "cel.bind(a, 1, cel.bind(b, a, b == 1))",
    "cel.bind(a, 1, cel.bind(b, a, cel.bind(c, b, c == 1)))",
  ],
];
for (const [rule, passing, failing] of bounds) {
  test(rule, (t) => {
    t.true(compile(passing).evaluate(nothing));
    t.throws(() => compile(failing), { instanceOf: ExpressionError });
  });
}

test("macros side by side are not nested", (t) => {
  t.true(compile(chain(3, "[1].all(x, [x].all(y, y == 1))", " && ")).evaluate(nothing));
});

test("macros in sequence are not nested", (t) => {
  t.true(compile("[1, 2, 3].map(x, x + 1).filter(x, x > 2).map(x, x * 2).exists(x, x == 8)").evaluate(nothing));
});

test("the smallest integer is a minus sign and a number that by itself is too large", (t) => {
  t.true(compile("-9223372036854775808 < 0 && 9223372036854775807 > 0").evaluate(nothing));
});

test("bytes may be written as any ASCII letter and as numbers", (t) => {
  t.true(compile('b"\x7f" != b"a" && b"~" == b"~"').evaluate(nothing));
  t.true(compile('b"\\303\\277" == b"\\303\\277"').evaluate(nothing));
});

const text = (value: string) => ({ item: { text: value }, link: { text: value }, device: {} });

test("matches takes linear time: even a pattern that backtracking would never finish returns its result", (t) => {
  for (const source of [
    'item.text.matches("^(a+)+$")',
    'link.text.matches("^(a+)+$")',
    'item.text.matches("(a*)*b")',
  ]) {
    t.false(compile(source).evaluate(text(`${"a".repeat(40)}!`)));
  }
  t.true(compile('item.text.matches("^(a+)+$")').evaluate(text("a".repeat(40))));
});

test("a pattern matches anywhere in the text and may come from a property", (t) => {
  t.true(compile('item.text.matches("b.")').evaluate(text("abcd")));
  t.false(compile('item.text.matches("^b.")').evaluate(text("abcd")));
  t.true(compile("item.text.matches(link.text)").evaluate(text("abcd")));
  t.true(compile('cel.bind(pattern, "^ab", item.text.matches(pattern))').evaluate(text("abcd")));
});

test("matches is limited wherever it is used", (t) => {
  const hard = text(`${"a".repeat(40)}!`);
  t.false(compile('["x"].exists(x, item.text.matches("^(a+)+$"))').evaluate(hard));
  t.false(compile('true && (false || item["text"].matches("^(a+)+$"))').evaluate(hard));
  t.false(compile('[{"a": item.text.matches("^(a+)+$")}][0].a').evaluate(hard));
});

test("a duration can have at most 128 characters: a longer string is an error, which counts as false", (t) => {
  const isLong = compile('duration(item.text) > duration("1s")');
  t.true(isLong.evaluate(text(`${"0".repeat(126)}2s`)));
  t.false(isLong.evaluate(text(`${"0".repeat(127)}2s`)));
  t.false(isLong.evaluate(text("1h".repeat(5000))));
  t.false(compile(`duration("${"1".repeat(1000)}s") > duration("1s")`).evaluate(text("")));
});

test("a compiler knows only the maps that it was created with", (t) => {
  const compileStore = createCompiler(["store"]);
  t.true(compileStore('store.name == "main"').evaluate({ store: { name: "main" } }));
  t.throws(() => compileStore('item.brand == "x"'), { instanceOf: ExpressionError });
});
