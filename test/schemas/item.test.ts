import test from "ava";
import { exists, ItemPatch, ItemPatchByPath } from "../../schemas/item.ts";
import { compileCheck } from "../../schemas/validate.ts";

const check = compileCheck(ItemPatch);
const pointersOf = (row: unknown) => check(row).map(({ pointer }) => pointer);
const withId = (fields: object) => ({ itemId: "1", ...fields });

const lengths: [string, number][] = [
  ["itemId", 128],
  ["itemName", 1024],
  ["price", 32],
  ["itemGroup", 128],
  ["department", 128],
  ["presentation", 128],
];

for (const [field, max] of lengths) {
  test(`${field} has at most ${max} characters`, (t) => {
    t.deepEqual(pointersOf(withId({ [field]: "x".repeat(max) })), []);
    t.deepEqual(pointersOf(withId({ [field]: "x".repeat(max + 1) })), [`/${field}`]);
  });

  test(`${field} is a string: a number is refused`, (t) => {
    t.deepEqual(pointersOf(withId({ [field]: 12 })), [`/${field}`]);
  });
}

for (const field of ["itemId", "itemGroup", "department", "presentation"]) {
  test(`${field} has no control characters`, (t) => {
    for (const control of ["\u0000", "\t", "\n", "\u001b", "\u007f"]) {
      t.deepEqual(pointersOf(withId({ [field]: `a${control}` })), [`/${field}`], JSON.stringify(control));
    }
  });
}

test("itemId is required, neither null nor empty", (t) => {
  for (const row of [{}, { itemId: null }, { itemId: "" }, { id: "1" }]) t.deepEqual(pointersOf(row), ["/itemId"]);
});

test("the path may name the item instead", (t) => {
  const byPath = compileCheck(ItemPatchByPath);
  t.deepEqual(byPath({ price: "1" }), []);
  t.deepEqual(byPath({ itemId: "1" }), []);
  t.is(byPath({ itemId: "" }).length, 1);
});

for (const itemId of ["a/b", "007", " a ", "-", "a%2Fb", "č", "__proto__", "$where", "a.b"]) {
  test(`${JSON.stringify(itemId)} is a valid item ID`, (t) => {
    t.deepEqual(check({ itemId }), []);
  });
}

const clearless = ["itemName", "price", "itemGroup", "department", "presentation", "sics", "properties", "links"];
for (const field of [...clearless, "validFrom", "lastUpdated"]) {
  test(`${field} may be null, which keeps the value`, (t) => {
    t.deepEqual(check(withId({ [field]: null })), []);
  });
}

const accepted: [string, object][] = [
  ["empty fields", { itemName: "", price: "", sics: [], properties: {}, links: [], validFrom: "" }],
  ["any text as price", { price: "two for one" }],
  ["a name with several lines", { itemName: "Milk\n1 l" }],
  ["unknown fields", { vat: 25, nested: { deep: [] } }],
  ["a response that is sent back", { lastUpdated: "2026-01-01T12:00:00+01:00[Europe/Zagreb]", validFrom: null }],
  ["100 secondary codes", { sics: Array.from({ length: 100 }, (_, index) => `${index}`) }],
  ["a secondary code of 64 characters", { sics: ["x".repeat(64)] }],
  ["a link without an item, which uses the row's item", { links: [{ barcode: "A4" }] }],
  ["a scheduled update", { validFrom: "2026-12-24 08:00:00" }],
];
for (const [what, fields] of accepted) {
  test(`accepted: ${what}`, (t) => {
    t.deepEqual(check(withId(fields)), []);
  });
}

const refused: [string, object, string[]][] = [
  ["101 secondary codes", { sics: Array.from({ length: 101 }, (_, index) => `${index}`) }, ["/sics"]],
  ["an empty secondary code", { sics: ["1", ""] }, ["/sics/1"]],
  ["a secondary code of 65 characters", { sics: ["x".repeat(65)] }, ["/sics/0"]],
  ["a numeric secondary code", { sics: [385] }, ["/sics/0"]],
  ["a secondary code with a control character", { sics: ["3\t5"] }, ["/sics/0"]],
  ["one code instead of a list", { sics: "385" }, ["/sics"]],
  ["a link without a label", { links: [{ itemId: "1" }] }, ["/links/0/barcode"]],
  ["a time with a zone", { validFrom: "2026-12-24T08:00:00Z" }, ["/validFrom"]],
  ["a numeric time", { validFrom: 1_700_000_000 }, ["/validFrom"]],
  ["several faults", { price: 1, sics: [2], properties: { a: 3 } }, ["/price", "/properties/a", "/sics/0"]],
];
for (const [what, fields, pointers] of refused) {
  test(`refused: ${what}`, (t) => {
    t.deepEqual(pointersOf(withId(fields)).toSorted(), pointers);
  });
}

test("an item exists until it is a tombstone", (t) => {
  t.true(exists({}));
  t.false(exists({ deleted: true }));
});
