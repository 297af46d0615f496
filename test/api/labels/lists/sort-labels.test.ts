import test from "ava";
import fc from "fast-check";
import type { Value } from "../../../../api/labels/label-fields.ts";
import { collectFirst, compareTexts, type Entry, orderBy } from "../../../../api/labels/sort-labels.ts";
import { inBatches } from "../../../../schemas/in-batches.ts";

/** Few distinct values, so that there are many ties. */
const texts = fc.constantFrom<Value>(null, "", "A", "a", "aa", "Ä", "\uffff", "\u{1f34e}", "\u{1f34e}b");
const dates = fc.constantFrom<Value>(null, new Date(0), new Date(1), new Date("2026-01-01Z"));
const numbers = fc.constantFrom<Value>(null, 0, 9, 10, 210);
/** Entries with values of one kind. */
const entries = fc
  .oneof(
    fc.array(texts, { maxLength: 200 }),
    fc.array(dates, { maxLength: 200 }),
    fc.array(numbers, { maxLength: 200 }),
  )
  .map((values) => values.map((value, index): Entry => ({ barcode: `D${(index * 37) % 211}`, value })));

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

test("strings are ordered by code point, like their UTF-8 bytes", (t) => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      t.is(Math.sign(compareTexts(one, other)), Math.sign(byBytes(one, other)));
    }),
  );
  t.true(compareTexts("\uffff", "\u{1f34e}") < 0);
});

test("known values are sorted in either direction, unknown values last in both, ties by barcode", (t) => {
  fc.assert(
    fc.property(entries, fc.boolean(), (some, isDescending) => {
      const sorted = some.toSorted(orderBy(isDescending));
      for (const [index, { value, barcode }] of sorted.entries()) {
        const next = sorted[index + 1];
        if (next === undefined) continue;
        if (value === null) t.is(next.value, null);
        const known = value !== null && next.value !== null ? compare(value, next.value) : 0;
        t.true(isDescending ? known >= 0 : known <= 0);
        const isTie = value === null ? next.value === null : next.value !== null && known === 0;
        if (isTie) t.true(barcode < next.barcode);
      }
    }),
  );
});

const compare = (one: string | number | Date, other: string | number | Date): number =>
  typeof one === "string" ? byBytes(one, String(other)) : Number(one) - Number(other);

test("collecting keeps the first entries in order, however the entries are divided into batches", (t) => {
  const numbers = fc.record({ count: fc.nat({ max: 60 }), part: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(entries, numbers, fc.boolean(), (all, { count, part }, isDescending) => {
      const compare = orderBy(isDescending);
      const first = collectFirst(count, compare, 10);
      for (const batch of inBatches(all, part)) first.add(batch);
      t.deepEqual(first.end(), all.toSorted(compare).slice(0, count));
    }),
  );
});
