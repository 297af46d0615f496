import test from "ava";
import { type TSchema, Type } from "typebox";
import { computingCounts } from "../../schemas/computing-counts.ts";
import { LabelPatch } from "../../schemas/label.ts";
import { LinkRow } from "../../schemas/link.ts";
import { faultAt } from "../../schemas/problem.ts";
import { refusalNotice } from "../../schemas/refusal-notice.ts";
import { compileCheck as compile, parseWith } from "../../schemas/validate.ts";

/** The faults of a value without their notices, which have their own tests. */
const compileCheck = (schema: TSchema) => {
  const check = compile(schema);
  return (value: unknown) => check(value).map(({ pointer, detail }) => ({ pointer, detail }));
};

const Row = Type.Object({
  id: Type.String({ minLength: 1 }),
  size: Type.Optional(Type.Integer({ minimum: 0 })),
  color: Type.Optional(Type.Enum(["red", "white"])),
  links: Type.Optional(Type.Array(LinkRow)),
});
const check = compileCheck(Type.Array(Row));
const pointersOf = (value: unknown) => check(value).map(({ pointer }) => pointer);

test("a valid value has no faults", (t) => {
  t.deepEqual(check([]), []);
  t.deepEqual(check([{ id: "a", size: 0, color: "red", links: [{ itemId: "1" }] }]), []);
});

test("an unknown field is not a fault", (t) => {
  t.deepEqual(check([{ id: "a", colour: "red" }]), []);
});

test("all faults are listed together, each with a pointer to its location", (t) => {
  const faults = pointersOf([{ id: "a" }, { id: 5, size: "1" }, { id: "b", color: "blue" }, { size: -1 }]);
  t.deepEqual(faults.toSorted(), ["/1/id", "/1/size", "/2/color", "/3/id", "/3/size"]);
});

test("one invalid value is one fault", (t) => {
  t.deepEqual(pointersOf([{ id: "", size: 1 }]), ["/0/id"]);
  t.deepEqual(pointersOf([{ id: "a", links: [{ itemId: "1", facings: 4 }] }]), ["/0/links/0/facings"]);
});

test("a fault has a code and the values in its sentence, for pages in other languages", (t) => {
  t.deepEqual(compile(Type.Array(Row))([{ id: "a", color: "blue" }, { size: -1 }]), [
    faultAt("/0/color", refusalNotice("FIELD_CHOICE", { choices: "red, white", value: '"blue"' })),
    faultAt("/1/id", refusalNotice("FIELD_MISSING", {})),
    faultAt("/1/size", refusalNotice("FIELD_SMALL", { limit: 0, value: -1 })),
  ]);
});

test("a body that is not a list has its fault at the root", (t) => {
  t.deepEqual(check({}), [{ pointer: "", detail: "must be a list, not an object" }]);
});

test("a missing field's pointer names the field", (t) => {
  t.deepEqual(check([{}]), [{ pointer: "/0/id", detail: "is missing" }]);
});

test("slashes and tildes in names are escaped in pointers", (t) => {
  const required = compileCheck(Type.Object({ "a/b~c": Type.String() }));
  t.deepEqual(
    required({}).map(({ pointer }) => pointer),
    ["/a~1b~0c"],
  );
  t.deepEqual(
    required({ "a/b~c": 1 }).map(({ pointer }) => pointer),
    ["/a~1b~0c"],
  );
});

test("a link without an item is one fault, at the link", (t) => {
  const expected = [{ pointer: "/0/links/1", detail: "requires itemId or linkedItemId" }];
  for (const link of [{}, { itemId: null }, { itemId: "", linkedItemId: "" }, { displayPosition: 1 }]) {
    t.deepEqual(check([{ id: "a", links: [{ itemId: "1" }, link] }]), expected, JSON.stringify(link));
  }
});

test("a link without an item does not hide its other faults, or those of other links", (t) => {
  const links = [{ facings: 1 }, { linkedItemId: "s", displayPosition: -1 }, ...Array(9).fill({ itemId: "1" }), {}];
  t.deepEqual(pointersOf([{ id: "a", links }]).toSorted(), [
    "/0/links/0",
    "/0/links/0/facings",
    "/0/links/1/displayPosition",
    "/0/links/11",
  ]);
});

test("a value that matches no alternative is one fault", (t) => {
  const either = compileCheck(Type.Object({ stores: Type.Union([Type.Literal("*"), Type.Array(Type.String())]) }));
  t.deepEqual(either({ stores: 5 }), [{ pointer: "/stores", detail: "matches none of the allowed forms" }]);
});

test("an invalid property name is one fault, and the pointer names it", (t) => {
  const names = compileCheck(
    Type.Unsafe({
      type: "object",
      propertyNames: { type: "string", minLength: 1, maxLength: 4, pattern: "^[^\\u0000-\\u001f]*$" },
      additionalProperties: { type: "string" },
    }),
  );
  const detail = "is not a valid name: use 1 to 128 characters without control characters";
  t.deepEqual(names({ abcd: "x" }), []);
  t.deepEqual(names({ "": "x" }), [{ pointer: "/", detail }]);
  t.deepEqual(names({ "a/bcd": "x" }), [{ pointer: "/a~1bcd", detail }]);
  t.deepEqual(names({ "\nlong": "x" }), [{ pointer: "/\nlong", detail }]);
  t.deepEqual(
    names({ abcde: "x", fg: 1 })
      .map(({ pointer }) => pointer)
      .toSorted(),
    ["/abcde", "/fg"],
  );
});

test("a fault states the expected and the actual value", (t) => {
  const detailOf = (row: object) => check([{ id: "a", ...row }]).map(({ detail }) => detail);
  t.deepEqual(detailOf({ color: "blue" }), ['must be one of red, white, not "blue"']);
  t.deepEqual(detailOf({ size: "1" }), ['must be an integer, not "1"']);
  t.deepEqual(detailOf({ size: null }), ["must be an integer, not null"]);
  t.deepEqual(detailOf({ size: [1, 2] }), ["must be an integer, not a list of 2"]);
  t.deepEqual(detailOf({ size: { secret: 1 } }), ["must be an integer, not an object"]);
  t.deepEqual(detailOf({ links: [{ itemId: "1", barcode: 5 }] }), ["must be a string or null, not 5"]);
});

test("a fault truncates a long value", (t) => {
  const [fault] = check([{ id: "a", size: "x".repeat(100_000) }]);
  t.true((fault?.detail.length ?? 0) < 100);
});

test("100 faults are listed, and the existence of more is stated", (t) => {
  const broken = (count: number) => Array(count).fill({ id: 5 });
  t.is(check(broken(99)).length, 99);
  t.is(check(broken(100)).length, 100);
  t.deepEqual(check(broken(101)).slice(100), [{ pointer: "", detail: "and more faults" }]);
  const faults = check(broken(3000));
  t.is(faults.length, 101);
  t.deepEqual(faults.at(-1), { pointer: "", detail: "and more faults" });
});

test("a check does not modify its input", (t) => {
  const value = Object.freeze([Object.freeze({ id: "a", size: undefined, more: 1 })]);
  check(value);
  t.deepEqual(value, [{ id: "a", size: undefined, more: 1 }]);
});

test("parsing returns a valid value", (t) => {
  const row = { id: "a", size: 3 };
  t.is(parseWith(Row, "the row")(row), row);
});

test("parsing throws one error with the name of the value and every fault", (t) => {
  const error = t.throws(() => parseWith(Row, "the row")({ size: -1 }), { instanceOf: TypeError });
  t.true(error.message.startsWith("the row: "), error.message);
  t.true(error.message.includes("/id is missing"), error.message);
  t.true(error.message.includes("/size must be at least 0, not -1"), error.message);
});

test("parsing names the whole value /", (t) => {
  t.throws(() => parseWith(Row, "the row")(null), { message: "the row: / must be an object, not null" });
});

test("a huge list of invalid rows is checked only up to the limit of faults", (t) => {
  const links = Array(256).fill({});
  const faults = compileCheck(Type.Array(LabelPatch))(Array(20_000).fill({ barcode: "B", links }));
  t.is(faults.length, 101);
  t.is(faults[0]?.pointer, "/0/links/0");
});

test("a number that JSON cannot represent is rejected", (t) => {
  const endless = JSON.parse('{"barcode": "A", "positions": {"manual": {"x": 1e400, "y": 0, "floor": 1}}}');
  t.deepEqual(
    compileCheck(LabelPatch)(endless).map(({ pointer }) => pointer),
    ["/positions/manual/x"],
  );
});

const Ids = Type.Object({ ids: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 1000 }) });
const spent = (work: () => unknown) => {
  const before = computingCounts();
  const result = work();
  const after = computingCounts();
  return { result, checks: after.checks - before.checks, faults: after.faults - before.faults };
};

test("a list that is too long is one fault, and its elements are not checked", (t) => {
  const { result, checks } = spent(() => compileCheck(Ids)({ ids: Array(1001).fill(0) }));
  t.deepEqual(result, [{ pointer: "/ids", detail: "must have at most 1000 items, but is a list of 1001" }]);
  t.is(checks, 1);
});

test("checks stop at the limit of faults, even in a list within an object", (t) => {
  const { checks, faults } = spent(() => compileCheck(Ids)({ ids: Array(1000).fill(0) }));
  t.is(faults, 101);
  t.is(checks, 102);
});

test("a map with too many names is one fault, and its values are not checked", (t) => {
  const Maps = Type.Object({
    map: Type.Unsafe({ type: "object", maxProperties: 2, additionalProperties: Type.String() }),
  });
  t.deepEqual(compileCheck(Maps)({ map: { a: 1, b: 2, c: 3 } }), [
    { pointer: "/map", detail: "must have at most 2 fields, but is an object of 3" },
  ]);
});

test("an oversized string is one fault, and is not searched for invalid characters", (t) => {
  t.deepEqual(compileCheck(Ids)({ ids: ["x".repeat(1000)] }), [
    { pointer: "/ids/0", detail: `must have at most 3 characters, but is "${"x".repeat(56)}...` },
  ]);
});

test("nested lists are checked list by list at every depth", (t) => {
  const Tree = Type.Cyclic({ Tree: Type.Object({ leaves: Type.Array(Type.Ref("Tree"), { maxItems: 3 }) }) }, "Tree");
  const checkTree = compileCheck(Type.Object({ trees: Type.Array(Tree, { maxItems: 2 }) }));
  const leaf = { leaves: [] };
  t.deepEqual(checkTree({ trees: [{ leaves: [leaf, { leaves: [leaf] }] }] }), []);
  t.deepEqual(checkTree({ trees: [{ leaves: [leaf, { leaves: [0, leaf, leaf, leaf] }] }] }), [
    { pointer: "/trees/0/leaves/1/leaves", detail: "must have at most 3 items, but is a list of 4" },
  ]);
  t.deepEqual(checkTree({ trees: [leaf, { leaves: [leaf, { leaves: [leaf, 0] }] }] }), [
    { pointer: "/trees/1/leaves/1/leaves/1", detail: "must be an object, not 0" },
  ]);
});
