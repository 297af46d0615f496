import test from "ava";
import fc from "fast-check";
import { functions, matchesWritten } from "../../../domain/expression/functions.ts";
import { compilePattern, madePattern, writtenPattern } from "../../../domain/expression/pattern.ts";

const call = (name: string, ...given: unknown[]): unknown => functions.get(name)?.call?.(...given);
const cost = (name: string, ...given: unknown[]): number => functions.get(name)?.cost?.(...given) ?? 0;

test("every call costs steps whatever its arguments, even NaN, which would never use up a budget", (t) => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.bigInt(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.date(),
    fc.array(fc.oneof(fc.string(), fc.integer())),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...functions.keys()),
      fc.array(value, { minLength: 1, maxLength: 3 }),
      (name, given) => {
        const steps = cost(name, ...given);
        return Number.isFinite(steps) && steps >= 0;
      },
    ),
  );
  for (const name of functions.keys()) t.true(cost(name, 5) >= 0, name);
});

const numbers: [text: string, value: number][] = [
  ["12", 12],
  ["+12.", 12],
  ["-.25", -0.25],
  ["12.75", 12.75],
  ["1.5e12", 1.5e12],
  ["25E-10", 25e-10],
  ["inf", Number.POSITIVE_INFINITY],
  ["+Infinity", Number.POSITIVE_INFINITY],
  ["-INF", Number.NEGATIVE_INFINITY],
  ["nan", Number.NaN],
  ["-NaN", Number.NaN],
];
for (const [text, value] of numbers)
  test(`the text ${text} is a decimal`, (t) => t.true(Object.is(call("double", text), value)));

for (const text of ["", ".", "1,5", "1e", "x1", "1x", "infinite", "+-inf", "xnan", "nanx", "0x1p", "12 "])
  test(`the text "${text}" is not a decimal`, (t) => {
    t.throws(() => call("double", text), { message: `${JSON.stringify(text)} is not a number` });
  });

for (const value of [true, 5, 5n, null])
  test(`${typeof value} ${value} is left to the library`, (t) => {
    for (const name of ["double", "timestamp", "duration", "lowerAscii", "upperAscii"])
      t.is(call(name, value), undefined);
  });

test("a duration consists of numbers with units, with or without a sign", (t) => {
  for (const text of ["1h", "1h30m", "-1.5s", "+.25h", "10ms", "3us", "3µs", "12.ns"])
    t.notThrows(() => call("duration", text), text);
  for (const text of ["", "1", "h", "x1h", "1hx", "1 h", "1d", "--1h", "1h-1m"])
    t.throws(() => call("duration", text), { message: `${JSON.stringify(text)} is not a duration such as "1h30m"` });
});

test("an integer has at most twenty digits, or is a decimal within 64 bits", (t) => {
  for (const name of ["int", "uint"]) {
    for (const value of ["7", "-7", "+7", "1".repeat(20), 2 ** 62, -(2 ** 62), true])
      t.notThrows(() => call(name, value), `${value}`);
    for (const text of ["", "1.5", "0x1", "0b11", "x1", "1x", "1".repeat(21)])
      t.throws(() => call(name, text), { message: `${JSON.stringify(text)} is not a whole number` });
    for (const value of [2 ** 63, -(2 ** 63), Number.NaN, Number.POSITIVE_INFINITY])
      t.throws(() => call(name, value), { message: `${value} is not a 64-bit integer` });
  }
});

test("a message shows forty characters of a longer string, and a shorter one in full", (t) => {
  const [whole, long] = ["a".repeat(40), "a".repeat(41)];
  t.throws(() => call("int", whole), { message: `"${whole}" is not a whole number` });
  t.throws(() => call("int", long), { message: `"${whole}..." is not a whole number` });
});

test("case conversion changes only the letters A to Z", (t) => {
  t.is(call("lowerAscii", "ÄB1Cİ"), "Äb1cİ");
  t.is(call("upperAscii", "äb1cß"), "äB1Cß");
});

test("matching a literal pattern costs steps in proportion to the text and the program", (t) => {
  const pattern = compilePattern("^a+$", writtenPattern);
  const { call: matches, cost: steps } = matchesWritten(pattern);
  t.deepEqual(
    ["aa", "ab", 5].map((text) => matches?.(text)),
    [true, false, undefined],
  );
  t.deepEqual(
    ["", "aaa", 5].map((text) => steps?.(text)),
    [pattern.size, 4 * pattern.size, pattern.size],
  );
});

test("a computed pattern is charged for its compilation, up to the length at which it is refused", (t) => {
  t.is(call("matches", "aa", "^a+$"), true);
  t.is(call("matches", "ab", "^a+$"), false);
  t.is(call("matches", 5, "^a+$"), undefined);
  t.is(call("matches", "aa", 5), undefined);
  const longest = "a".repeat(madePattern.text);
  t.true(cost("matches", "aa", longest) > cost("matches", "a", longest));
  t.true(cost("matches", "aa", "a") > 20_000);
  t.is(cost("matches", "aa", `${longest}a`), 0);
  t.is(cost("matches", "aa", 5), 0);
});

test("reading a timestamp's field in a zone given as text is expensive", (t) => {
  const moment = new Date("2026-01-01T23:30:00Z");
  t.is(call("getHours", moment), 23n);
  t.is(call("getHours", moment, "+01:00"), 0n);
  t.is(call("getHours", moment, 5), undefined);
  t.is(call("getHours", "2026"), undefined);
  t.deepEqual([cost("getHours", moment), cost("getHours", moment, "+01:00")], [10, 4000]);
});
