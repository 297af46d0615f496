import test from "ava";
import fc from "fast-check";
import { type LinkUpsert, mergeLink, statusFor } from "../../../records/linking/merge-link.ts";
import type { Link, LinkStatus } from "../../../schemas/link.ts";

const THEN = new Date("2026-03-01T08:00:00Z");
const NOW = new Date("2026-03-02T08:00:00Z");

const upsert = (fields: Partial<LinkUpsert> = {}): LinkUpsert => ({
  eslId: "A4",
  displayPosition: 0,
  itemId: "milk",
  linkedItemId: "milk",
  stamp: 20,
  ...fields,
});
const link = (fields: Partial<Link> = {}): Link => ({
  eslId: "A4",
  displayPosition: 0,
  itemId: "milk",
  linkedItemId: "milk",
  facings: "3",
  location: "aisle 4",
  status: "ACTIVE",
  origin: "studio",
  forced_design_id: "t/demo/designs/offer",
  linkedAt: THEN,
  stamp: 10,
  ...fields,
});

test("a free position is linked now, as an active studio link", (t) => {
  const one = mergeLink(undefined, upsert({ facings: "2", location: "aisle 1" }), true, NOW);
  t.like(one, { ...upsert(), facings: "2", location: "aisle 1", status: "ACTIVE", origin: "studio", linkedAt: NOW });
  t.is(one.forced_design_id, undefined);
});

test("a relink drops the forced design and the facings of the old item, and keeps where the label is", (t) => {
  const one = mergeLink(link(), upsert({ itemId: "bread", linkedItemId: "bread" }), true, NOW);
  t.like(one, { itemId: "bread", linkedItemId: "bread", location: "aisle 4", linkedAt: NOW, stamp: 20 });
  t.is(one.forced_design_id, undefined);
  t.is(one.facings, undefined);
});

test("the same item by another code is no relink: forced design, facings and time stay", (t) => {
  const one = mergeLink(link(), upsert({ linkedItemId: "3850000" }), true, NOW);
  t.like(one, {
    linkedItemId: "3850000",
    facings: "3",
    forced_design_id: "t/demo/designs/offer",
    linkedAt: THEN,
    stamp: 20,
  });
});

test("new facings are no relink", (t) => {
  const one = mergeLink(link(), upsert({ facings: "4" }), true, NOW);
  t.like(one, { facings: "4", forced_design_id: "t/demo/designs/offer", linkedAt: THEN });
});

test("a moved label takes its link along", (t) => {
  const one = mergeLink(link(), upsert({ location: "aisle 9" }), true, NOW);
  t.like(one, { location: "aisle 9", facings: "3", forced_design_id: "t/demo/designs/offer", linkedAt: THEN });
});

for (const status of ["DELETED", "INACTIVE"] as const) {
  test(`a link that is ${status} is made anew, even with the same item`, (t) => {
    const one = mergeLink(link({ status }), upsert(), true, NOW);
    t.like(one, { status: "ACTIVE", linkedAt: NOW, location: "aisle 4" });
    t.is(one.forced_design_id, undefined);
    t.is(one.facings, undefined);
  });
}

test("the same upsert gives the same object back: there is nothing to write", (t) => {
  for (const stamp of [10, 11]) {
    const present = link();
    t.is(mergeLink(present, upsert({ stamp }), true, NOW), present);
    t.is(mergeLink(present, upsert({ stamp, facings: "3", location: "aisle 4" }), true, NOW), present);
  }
});

test("where an earlier row may still come, the same upsert takes its stamp, and nothing else changes", (t) => {
  t.deepEqual(mergeLink(link(), upsert({ stamp: 11 }), false, NOW), link({ stamp: 11 }));
});

test("an older stamp loses: the very link that is there stays", (t) => {
  const older = [{ itemId: "bread" }, { linkedItemId: "3850000" }, { facings: "9" }, { location: "aisle 9" }];
  for (const status of ["ACTIVE", "INACTIVE", "DELETED"] as const) {
    for (const fields of older) {
      const present = link({ status });
      t.is(mergeLink(present, upsert({ ...fields, stamp: 9 }), true, NOW), present);
    }
  }
});

test("a link is not changed by what is merged into it", (t) => {
  const present = Object.freeze(link());
  t.notThrows(() => mergeLink(present, Object.freeze(upsert({ itemId: "bread" })), true, NOW));
});

const upserts = fc.uniqueArray(
  fc.record({
    stamp: fc.integer({ min: 1, max: 2 ** 46 }),
    itemId: fc.constantFrom("milk", "bread"),
    linkedItemId: fc.constantFrom("385", "386"),
    facings: fc.constantFrom("1", "2"),
  }),
  { selector: ({ stamp }) => stamp, minLength: 1, maxLength: 6 },
);

test("the latest upsert of a position stays, in whatever order they come", (t) => {
  fc.assert(
    fc.property(upserts, (rows) => {
      const merged = rows.reduce<Link | undefined>((current, row, place) => {
        const isLatest = rows.slice(place).every((other) => other.stamp >= row.stamp);
        return mergeLink(current, upsert(row), isLatest, NOW);
      }, undefined);
      const latest = rows.reduce((one, other) => (other.stamp > one.stamp ? other : one));
      const { itemId, linkedItemId, facings } = latest;
      t.like(merged, { itemId, linkedItemId, facings, status: "ACTIVE", linkedAt: NOW });
    }),
  );
});

const statuses: [LinkStatus, boolean, LinkStatus, string][] = [
  ["ACTIVE", true, "ACTIVE", "a link is shown while its item exists"],
  ["ACTIVE", false, "INACTIVE", "deleting an item makes its links INACTIVE"],
  ["INACTIVE", true, "ACTIVE", "making the item again reactivates them"],
  ["INACTIVE", false, "INACTIVE", "and not before"],
  ["DELETED", true, "DELETED", "an unlinked position stays unlinked when its item is made again"],
  ["DELETED", false, "DELETED", "an unlinked position stays unlinked when its item is deleted"],
];
for (const [before, itemExists, after, rule] of statuses) {
  test(`status: ${rule}`, (t) => {
    t.is(statusFor(link({ status: before }), itemExists), after);
  });
}
