import test from "ava";
import fc from "fast-check";
import {
  type Clause,
  concise,
  type Field,
  isWhole,
  numberTests,
  type Sentence,
} from "../../../../api/pages/browser/designer/rules/sentence/clauses.ts";
import { holds, type Values } from "../../../../api/pages/browser/designer/rules/sentence/holds.ts";
import { readSentence } from "../../../../api/pages/browser/designer/rules/sentence/read-sentence.ts";
import { writeSentence } from "../../../../api/pages/browser/designer/rules/sentence/write-sentence.ts";
import { compile } from "../../../../domain/expression/expression.ts";

const item = (key: string): Field => ({ root: "item", key });
const brand = item("brand");
const price = item("price");

const table: [sentence: Sentence, cel: string][] = [
  [{ join: "and", clauses: [] }, ""],
  [{ join: "and", clauses: [{ field: brand, test: "is", values: ["Dukat"] }] }, 'item.brand == "Dukat"'],
  [
    {
      join: "and",
      clauses: [
        { field: item("priceKind"), test: "is", values: ["special"] },
        { field: price, test: "below", amount: { number: "9.99" } },
      ],
    },
    'item.priceKind == "special" && double(item.price) < 9.99',
  ],
  [
    {
      join: "or",
      clauses: [
        { field: brand, test: "is", values: ["Dukat", "Vindija"] },
        { field: price, test: "atMost", amount: { number: "10" } },
        { field: item("sale"), test: "isNot", values: ["yes"] },
        { field: item("deposit"), test: "exists" },
      ],
    },
    '(has(item.brand) && item.brand in ["Dukat", "Vindija"]) || (has(item.price) && double(item.price) <= 10.0) || !has(item.sale) || item.sale != "yes" || has(item.deposit)',
  ],
  [
    { join: "and", clauses: [{ field: brand, test: "isNot", values: ["Dukat"] }] },
    '!has(item.brand) || item.brand != "Dukat"',
  ],
  [
    {
      join: "and",
      clauses: [
        { field: price, test: "missing" },
        { field: item("unit price"), test: "containsNot", text: '"' },
      ],
    },
    '!has(item.price) && (!("unit price" in item) || !item["unit price"].contains("\\""))',
  ],
  [
    {
      join: "and",
      clauses: [
        { field: price, test: "atMost", amount: { percent: "80", of: item("lowestPrice30") } },
        { field: { root: "device", key: "type" }, test: "is", values: ["1317", "1318"] },
        { field: { root: "link", key: "facings" }, test: "atLeast", amount: { number: "2" } },
      ],
    },
    "double(item.price) <= double(item.lowestPrice30) * 0.8 && device.type in [1317, 1318] && link.facings >= 2",
  ],
];

test("a sentence becomes the CEL that an author would write, and is read back from it", (t) => {
  for (const [sentence, cel] of table) {
    t.is(writeSentence(sentence), cel);
    t.deepEqual(readSentence(cel), sentence, cel);
  }
});

test("CEL of other styles is read as the sentence with the same meaning", (t) => {
  const same: [cel: string, as: string][] = [
    ['has(item.priceKind) && item.priceKind == "special"', 'item.priceKind == "special"'],
    ["item.brand != 'Dukat'", 'has(item.brand) && (!has(item.brand) || item.brand != "Dukat")'],
    ['(item.brand == "a" && (item.sale == "b"))', 'item.brand == "a" && item.sale == "b"'],
    ["double(item.price) < 10", "double(item.price) < 10.0"],
    [
      'has(item.brand) && item.brand == "a" || has(item.sale)',
      '(has(item.brand) && item.brand == "a") || has(item.sale)',
    ],
    ['"brand" in item', "has(item.brand)"],
  ];
  for (const [cel, written] of same) {
    const sentence = readSentence(cel);
    t.is(sentence && writeSentence(sentence), written, cel);
  }
});

test("CEL that no sentence can express stays CEL", (t) => {
  for (const cel of [
    'item.brand == "Dukat" || item.sale == "yes"',
    'item.brand == "a" // of the dairy',
    'item.itemName.matches("(?i)eko")',
    'item.a == "x" ? item.b == "y" : item.c == "z"',
    'item.tags.split(",").exists(tag, tag.trim() == "new")',
    "double(item.price) == 10",
    'item.price > "9.99"',
    'item.a == "x" && (item.b == "y" || has(item.c))',
    '!(item.a == "x")',
    "device.type == 1328.0",
    'item.a == "\\x41"',
    "item.a ==",
    "true",
    "item.a == item.b",
  ])
    t.is(readSentence(cel), undefined, cel);
});

const keys = ["brand", "sale", "unit price", "in", "naïve\n", "a"];
const texts = ["x", "y", "", '"quoted"', "a\\b", "12.50", "ask us", "é\t", "X", "0.8", "1", "-3"];
const field = fc.oneof(fc.constantFrom(...keys).map(item), fc.constant<Field>({ root: "link", key: "location" }));
const whole = fc.constantFrom<Field>({ root: "link", key: "facings" }, { root: "device", key: "type" });
const number = fc.constantFrom("0", "1", "9.99", "12.50", "-3", "0.05", "-0.5", "100");
const integer = fc.constantFrom("0", "1", "2", "1328", "-1");
const percent = fc.constantFrom("100", "80", "5", "0.5", "133.25", "0", "200");
const valued = { test: fc.constantFrom("is" as const, "isNot" as const) };
const clause: fc.Arbitrary<Clause> = fc.oneof(
  fc.record({ field, ...valued, values: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 }) }),
  fc.record({ field: whole, ...valued, values: fc.array(integer, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    field,
    test: fc.constantFrom("contains" as const, "containsNot" as const, "startsWith" as const, "endsWith" as const),
    text: fc.constantFrom(...texts),
  }),
  fc.record({
    field,
    test: fc.constantFrom(...numberTests),
    amount: fc.oneof(fc.record({ number }), fc.record({ percent, of: field })),
  }),
  fc.record({
    field: whole,
    test: fc.constantFrom(...numberTests.slice(0, 4)),
    amount: fc.record({ number: integer }),
  }),
  fc.record({ field: fc.oneof(field, whole), test: fc.constantFrom("exists" as const, "missing" as const) }),
);
const sentence: fc.Arbitrary<Sentence> = fc
  .record({ join: fc.constantFrom("and" as const, "or" as const), clauses: fc.array(clause, { maxLength: 4 }) })
  .map(concise);

const facts = fc.record({
  item: fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...texts)),
  location: fc.option(fc.constantFrom(...texts), { nil: undefined }),
  facings: fc.option(fc.constantFrom(0, 1, 2), { nil: undefined }),
  type: fc.constantFrom(1328, 1317, 1),
});
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never;

const valuesOf =
  ({ item: properties, location, facings, type }: Facts): Values =>
  ({ root, key }) => {
    if (root === "item") return Object.hasOwn(properties, key) ? properties[key] : undefined;
    return root === "device" ? type : key === "facings" ? facings : location;
  };

const variablesOf = ({ item: properties, location, facings, type }: Facts) => ({
  item: new Map(Object.entries(properties)),
  link: {
    ...(location !== undefined && { location }),
    ...(facings !== undefined && { facings: BigInt(facings) }),
  },
  device: { type: BigInt(type) },
});

test("a sentence that is written and read back is unchanged", (t) => {
  fc.assert(
    fc.property(sentence, (said) => {
      t.deepEqual(readSentence(writeSentence(said)), said);
    }),
    { numRuns: 2_000 },
  );
});

test("a sentence's CEL evaluates as the sentence says, even for items that lack a property", (t) => {
  fc.assert(
    fc.property(sentence, fc.array(facts, { minLength: 1, maxLength: 5 }), (said, many) => {
      const cel = writeSentence(said);
      const expression = compile(cel || "true");
      for (const one of many)
        t.is(expression.evaluate(variablesOf(one)), holds(said, valuesOf(one)), `${cel} ${JSON.stringify(one)}`);
    }),
    { numRuns: 1_000 },
  );
});

test("whole numbers are compared as whole numbers", (t) => {
  t.true(isWhole({ root: "device", key: "type" }));
  t.false(isWhole(item("type")));
});
