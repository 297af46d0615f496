import test from "ava";
import fc from "fast-check";
import { compile } from "../../../domain/expression/expression.ts";
import { scenarioVariables } from "../../../domain/expression/variables.ts";
import { changedItemKeys, itemKeysOf } from "../../../domain/packs/item-keys.ts";
import type { Item } from "../../../schemas/item.ts";

const item = (price: string | undefined, properties: Record<string, string> = {}): Item => ({
  itemId: "milk",
  ...(price !== undefined && { price }),
  sics: [],
  properties: Object.entries(properties).map(([key, value]) => ({ key, value, stamp: 1 })),
  stamps: {},
  created: 1,
});

const reads: [source: string, keys: string[] | undefined][] = [
  ['item.priceKind == "special"', ["priceKind"]],
  ["!has(item.price)", ["has(price)"]],
  ['has(item.priceKind) && item.priceKind == "special"', ["priceKind"]],
  ['"price" in item || has(item.brand)', ["has(brand)", "has(price)"]],
  ["device.type == 1328 && link.facings > 1", []],
  ["item.exists(key, key == link.location)", undefined],
];
for (const [source, keys] of reads)
  test(`the item keys that ${source} reads: ${keys?.join(", ") ?? "known only during its evaluation"}`, (t) => {
    t.deepEqual(itemKeysOf([compile(source)]), keys);
  });

test("a change names values that differ, and keys that were added or removed", (t) => {
  t.deepEqual(changedItemKeys(item("1.99"), item("2.49")), ["price"]);
  t.deepEqual(changedItemKeys(item(undefined), item("2.49")), ["price", "has(price)"]);
  t.deepEqual(changedItemKeys(item("1", { a: "x", b: "y" }), item("1", { b: "z", c: "w" })), [
    "a",
    "has(a)",
    "b",
    "c",
    "has(c)",
  ]);
  t.deepEqual(changedItemKeys(item("1", { a: "" }), item("1")), [], "a removed property is stored with an empty value");
});

test("law: an expression that reads none of the changed keys keeps its value", (t) => {
  const sources = [
    ...reads.map(([source]) => source),
    'item.a == "1" ? has(item.b) : item.c > item.a',
    'has(item.a) || (has(item.b) && item.b.startsWith("x"))',
    '!("c" in item) && item.price == "1"',
  ];
  const value = fc.constantFrom("1", "2", "x1", "special");
  const properties = fc.dictionary(
    fc.constantFrom("a", "b", "c", "priceKind", "brand"),
    fc.oneof(value, fc.constant("")),
  );
  const anItem = fc.tuple(fc.option(value, { nil: undefined }), properties).map(([price, own]) => item(price, own));
  let unread = 0;
  fc.assert(
    fc.property(fc.constantFrom(...sources), anItem, anItem, (source, before, after) => {
      const expression = compile(source);
      const keys = itemKeysOf([expression]);
      if (keys === undefined || changedItemKeys(before, after).some((key) => keys.includes(key))) return;
      unread += 1;
      const [first, second] = [before, after].map((one) => expression.explain(scenarioVariables(one, {}, 1328)));
      t.deepEqual(first?.value, second?.value, source);
    }),
    { numRuns: 2_000 },
  );
  t.true(unread > 100);
});
