import test from "ava";
import fc from "fast-check";
import { mergeStoreLink } from "../../../domain/linking/merge-store-link.ts";
import type { StoreLink } from "../../../schemas/link.ts";

const wanted = (designId: string | undefined, stamp: number) => ({ itemId: "milk", designId, stamp });
const stored = (fields: Partial<StoreLink> = {}): StoreLink => ({
  itemId: "milk",
  designId: "offer",
  status: "ACTIVE",
  stamp: 10,
  ...fields,
});

test("LINK makes a store-level link", (t) => {
  t.deepEqual(mergeStoreLink(undefined, wanted("offer", 10), true), stored());
});

test("LINK with another design replaces it", (t) => {
  t.deepEqual(mergeStoreLink(stored(), wanted("poster", 20), true), stored({ designId: "poster", stamp: 20 }));
});

test("UNLINK leaves a tombstone, and without a link it creates nothing", (t) => {
  t.deepEqual(mergeStoreLink(stored(), wanted(undefined, 20), true), stored({ status: "DELETED", stamp: 20 }));
  t.is(mergeStoreLink(undefined, wanted(undefined, 20), true), undefined);
});

test("LINK makes a tombstone ACTIVE", (t) => {
  t.deepEqual(mergeStoreLink(stored({ status: "DELETED" }), wanted("offer", 20), true), stored({ stamp: 20 }));
});

test("repeating a change returns the same object, unless an earlier change may still arrive", (t) => {
  const present = stored();
  t.is(mergeStoreLink(present, wanted("offer", 20), true), present);
  t.deepEqual(mergeStoreLink(present, wanted("offer", 20), false), stored({ stamp: 20 }));
});

test("in whatever order changes are merged, the latest one decides the state", (t) => {
  const changes = fc.uniqueArray(
    fc.record({ designId: fc.constantFrom("a", "b", undefined), stamp: fc.integer({ min: 11, max: 40 }) }),
    { selector: ({ stamp }) => stamp, minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(changes, (all) => {
      const end = all.reduce<StoreLink | undefined>((current, { designId, stamp }, index) => {
        const isLatest = all.slice(index).every((later) => later.stamp >= stamp);
        return mergeStoreLink(current, wanted(designId, stamp), isLatest);
      }, stored());
      const latest = all.reduce((newest, next) => (next.stamp > newest.stamp ? next : newest));
      t.is(end?.status, latest.designId === undefined ? "DELETED" : "ACTIVE");
      if (latest.designId !== undefined) t.is(end?.designId, latest.designId);
    }),
  );
});
