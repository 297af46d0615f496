import test from "ava";
import fc from "fast-check";
import { mergeChanges } from "../../../queues/batch/merge-changes.ts";
import type { Change } from "../../../schemas/topics.ts";

const change = fc.record<Change>({
  key: fc.constantFrom("milk", "bread", "eggs", "constructor"),
  rev: fc.integer({ min: 1, max: 9 }),
  operation: fc.constantFrom("CREATED", "UPDATED", "DELETED"),
  changed: fc.subarray(["price", "itemName", "sics"]),
  urgency: fc.constantFrom("interactive", "bulk"),
});
/** Two changes with the same key and rev are one event, which may arrive twice, but always with the same content. */
const events = fc.uniqueArray(change, { selector: ({ key, rev }) => `${key}#${rev}`, maxLength: 12 });
const repeated = events.chain((all) =>
  fc.tuple(fc.constant(all), fc.subarray(all)).map(([some, again]) => [...some, ...again]),
);
const shuffled = repeated.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
);

/** The key and field lists are sets: their order has no meaning. */
const asSet = (changes: readonly Change[]) =>
  changes
    .map((merged) => ({ ...merged, changed: merged.changed.toSorted() }))
    .toSorted((a, b) => a.key.localeCompare(b.key));

test("the same changes are merged into the same set in any order", (t) => {
  fc.assert(
    fc.property(shuffled, ([inOrder, inAnyOrder]) => {
      t.deepEqual(asSet(mergeChanges(inOrder)), asSet(mergeChanges(inAnyOrder)));
    }),
  );
});

test("a key appears once, with its latest rev and operation, all changed fields, and the more urgent class", (t) => {
  fc.assert(
    fc.property(repeated, (all) => {
      const merged = mergeChanges(all);
      t.deepEqual(merged.map(({ key }) => key).toSorted(), [...new Set(all.map(({ key }) => key))].toSorted());
      for (const { key: ofKey, rev, operation, changed: fields, urgency } of merged) {
        const own = all.filter(({ key }) => key === ofKey);
        const latest = own.reduce((newest, next) => (next.rev > newest.rev ? next : newest));
        t.is(rev, latest.rev);
        t.is(operation, latest.operation);
        t.deepEqual(fields.toSorted(), [...new Set(own.flatMap(({ changed }) => changed))].toSorted());
        t.is(
          urgency === "interactive",
          own.some(({ urgency }) => urgency === "interactive"),
        );
      }
    }),
  );
});

test("merging two merged parts has the same result as merging all changes together", (t) => {
  fc.assert(
    fc.property(repeated, fc.nat({ max: 24 }), (all, cut) => {
      const parts = [...mergeChanges(all.slice(0, cut)), ...mergeChanges(all.slice(cut))];
      t.deepEqual(asSet(mergeChanges(parts)), asSet(mergeChanges(all)));
    }),
  );
});

test("keys stay in the order of their first change", (t) => {
  fc.assert(
    fc.property(repeated, (all) => {
      t.deepEqual(
        mergeChanges(all).map(({ key }) => key),
        [...new Set(all.map(({ key }) => key))],
      );
    }),
  );
});

test("merging does not modify the changes", (t) => {
  fc.assert(
    fc.property(repeated, (all) => {
      const before = structuredClone(all);
      mergeChanges(all);
      t.deepEqual(all, before);
    }),
  );
});
