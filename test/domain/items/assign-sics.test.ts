import test from "ava";
import fc from "fast-check";
import { assignSics, isLaterAssignment, type SicsRow } from "../../../domain/items/assign-sics.ts";

type Lists = Record<string, readonly string[]>;

/** Plans rows for items that have assignments of all the codes they list; `stale` adds more assignments. */
function plan(rows: readonly Omit<SicsRow, "stamp">[], lists: Lists, stale: Record<string, string> = {}) {
  const held = Object.entries(lists).flatMap(([itemId, sics]) => sics.map((sic): [string, string] => [sic, itemId]));
  const stamped = rows.map((row, stamp) => ({ ...row, stamp }));
  const { taken, assigned } = assignSics(
    stamped,
    new Map([...Object.entries(stale), ...held]),
    new Map(Object.entries(lists)),
  );
  return { taken, assigned: new Map([...assigned].map(([sic, { itemId }]) => [sic, itemId])) };
}

test("a free code is taken", (t) => {
  const { taken, assigned } = plan([{ itemId: "milk", sics: ["1", "2"] }], { milk: ["1"] });
  t.deepEqual([...taken], []);
  t.deepEqual([...assigned], [["2", "milk"]]);
});

test("a row omits another item's code and takes its other codes", (t) => {
  const { taken, assigned } = plan([{ itemId: "milk", sics: ["2", "1"] }], { bread: ["1"], milk: ["3"] });
  t.deepEqual([...taken], [[0, new Map([["1", "bread"]])]]);
  t.deepEqual([...assigned], [["2", "milk"]]);
});

test("a row whose codes all belong to other items leaves the item's own codes unchanged", (t) => {
  const rows = [
    { itemId: "milk", sics: ["1"] },
    { itemId: "tea", sics: ["3"] },
  ];
  t.deepEqual([...plan(rows, { bread: ["1"], milk: ["3"] }).taken.keys()], [0, 1]);
});

test("a later row may take a code that an earlier row freed", (t) => {
  const rows = [
    { itemId: "bread", sics: ["2"] },
    { itemId: "milk", sics: ["1"] },
  ];
  const { taken, assigned } = plan(rows, { bread: ["1"] });
  t.deepEqual([...taken], []);
  t.deepEqual(Object.fromEntries(assigned), { "1": "milk", "2": "bread" });
});

test("a row omits a code that only a later row frees", (t) => {
  const rows = [
    { itemId: "milk", sics: ["1"] },
    { itemId: "bread", sics: ["2"] },
  ];
  t.deepEqual([...plan(rows, { bread: ["1"] }).taken.keys()], [0]);
});

test("a row whose new codes are all omitted leaves the item's own codes unchanged", (t) => {
  const rows = [
    { itemId: "bread", sics: ["3"] },
    { itemId: "milk", sics: ["1"] },
  ];
  t.deepEqual([...plan(rows, { bread: ["1"], tea: ["3"] }).taken.keys()], [0, 1]);
});

test("if two rows name the same free code, the earlier row takes it", (t) => {
  const rows = [
    { itemId: "milk", sics: ["1"] },
    { itemId: "bread", sics: ["1"] },
  ];
  const { taken, assigned } = plan(rows, {});
  t.deepEqual([...taken.keys()], [1]);
  t.deepEqual([...assigned], [["1", "milk"]]);
});

test("an assignment counts only if its item lists the code", (t) => {
  for (const lists of [{}, { bread: ["2"] }] as Lists[]) {
    const { taken, assigned } = plan([{ itemId: "milk", sics: ["1"] }], lists, { "1": "bread" });
    t.deepEqual([...taken], []);
    t.deepEqual([...assigned], [["1", "milk"]]);
  }
});

test("sending an item's own codes again needs no new assignment", (t) => {
  const { taken, assigned } = plan([{ itemId: "milk", sics: ["1", "2"] }], { milk: ["1", "2"] });
  t.deepEqual([taken.size, assigned.size], [0, 0]);
});

test("an assignment has its row's stamp, even if the item gets a former code again", (t) => {
  const rows = [
    { itemId: "milk", sics: ["2"], stamp: 5 },
    { itemId: "milk", sics: ["1", "2"], stamp: 7 },
  ];
  const { assigned } = assignSics(rows, new Map([["1", "milk"]]), new Map([["milk", ["1"]]]));
  t.deepEqual(Object.fromEntries(assigned), { "1": { itemId: "milk", stamp: 7 }, "2": { itemId: "milk", stamp: 5 } });
});

test("an assignment wins only over an older row, and an assignment without a stamp never wins", (t) => {
  t.true(isLaterAssignment({ itemId: "milk", stamp: 6 }, 5));
  for (const assignment of [undefined, { itemId: "milk" }, { itemId: "milk", stamp: 5 }])
    t.false(isLaterAssignment(assignment, 5));
});

const items = fc.constantFrom("milk", "bread", "tea");
const codes = ["1", "2", "3", "4", "5"];

/** Items with distinct codes, and stale assignments of other codes. */
const present = fc
  .array(fc.record({ itemId: items, isStale: fc.boolean() }), { minLength: codes.length, maxLength: codes.length })
  .map((owners) => {
    const owned = owners.map((owner, index) => ({ ...owner, sic: codes[index] ?? "" }));
    const grouped = Object.groupBy(owned, ({ isStale }) => (isStale ? "stale" : "listed"));
    const byItem = Map.groupBy(grouped.listed ?? [], ({ itemId }) => itemId);
    return {
      lists: Object.fromEntries([...byItem].map(([itemId, group]) => [itemId, group.map(({ sic }) => sic)])) as Lists,
      stale: Object.fromEntries((grouped.stale ?? []).map(({ sic, itemId }) => [sic, itemId])),
    };
  });
const rows = fc.array(
  fc.record({ itemId: items, sics: fc.uniqueArray(fc.constantFrom(...codes), { minLength: 1, maxLength: 3 }) }),
  { maxLength: 6 },
);

test("after any rows no two items list the same code, and each listed code is assigned to its item", (t) => {
  fc.assert(
    fc.property(present, rows, ({ lists, stale }, wanted) => {
      const { taken, assigned } = plan(wanted, lists, stale);
      const after: Lists = { ...lists };
      for (const [index, { itemId, sics }] of wanted.entries()) {
        const kept = sics.filter((sic) => !taken.get(index)?.has(sic));
        if (kept.length > 0) after[itemId] = kept;
      }
      const assignments = { ...stale, ...ownersOf(lists), ...Object.fromEntries(assigned) };
      const listed = Object.values(after).flat();
      t.is(new Set(listed).size, listed.length);
      t.deepEqual({ ...assignments, ...ownersOf(after) }, assignments);
    }),
  );
});

test("a code is omitted if and only if another item lists it when the row is applied", (t) => {
  fc.assert(
    fc.property(present, rows, ({ lists, stale }, wanted) => {
      const now: Lists = { ...lists };
      const mustLeaveOut = wanted.flatMap(({ itemId, sics }, index) => {
        const owners = ownersOf(now);
        const isTaken = (sic: string) => (owners[sic] ?? itemId) !== itemId;
        const kept = sics.filter((sic) => !isTaken(sic));
        if (kept.length > 0) now[itemId] = kept;
        return sics.some(isTaken) ? [[index, sics.filter(isTaken)]] : [];
      });
      const { taken } = plan(wanted, lists, stale);
      t.deepEqual(
        [...taken].map(([index, codesOfOthers]) => [index, [...codesOfOthers.keys()]]),
        mustLeaveOut,
      );
    }),
  );
});

function ownersOf(lists: Lists): Record<string, string> {
  return Object.fromEntries(Object.entries(lists).flatMap(([itemId, sics]) => sics.map((sic) => [sic, itemId])));
}
