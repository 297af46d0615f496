import test from "ava";
import fc from "fast-check";
import { type LinkUpsert, mergeLink, unlink } from "../../../domain/linking/merge-link.ts";
import type { Link, LinkDesign } from "../../../schemas/link.ts";

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

test("a free position becomes an active studio link, linked now", (t) => {
  const merged = mergeLink(undefined, upsert({ facings: "2", location: "aisle 1" }), true, NOW);
  t.like(merged, { ...upsert(), facings: "2", location: "aisle 1", status: "ACTIVE", origin: "studio", linkedAt: NOW });
  t.is(merged.forced_design_id, undefined);
});

test("a relink drops the former item's forced design and facings and keeps the location", (t) => {
  const merged = mergeLink(link(), upsert({ itemId: "bread", linkedItemId: "bread" }), true, NOW);
  t.like(merged, { itemId: "bread", linkedItemId: "bread", location: "aisle 4", linkedAt: NOW, stamp: 20 });
  t.is(merged.forced_design_id, undefined);
  t.is(merged.facings, undefined);
});

test("another code for the same item is not a relink: forced design, facings and time are kept", (t) => {
  const merged = mergeLink(link(), upsert({ linkedItemId: "3850000" }), true, NOW);
  t.like(merged, {
    linkedItemId: "3850000",
    facings: "3",
    forced_design_id: "t/demo/designs/offer",
    linkedAt: THEN,
    stamp: 20,
  });
});

test("new facings are not a relink", (t) => {
  const merged = mergeLink(link(), upsert({ facings: "4" }), true, NOW);
  t.like(merged, { facings: "4", forced_design_id: "t/demo/designs/offer", linkedAt: THEN });
});

test("moving a label moves its link", (t) => {
  const merged = mergeLink(link(), upsert({ location: "aisle 9" }), true, NOW);
  t.like(merged, { location: "aisle 9", facings: "3", forced_design_id: "t/demo/designs/offer", linkedAt: THEN });
});

for (const status of ["DELETED", "INACTIVE"] as const) {
  test(`an upsert of a link that is ${status} is a relink, even with the same item`, (t) => {
    const merged = mergeLink(link({ status }), upsert(), true, NOW);
    t.like(merged, { status: "ACTIVE", linkedAt: NOW, location: "aisle 4" });
    t.is(merged.forced_design_id, undefined);
    t.is(merged.facings, undefined);
  });
}

test("repeating an upsert returns the same object, so that nothing is written", (t) => {
  for (const stamp of [10, 11]) {
    const present = link();
    t.is(mergeLink(present, upsert({ stamp }), true, NOW), present);
    t.is(mergeLink(present, upsert({ stamp, facings: "3", location: "aisle 4" }), true, NOW), present);
  }
});

test("if an earlier row may still arrive, repeating an upsert changes only the stamp", (t) => {
  t.deepEqual(mergeLink(link(), upsert({ stamp: 11 }), false, NOW), link({ stamp: 11 }));
});

test("a smaller stamp loses: the same object is returned", (t) => {
  const older = [{ itemId: "bread" }, { linkedItemId: "3850000" }, { facings: "9" }, { location: "aisle 9" }];
  for (const status of ["ACTIVE", "INACTIVE", "DELETED"] as const) {
    for (const fields of older) {
      const present = link({ status });
      t.is(mergeLink(present, upsert({ ...fields, stamp: 9 }), true, NOW), present);
    }
  }
});

test("merging does not modify the link", (t) => {
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

test("the latest upsert of a position wins in any order", (t) => {
  fc.assert(
    fc.property(upserts, (rows) => {
      const merged = rows.reduce<Link | undefined>((current, row, index) => {
        const isLatest = rows.slice(index).every((later) => later.stamp >= row.stamp);
        return mergeLink(current, upsert(row), isLatest, NOW);
      }, undefined);
      const latest = rows.reduce((newest, next) => (next.stamp > newest.stamp ? next : newest));
      const { itemId, linkedItemId, facings } = latest;
      t.like(merged, { itemId, linkedItemId, facings, status: "ACTIVE", linkedAt: NOW });
    }),
  );
});

const designed: LinkDesign = {
  origin: "designer",
  designId: "t/demo/designs/poster",
  designerlink: { canvasId: "poster", designVersion: 3 },
};

test("POST /links replaces the whole link and removes facings and a forced design that the row lacks", (t) => {
  const merged = mergeLink(link(), upsert({ design: designed }), true, NOW);
  t.like(merged, { ...designed, itemId: "milk", location: "aisle 4", linkedAt: THEN, stamp: 20 });
  t.is(merged.facings, undefined);
  t.is(merged.forced_design_id, undefined);
});

test("repeating a POST returns the same object", (t) => {
  const made = mergeLink(link(), upsert({ design: designed }), true, NOW);
  t.is(mergeLink(made, upsert({ design: designed, stamp: 21 }), true, NOW), made);
});

for (const design of [
  designed,
  { origin: "ecc", ecclink: { designVersion: 2 } },
  { origin: "studio", studiolink: { designVersion: 1 }, forced_design_id: "t/demo/designs/offer" },
] as LinkDesign[])
  test(`a label's row with the same item keeps a link's design: ${design.origin}`, (t) => {
    const made = mergeLink(undefined, upsert({ design }), true, THEN);
    t.is(mergeLink(made, upsert({ stamp: 21 }), true, NOW), made);
    t.like(mergeLink(made, upsert({ stamp: 21, facings: "4" }), true, NOW), design);
  });

test("a label's row with another item makes a designer link a studio link", (t) => {
  const made = mergeLink(undefined, upsert({ design: designed }), true, THEN);
  const merged = mergeLink(made, upsert({ itemId: "bread", linkedItemId: "bread", stamp: 21 }), true, NOW);
  t.like(merged, { itemId: "bread", origin: "studio" });
  t.is(merged.designId, undefined);
  t.is(merged.designerlink, undefined);
});

test("a label's row relinks a deactivated link, which becomes ACTIVE", (t) => {
  const merged = mergeLink(link({ status: "INACTIVE", switchedOff: true }), upsert(), true, NOW);
  t.is(merged.status, "ACTIVE");
  t.is(merged.switchedOff, undefined);
});

for (const status of ["ACTIVE", "INACTIVE"] as const) {
  test(`unlinking a link that is ${status} leaves a tombstone with its stamp`, (t) => {
    t.deepEqual(unlink(link({ status }), 20, true), link({ status: "DELETED", stamp: 20 }));
  });
}

test("unlinking a tombstone again changes at most its stamp, if an earlier row may still arrive", (t) => {
  const tombstone = link({ status: "DELETED" });
  t.is(unlink(tombstone, 20, true), tombstone);
  t.deepEqual(unlink(tombstone, 20, false), { ...tombstone, stamp: 20 });
});

test("an older unlink loses", (t) => {
  const present = link();
  t.is(unlink(present, 9, true), present);
});

/** Requests that change a whole position. */
const requests = fc.oneof(
  fc.record({
    what: fc.constant("label's row" as const),
    itemId: fc.constantFrom("milk", "bread"),
    facings: fc.constantFrom("1", "2"),
  }),
  fc.record({
    what: fc.constant("POST /links" as const),
    itemId: fc.constantFrom("milk", "bread"),
    facings: fc.constantFrom("1", "2"),
    design: fc.constantFrom<LinkDesign>(designed, { origin: "studio" }, { origin: "studio", forced_design_id: "f" }),
  }),
  fc.record({ what: fc.constant("unlink" as const) }),
);
const present = fc.constantFrom(
  link(),
  link({ status: "DELETED" }),
  link({ status: "INACTIVE" }),
  link({ status: "INACTIVE", switchedOff: true }),
);

test("two requests in any order lead to the state of the larger number", (t) => {
  fc.assert(
    fc.property(present, requests, requests, (initial, first, second) => {
      const apply = (current: Link, request: typeof first, stamp: number, isLatest: boolean): Link => {
        if (request.what === "unlink") return unlink(current, stamp, isLatest);
        const { what: _, ...fields } = request;
        return mergeLink(current, upsert({ ...fields, linkedItemId: fields.itemId, stamp }), isLatest, NOW);
      };
      const inOrder = apply(apply(initial, first, 20, true), second, 21, true);
      const turned = apply(apply(initial, second, 21, false), first, 20, true);
      const replayed = apply(inOrder, first, 20, true);
      t.is(replayed, inOrder, "a request that a delayed process applies again changes nothing");
      const said = ({ status, itemId, facings }: Link) =>
        status === "DELETED" ? { status } : { status, itemId, facings };
      t.deepEqual(said(turned), said(inOrder));
      if (second.what === "POST /links") t.deepEqual(turned.designId, inOrder.designId);
      t.true(turned.stamp >= inOrder.stamp);
    }),
  );
});
