import test from "ava";
import fc from "fast-check";
import type { CollectionIndex } from "../../../../records/kind.ts";
import { type QueryShape, shapeOf } from "../../../../scripts/develop/queries/query-shape.ts";
import { servedBy } from "../../../../scripts/develop/queries/served-by.ts";

type Keys = CollectionIndex["keys"];
const indexOn = (keys: Keys, further: Partial<CollectionIndex> = {}): CollectionIndex => {
  return { collection: "a", keys, ...further };
};
const isServed = (filter: object, sort: object, ...indexes: CollectionIndex[]): boolean =>
  servedBy(shapeOf("a", { ...filter }, sort), indexes) !== undefined;

const later = { $gt: 1 };
const now = { $lte: 1 };
const open = indexOn({ urgency: 1, drawnAt: 1, _id: 1 }, { partial: { open: true } });

const cases: [string, boolean, object, object, ...CollectionIndex[]][] = [
  ["single IDs, whatever else is queried", true, { _id: { $in: ["a", "b"] }, x: later }, {}],
  ["a range of IDs in their order", true, { _id: later }, { _id: -1 }],
  ["a range of IDs, and a field", false, { _id: later, x: 1 }, { _id: 1 }],
  ["everything", false, {}, {}],
  ["everything in the order of an index", true, {}, { since: 1 }, indexOn({ since: 1 })],
  ["a field without an index", false, { x: 1 }, {}],
  ["an owner's due documents by an index on due", false, { owner: "a", due: now }, {}, indexOn({ due: 1 })],
  ["an owner's due documents by an index on both", true, { owner: "a", due: now }, {}, indexOn({ owner: 1, due: 1 })],
  ["due first, then the owner", false, { owner: "a", due: now }, {}, indexOn({ due: 1, owner: 1 })],
  ["due documents in another order", false, { due: now }, { since: 1 }, indexOn({ due: 1, since: 1 })],
  ["due documents in the order of the index", true, { due: now }, { due: 1, since: 1 }, indexOn({ due: 1, since: 1 })],
  ["in descending order", true, { due: now }, { due: -1, since: -1 }, indexOn({ due: 1, since: 1 })],
  ["partly in descending order", false, { due: now }, { due: 1, since: -1 }, indexOn({ due: 1, since: 1 })],
  ["several values, with an order", false, { a: { $in: [1] } }, { b: 1 }, indexOn({ a: 1, b: 1 })],
  ["an absent field", true, { due: null, since: now }, {}, indexOn({ due: 1, since: 1 })],
  ["a missing field by a sparse index", false, { due: { $exists: false } }, {}, indexOn({ due: 1 }, { sparse: true })],
  ["all documents by a sparse index", false, {}, { due: 1 }, indexOn({ due: 1 }, { sparse: true })],
  [
    "only documents that a partial index contains",
    true,
    { open: true, urgency: "bulk", drawnAt: now },
    { drawnAt: 1, _id: 1 },
    open,
  ],
  ["more documents than a partial index contains", false, { urgency: "bulk", drawnAt: now }, { drawnAt: 1 }, open],
  ["documents that a partial index does not contain", false, { open: false, urgency: "bulk" }, {}, open],
  ["alternatives, each with its index", true, { $or: [{ _id: "a" }, { x: 1 }] }, {}, indexOn({ x: 1 })],
  ["alternatives, one without an index", false, { $or: [{ _id: "a" }, { x: 1 }] }, {}],
  ["an operator without index support", false, { x: { $ne: 1 } }, {}, indexOn({ x: 1 })],
];
for (const [what, expected, filter, sort, ...indexes] of cases)
  test(`${expected ? "served" : "not served"}: ${what}`, (t) => t.is(isServed(filter, sort, ...indexes), expected));

test("queries that differ only in their values or the order of their fields have one shape", (t) => {
  t.deepEqual(
    JSON.stringify(shapeOf("a", { x: 1, y: { $gt: new Date(0) } })),
    JSON.stringify(shapeOf("a", { y: { $lte: 7 }, x: "z" })),
  );
});

const FIELDS = ["a", "b", "c"] as const;
type Row = Record<(typeof FIELDS)[number], number>;
const field = fc.constantFrom(...FIELDS);
const direction = fc.constantFrom<1 | -1>(1, -1);
const keysOf = fc
  .uniqueArray(fc.tuple(field, direction), { selector: ([name]) => name, maxLength: 3 })
  .map((pairs): Keys => Object.fromEntries(pairs));
const where = fc.dictionary(field, fc.constantFrom("one", "range"), { maxKeys: 3 }) as fc.Arbitrary<
  QueryShape["where"]
>;
const rows = fc.array(fc.record({ a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) }), { maxLength: 30 });

const compareBy = (keys: Keys) => (one: Row, other: Row) =>
  Object.entries(keys).reduce((so, [name, way]) => so || way * (one[name as "a"] - other[name as "a"]), 0);
const matches = (row: Row, asked: QueryShape["where"]) =>
  Object.entries(asked).every(([name, condition]) =>
    condition === "one" ? row[name as "a"] === 1 : row[name as "a"] >= 1,
  );

test("an index serves one range of its entries, in the order of the sort", (t) => {
  let served = 0;
  fc.assert(
    fc.property(keysOf, where, keysOf, rows, (keys, asked, sort, documents) => {
      const shape: QueryShape = { collection: "a", where: asked, sort };
      if (Object.keys(keys).length === 0 || servedBy(shape, [indexOn(keys)]) === undefined) return;
      served += 1;
      const entries = documents.toSorted(compareBy(keys));
      const hits = entries.flatMap((row, place) => (matches(row, asked) ? [place] : []));
      const run = hits.every((place, index) => place === (hits[0] ?? 0) + index);
      const found = hits.map((place) => entries[place] as Row);
      const sorted = (way: 1 | -1) =>
        found.every((row, index) => index === 0 || way * compareBy(sort)(found[index - 1] as Row, row) <= 0);
      if (!run || !(sorted(1) || sorted(-1))) throw new Error(JSON.stringify({ keys, asked, sort, found }));
    }),
    { numRuns: 3_000 },
  );
  t.true(served > 100, `${served} queries were served`);
});
