import test from "ava";
import { compile, type Expression, ExpressionError } from "../../../../domain/expression/expression.ts";

const long = "a".repeat(4096);
/** An item at its limits, with property names that have a meaning in JavaScript. */
const variables = {
  item: new Map([
    ...Array.from({ length: 250 }, (_, at): [string, string] => [`key${at}`, long]),
    ["brand", "Dukat"],
    ["hard", `${"a".repeat(40)}!`],
    ["pattern", "^(a+)+$"],
    ["large", "(?:a{60}){60}"],
    ["letters", "(?i)".concat("\\PL".repeat(40))],
    ["duration", "1h".repeat(5000)],
  ]),
  link: { location: "aisle 4", facings: 3n },
  device: { type: 1328n },
};

const refused: [attack: string, source: string, start: number][] = [
  ["text that would close its parent's bracket", "false) || (true", 5],
  ["a source of a megabyte", `item.brand == "${"x".repeat(2 ** 20)}"`, 4096],
  ["a megabyte of spaces", " ".repeat(2 ** 20), 4096],
  ["deep brackets", `${"(".repeat(2000)}true${")".repeat(2000)}`, 50],
  ["deep lists", `${"[".repeat(2000)}1${"]".repeat(2000)} == [1]`, 50],
  ["deep indexes", `item${"[item".repeat(300)}${"]".repeat(300)} == "x"`, 125],
  ["a long chain of members", `item${".a".repeat(2000)} == "x"`, 102],
  ["many conditions", Array.from({ length: 600 }, () => "true").join("&&"), 0],
  ["many minuses", `${"-".repeat(2000)}1 < 0`, 1500],
  ["nested macros", "item.all(a, item.all(b, item.all(c, item.all(d, true))))", 0],
  ["a number of a thousand digits", `link.facings < ${"9".repeat(1000)}`, 15],
  ["a list of a thousand elements", `1 in [${"1,".repeat(1000)}1]`, 206],
  ["an unterminated string", 'item.brand == "x', 14],
  ["an unterminated triple-quoted string", 'item.brand == """x""', 14],
  ["a string that ends in a backslash", '"\\', 0],
  ["a lookalike letter", 'іtem.brand == "x"', 0],
  ["an invisible character", 'item.brand\u200b == "x"', 10],
  ["right-to-left letters", 'item.brand == "x"\u202e', 17],
  ["full-width signs", 'item.brand ＝＝ "x"', 11],
  ["a zero byte", "true\0", 4],
  ["only a comment", "// nothing", 10],
  ["a comment in another language's syntax", "true /* || false */", 6],
  ["another statement", "true; false", 4],
  ["a JavaScript template", "`${item}`", 0],
  ["an assignment", 'item.brand = "x"', 11],
  ["a JavaScript function", 'item.brand.constructor("return 1")() == 1', 34],
  ["a library function outside CEL", 'bytes("[[[[]]]]").json() == [1]', 0],
  ["a member that every object has", "constructor == constructor", 0],
  ["a member that leads to the prototype", "__proto__ == 1", 0],
  ["a JavaScript global", "globalThis.process == 1", 0],
  ["a pattern whose program has a million steps", `"a".matches("${"(a{1000})".repeat(100)}")`, 12],
  ["a pattern with many groups", `"a".matches("${"(a?)".repeat(200)}")`, 12],
];
for (const [attack, source, start] of refused) {
  test(`saving refuses an expression with its position: ${attack}`, (t) => {
    const error = t.throws(() => compile(source), { instanceOf: ExpressionError });
    t.is(error.start, start);
    t.true(error.end >= start && error.line >= 1 && error.column >= 1 && error.message.length < 5000);
  });
}

const eight = (part: string): string => Array.from({ length: 8 }, () => part).join(" + ");

const falseOnes: [attack: string, source: string][] = [
  ["a pattern with catastrophic backtracking", 'item.hard.matches("^(a+)+$")'],
  ["the same pattern from a property", "item.hard.matches(item.pattern)"],
  ["a large pattern from a property", "item.hard.matches(item.large)"],
  ["a pattern with many classes from a property", "item.hard.matches(item.letters)"],
  ["a pattern over a long string", 'item.key1.matches("(a|b|ab)*(a|b|ab)*(a|b|ab)*(a|b|ab)*(a|b|ab)*[ac]$")'],
  ["a duration of 10,000 characters", 'duration(item.duration) > duration("1s")'],
  ["all pairs of keys", "item.all(a, item.all(b, a.size() + b.size() > 0))"],
  ["all pairs of characters", 'item.key1.split("").all(a, item.key2.split("").all(b, a == b))'],
  ["all strings joined by a long one", 'item.key1.split("").join(item.key2).size() > 0'],
  ["all strings joined and split", 'item.map(k, item[k]).join(",").split("").map(c, c + c).join().size() > 0'],
  ["a doubling list", `cel.bind(a, item.map(k, k), cel.bind(b, ${eight("a")}, (${eight("b")}).size() > 0))`],
  ["a doubling string", `cel.bind(a, item.key1, cel.bind(b, ${eight("a + a")}, (${eight("b")}).size() > 0))`],
  [
    "a search for a near match",
    `item.all(k, !item.key1.contains(item.key2.substring(0, 2000) + "b" + item.key3.substring(0, 2000)))`,
  ],
  ["swallowed errors", "item.exists(a, item.exists(b, 1 / 0 == 1))"],
  [
    "errors in a long source",
    `item.exists(a, item.exists(b, 1 / 0 == 1))${" ".repeat(3900)} || item.all(a, 1 / 0 == 1)`,
  ],
  ["repeated zone lookups", 'item.all(k, timestamp("2026-01-01T00:00:00Z").getHours("Europe/Zagreb") < 24)'],
  ["an invalid zone", `timestamp("2026-01-01T00:00:00Z").getHours(item.key1) < 24`],
  ["the prototype of a map", 'item.__proto__ == "x"'],
  ["the constructor of a map", 'item.constructor != "x"'],
  ["the same member by index", 'item["__proto__"] != "x" && link["constructor"] != "x"'],
  ["the prototype of a literal map", '{"a": 1}.__proto__ != 1'],
  ["the constructor of a duration", 'duration("1s").constructor != 1'],
  ["the constructor of a namespace", "cel.constructor != 1"],
  ["a key built from parts", 'item["__pro" + "to__"] != "x"'],
  ["a condition after a comment", "false // || true"],
];
for (const [attack, source] of falseOnes) {
  test(`the evaluation is false: ${attack}`, (t) => {
    const expression: Expression = compile(source);
    t.false(expression.evaluate(variables));
    t.false(expression.evaluate(variables), "and again");
    const other = compile('item.brand == "Dukat"');
    t.true(other.evaluate(variables), "the next expression has its full number of steps");
  });
}

test("an evaluation that takes too many steps reports so", (t) => {
  const { error } = compile("item.all(a, item.all(b, true))").explain(variables);
  t.is(error, "the evaluation takes more than 60000 steps");
  t.throws(() => compile("item.map(a, item.map(b, a + b))").value(variables), { message: /more than 60000 steps/ });
});

const costly = 'item.key1.split("").join(item.key2) == ""';
for (const source of [`${costly} || true`, `!(${costly} && false)`, `[1, 2].exists(x, ${costly} || x == 2)`]) {
  test(`an evaluation that takes too many steps is always reported: ${source}`, (t) => {
    t.false(compile(source).evaluate(variables));
    t.is(compile(source).explain(variables).error, "the evaluation takes more than 60000 steps");
  });
}
