import test from "ava";
import { Type } from "typebox";
import { clearless, clearlessIdentifier, identifier, known } from "../../schemas/text.ts";
import { compileCheck } from "../../schemas/validate.ts";

const isAccepted = (schema: Parameters<typeof compileCheck>[0], value: unknown): boolean =>
  compileCheck(schema)(value).length === 0;

const controls = [...Array(32).keys(), 0x7f, 0x80, 0x9f].map((code) => String.fromCharCode(code));

test("an identifier is any text without control characters", (t) => {
  for (const id of ["a", "007", " a ", "Ž/ß", "$set", "a.b", "-", "😀", "你好"]) {
    t.true(isAccepted(identifier(128, ""), id), id);
  }
  for (const control of controls) {
    for (const id of [control, `${control}a`, `a${control}b`, `a${control}`]) {
      t.false(isAccepted(identifier(128, ""), id), JSON.stringify(id));
    }
  }
});

test("an identifier has 1 to its maximum number of characters", (t) => {
  t.false(isAccepted(identifier(4, ""), ""));
  t.true(isAccepted(identifier(4, ""), "abcd"));
  t.false(isAccepted(identifier(4, ""), "abcde"));
});

test("an identifier must be a string, never a number, null or a list", (t) => {
  for (const value of [7, null, true, ["a"], { a: 1 }]) t.false(isAccepted(identifier(128, ""), value));
});

test("a clearless field may be absent or null", (t) => {
  const schema = Type.Object({ text: clearless(Type.String({ maxLength: 3 })), name: clearlessIdentifier(3, "") });
  for (const value of [{}, { text: null, name: null }, { text: "", name: "" }, { text: "abc", name: "abc" }]) {
    t.true(isAccepted(schema, value), JSON.stringify(value));
  }
});

test("a clearless field with a value is checked as strictly as any other field", (t) => {
  const schema = Type.Object({ text: clearless(Type.String({ maxLength: 3 })), name: clearlessIdentifier(3, "") });
  for (const value of [{ text: 5 }, { text: "abcd" }, { name: 5 }, { name: "abcd" }, { name: "a\n" }]) {
    t.is(compileCheck(schema)(value).length, 1, JSON.stringify(value));
  }
});

test("only names refuse control characters, and plain text may have several lines", (t) => {
  t.true(isAccepted(Type.Object({ text: clearless(Type.String()) }), { text: "two\nlines" }));
});

test("a known field of a response is always present, and null if it is unknown", (t) => {
  const schema = Type.Object({ price: known(Type.String()) });
  t.true(isAccepted(schema, { price: null }));
  t.true(isAccepted(schema, { price: "1" }));
  t.false(isAccepted(schema, {}));
  t.false(isAccepted(schema, { price: 1 }));
});

test("an identifier contains no half of a surrogate pair, which MongoDB would store as another character", (t) => {
  for (const id of ["\ud800", "a\udc00", "\ud83da"]) t.false(isAccepted(identifier(128, ""), id), JSON.stringify(id));
});
