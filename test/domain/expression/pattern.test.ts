import test from "ava";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { compilePattern, madePattern, programBound, writtenPattern } from "../../../domain/expression/pattern.ts";

const pieces = fc.constantFrom(
  ...["a", "č", "😀", ".", "\\d", "\\pL", "\\p{Greek}", "[a-z]", "[^]a]", "[[:alpha:]x]", "\\x{61}", "\\Qa{5}\\E"],
  ...["\\b", "^", "$", "\\.", "(?i)k", "[]", "\\", "{", "{2", "x{,3}", ")"],
);
const repetitions = fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,3}", "{5}", "{3,}", "*?", "{30}", "{0}", "{0,1}");
const { pattern: patterns } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
  pattern: fc
    .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: pieces }, { weight: 2, arbitrary: tie("group") }), repetitions), {
      maxLength: 5,
    })
    .map((parts) => parts.flat().join("")),
  group: fc
    .tuple(fc.constantFrom("(", "(?:", "(?P<n>"), fc.array(tie("pattern"), { minLength: 1, maxLength: 3 }))
    .map(([open, inner]) => `${open}${inner.join("|")})`),
}));

/** The number of instructions in a pattern's program; undefined for an invalid pattern. */
function sizeOf(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    return undefined;
  }
}

test("no pattern's program exceeds the limit computed from its text", (t) => {
  fc.assert(
    fc.property(patterns, (pattern) => {
      t.true((sizeOf(pattern) ?? 0) <= programBound(pattern), pattern);
    }),
    { numRuns: 3000 },
  );
});

test("typical patterns are well within the limits", (t) => {
  for (const pattern of [
    "^(a+)+$",
    "(?i)akcija|popust|sale",
    "^[A-Z]{2}[0-9]{4}(-[A-Z0-9]{1,8})?$",
    "\\bbio\\b",
    "^\\p{Lu}\\p{L}*( \\p{L}+){0,5}$",
    "^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$",
  ]) {
    t.true(compilePattern(pattern, writtenPattern).size <= 500, pattern);
  }
});

test("a pattern that is long or has many repetitions is refused before it is compiled", (t) => {
  t.throws(() => compilePattern("a".repeat(1001), writtenPattern), { message: /at most 1000 characters/ });
  t.throws(() => compilePattern("a".repeat(65), madePattern), { message: /at most 64 characters/ });
  t.throws(() => compilePattern("(a{1000}b{1000}){9}", writtenPattern), { message: /too large/ });
  t.throws(() => compilePattern("((((a{9}){9}){9}){9}){9}", madePattern), { message: /too large/ });
});

test("the limit is computed in linear time, even with unclosed brackets", (t) => {
  t.true(programBound("[[:a:]".repeat(200)) > 0);
  t.true(programBound(`${"(".repeat(500)}${"\\".repeat(500)}`) > 0);
});

test("a pattern matches anywhere in a string, and never splits a character", (t) => {
  t.true(compilePattern("b.", writtenPattern).test("abc"));
  t.true(compilePattern("^.$", writtenPattern).test("😀"));
  t.false(compilePattern("^b", writtenPattern).test("ab"));
});

test("a pattern may reach the limits of length and size, but not exceed them", (t) => {
  t.is(compilePattern("a", { text: 1, size: 4 }).size, programBound("a") - 1);
  t.throws(() => compilePattern("ab", { text: 1, size: 40 }), { message: /at most 1 characters/ });
  t.throws(() => compilePattern("a", { text: 1, size: 3 }), { message: /too large/ });
});
