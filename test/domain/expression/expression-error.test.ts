import test from "ava";
import { ExpressionError, type LibraryError, refusal } from "../../../domain/expression/expression-error.ts";

/**
 * The library's message in Shelfwire's words; `expression-messages.test.ts` checks the messages for real expressions.
 */
const told = (error: Partial<LibraryError>, source = "a && b"): ExpressionError =>
  refusal({ message: "", ...error }, source, ["item"]);

test("a fault without a position points to the beginning and keeps the library's message", (t) => {
  const error = told({ message: "something else" });
  t.true(error instanceof ExpressionError);
  t.like(error, { name: "ExpressionError", message: "something else", start: 0, end: 0, line: 1, column: 1 });
  t.is(told({ message: "long", summary: "short" }).message, "short");
});

test("a position is within the source, and its end is not before its beginning", (t) => {
  t.like(told({ range: { start: 2, end: 4 } }), { start: 2, end: 4, line: 1, column: 3 });
  t.like(told({ range: { start: 4, end: 2 } }), { start: 4, end: 4 });
  t.like(told({ range: { start: 9, end: 12 } }, "a\n&&"), { start: 4, end: 4, line: 2, column: 3 });
});

const tokens: [token: string, said: string][] = [
  ["EOF", "the end"],
  ["LPAREN", "a ("],
  ["RPAREN", "a )"],
  ["LBRACKET", "a ["],
  ["RBRACKET", "a ]"],
  ["LBRACE", "a {"],
  ["RBRACE", "a }"],
  ["COLON", "a :"],
  ["COMMA", "a ,"],
  ["IDENTIFIER", "a name"],
  ["STRING", "STRING"],
];
for (const [token, said] of tokens)
  test(`a missing ${token} is called ${said}`, (t) => {
    const error = { code: "expected_token", summary: `Expected ${token}, got NUMBER` };
    t.is(told(error).message, `${said} is missing here`);
  });

test("a missing token without a name is still reported as missing", (t) => {
  t.is(told({ code: "expected_token", summary: "something else" }).message, " is missing here");
});

test("a library limit that Shelfwire does not set is reported in the library's words", (t) => {
  t.is(
    told({ code: "limit_exceeded", summary: "Exceeded maxCallArguments (32)" }).message,
    "Exceeded maxCallArguments (32)",
  );
  t.is(
    told({ code: "limit_exceeded", summary: "Exceeded maxMapEntries (100)" }).message,
    "a map can have at most 100 entries",
  );
});

const sides: [summary: string, hasHint: boolean][] = [
  ["string == int", true],
  ["string >= double", true],
  ["int <= string", true],
  ["uint == string", true],
  ["string == bool", false],
  ["string == string", false],
  ["string == int_list", false],
  ["list<string == int", false],
];
for (const [summary, hasHint] of sides)
  test(`operands of different types ${hasHint ? "have a hint" : "have no hint"} how to convert a string into a number: ${summary}`, (t) => {
    const { message } = told({ code: "no_such_overload", summary: `no such overload: ${summary}` });
    t.is(message.endsWith("; double(...) or int(...) converts a string to a number"), hasHint);
    t.true(message.startsWith(`${summary} is not possible: the two sides have different types`));
  });
