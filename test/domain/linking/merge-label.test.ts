import test from "ava";
import fc from "fast-check";
import { linkedLabel, mergeLabel } from "../../../domain/linking/merge-label.ts";
import { type Label, type LabelPatch, labelTexts } from "../../../schemas/label.ts";

const made = { type: 1628, modelName: "two-line" };
const label = (fields: Partial<Label> = {}): Label => ({ barcode: "A4", ...made, stamps: {}, ...fields });
const patch = (fields: Partial<LabelPatch> = {}): LabelPatch => ({ barcode: "A4", ...fields });

interface Row {
  patch: LabelPatch;
  stamp: number;
}
/** Merges rows in order; a row counts as the latest if all rows with smaller stamps precede it. */
const mergeAll = (rows: readonly Row[]): Label =>
  rows.reduce((current, { patch: row, stamp }, index) => {
    const isLatest = rows.slice(index).every((later) => later.stamp >= stamp);
    return mergeLabel(current, row, stamp, isLatest, made);
  }, label());
/** A label without its stamps. */
const valuesOf = ({ stamps, ...values }: Label) => values;

test("a new label gets its type and model", (t) => {
  const merged = mergeLabel(undefined, patch({ plLocation: "aisle 4" }), 10, true, made);
  t.like(merged, { barcode: "A4", type: 1628, modelName: "two-line", plLocation: "aisle 4" });
});

test("an existing label keeps its type and the fields that the row lacks", (t) => {
  const present = label({ type: 1627, modelName: "old", linkDepartment: "fruit", homeTrx: "T1" });
  const merged = mergeLabel(present, patch({ plLocation: "aisle 4" }), 10, true, made);
  t.like(merged, { type: 1627, modelName: "old", linkDepartment: "fruit", homeTrx: "T1", plLocation: "aisle 4" });
});

test("null, an empty string and a missing field keep the stored value", (t) => {
  const texts = { modelName: "m", linkDepartment: "d", plLocation: "l", homeTrx: "T1", device: "0218D6C53B19" };
  const present = label({ ...texts, manualPosition: { x: 1, y: 2, floor: 3 } });
  const blanks: Partial<LabelPatch>[] = [
    {},
    { modelName: "", linkDepartment: "", plLocation: "", homeTrx: "" },
    { modelName: null, linkDepartment: null, plLocation: null, homeTrx: null, positions: null },
    { positions: {} },
    { positions: { manual: null } },
  ];
  for (const blank of blanks)
    t.deepEqual(mergeLabel(present, patch(blank), 10, true, made), present, JSON.stringify(blank));
});

test("a manual position is set as a whole, and 0 is a valid coordinate", (t) => {
  const present = label({ manualPosition: { x: 1, y: 2, floor: 3 } });
  const merged = mergeLabel(present, patch({ positions: { manual: { x: 0, y: 0, floor: 0 } } }), 10, true, made);
  t.deepEqual(merged.manualPosition, { x: 0, y: 0, floor: 0 });
});

for (const moved of [{ x: 9 }, { y: 9 }, { floor: 9 }])
  test(`changing one coordinate moves the label: ${Object.keys(moved)}`, (t) => {
    const manual = { x: 1, y: 2, floor: 3, ...moved };
    const present = label({ manualPosition: { x: 1, y: 2, floor: 3 } });
    t.deepEqual(mergeLabel(present, patch({ positions: { manual } }), 10, true, made).manualPosition, manual);
  });

test("fields of a row that do not belong to the label are not stored", (t) => {
  const row = { ...patch({ plLocation: "x", links: [{ itemId: "1" }] }), plState: "OK", shelf: 5 };
  const manual = { x: 1, y: 2, floor: 0, z: 9 };
  const merged = mergeLabel(undefined, { ...row, positions: { manual } }, 10, true, made);
  t.deepEqual(Object.keys(merged).toSorted(), [
    "barcode",
    "manualPosition",
    "modelName",
    "plLocation",
    "stamps",
    "type",
  ]);
  t.deepEqual(merged.manualPosition, { x: 1, y: 2, floor: 0 });
});

test("merging a row does not modify the given label", (t) => {
  const present = label({ plLocation: "old", stamps: { plLocation: 5 } });
  const before = structuredClone(present);
  mergeLabel(present, patch({ plLocation: "new" }), 10, true, made);
  t.deepEqual(present, before);
});

test("a smaller stamp loses only for the field that a larger stamp has set", (t) => {
  const present = mergeLabel(label(), patch({ plLocation: "late" }), 20, true, made);
  const merged = mergeLabel(present, patch({ plLocation: "early", homeTrx: "T1" }), 10, true, made);
  t.like(merged, { plLocation: "late", homeTrx: "T1" });
});

/** Rows with different stamps and few different values, so that many rows repeat a value. */
const value = fc.constantFrom("a", "b", "", null);
const rows = fc
  .uniqueArray(
    fc.record({
      stamp: fc.integer({ min: 1, max: 2 ** 46 }),
      texts: fc.record({ modelName: value, linkDepartment: value, plLocation: value, homeTrx: value, device: value }),
      x: fc.option(fc.integer({ min: 0, max: 1 })),
    }),
    { selector: ({ stamp }) => stamp, maxLength: 6 },
  )
  .map((list) =>
    list.map(({ stamp, texts, x }) => ({
      stamp,
      patch: patch({ ...texts, positions: { manual: x === null ? null : { x, y: 0, floor: 0 } } }),
    })),
  );

test("rows in any order result in the same label", (t) => {
  const shuffled = rows.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(shuffled, ([inOrder, shuffledRows]) => {
      t.deepEqual(valuesOf(mergeAll(inOrder)), valuesOf(mergeAll(shuffledRows)));
    }),
  );
});

test("each field has the value of the latest row that names it", (t) => {
  const latestOf = (list: readonly Row[]) => list.toSorted((a, b) => a.stamp - b.stamp).at(-1)?.patch;
  fc.assert(
    fc.property(rows, (list) => {
      const merged = mergeAll(list);
      for (const field of labelTexts) {
        const latest = latestOf(list.filter((row) => row.patch[field]));
        t.is(merged[field], latest?.[field] ?? label()[field], field);
      }
      const moved = latestOf(list.filter((row) => row.patch.positions?.manual));
      t.deepEqual(merged.manualPosition, moved?.positions?.manual ?? undefined);
    }),
  );
});

test("applying rows twice changes nothing the second time", (t) => {
  fc.assert(
    fc.property(rows, (list) => {
      t.deepEqual(valuesOf(mergeAll([...list, ...list])), valuesOf(mergeAll(list)));
    }),
  );
});

test("an unchanged value needs a new stamp only if an earlier row may still arrive", (t) => {
  const manual = { x: 1, y: 2, floor: 0 };
  const row = patch({ plLocation: "aisle 4", positions: { manual } });
  const present = mergeLabel(label(), row, 10, true, made);
  t.deepEqual(mergeLabel(present, row, 20, true, made), present);
  t.deepEqual(mergeLabel(present, row, 20, false, made).stamps, { plLocation: 20, manualPosition: 20 });
});

test("firstLinked is set once, and lastLinked each time", (t) => {
  const [monday, friday] = [new Date("2026-03-02"), new Date("2026-03-06")];
  const once = linkedLabel(label(), monday);
  t.like(once, { firstLinked: monday, lastLinked: monday });
  t.like(linkedLabel(once, friday), { firstLinked: monday, lastLinked: friday });
});

test("a cleared device is absent, and the other fields are kept", (t) => {
  const present = label({ device: "0218D6C53B19", homeTrx: "T1", stamps: { device: 5 } });
  const cleared = mergeLabel(present, patch({ clears: "device" }), 10, true, made);
  t.deepEqual(cleared, label({ homeTrx: "T1", stamps: { device: 10 } }));
});

test("a cleared homeTrx is absent, and an older row does not set it again", (t) => {
  const present = label({ homeTrx: "T1", plLocation: "aisle 4", stamps: { homeTrx: 5 } });
  const cleared = mergeLabel(present, patch({ clears: "homeTrx" }), 10, true, made);
  t.deepEqual(valuesOf(cleared), valuesOf(label({ plLocation: "aisle 4" })));
  t.is(mergeLabel(cleared, patch({ homeTrx: "T2" }), 7, false, made).homeTrx, undefined);
  t.is(mergeLabel(cleared, patch({ homeTrx: "T2" }), 11, true, made).homeTrx, "T2");
  t.is(mergeLabel(present, patch({ clears: "homeTrx" }), 4, false, made).homeTrx, "T1");
});
