import test from "ava";
import fc from "fast-check";
import { mergeLabel } from "../../../domain/linking/merge-label.ts";
import { askForFingerprint, mergePosition, type PositionRow } from "../../../domain/linking/merge-position.ts";
import type { Label, LabelPatch } from "../../../schemas/label.ts";
import { entriesOf } from "../../../schemas/label-history.ts";
import { newLabelState } from "../../../schemas/label-state.ts";

const label: Label = { barcode: "A", type: 1328, modelName: "Medium", stamps: {} };
const put = (x: number): PositionRow => ({ barcode: "A", position: { x, y: 1, floor: 0 } });
const remove: PositionRow = { barcode: "A" };
const at = new Date("2026-03-01T12:00:00Z");

test("a position is set, moved and removed", (t) => {
  const set = mergePosition(label, put(3), 7);
  t.deepEqual(set.manualPosition, { x: 3, y: 1, floor: 0 });
  t.deepEqual(mergePosition(set, put(4), 8).manualPosition, { x: 4, y: 1, floor: 0 });
  t.false("manualPosition" in mergePosition(set, remove, 8));
});

test("setting a position keeps a label's other fields", (t) => {
  const whole = { ...label, plLocation: "A-12", stamps: { plLocation: 3 } };
  t.like(mergePosition(whole, put(3), 7), { plLocation: "A-12", stamps: { plLocation: 3, manualPosition: 7 } });
});

/** A request that changes the position, with its stamp. */
type PositionRequest = { kind: "patch" | "put" | "delete"; stamp: number };
const apply = (present: Label, { kind, stamp }: PositionRequest): Label => {
  if (kind !== "patch") return mergePosition(present, kind === "put" ? put(stamp) : remove, stamp);
  const row: LabelPatch = { barcode: "A", positions: { manual: { x: stamp, y: 1, floor: 0 } } };
  return mergeLabel(present, row, stamp, false, label);
};

test("the largest stamp wins in any order of requests, even if it is a removal", (t) => {
  const kind = fc.constantFrom<PositionRequest["kind"][]>("patch", "put", "delete");
  fc.assert(
    fc.property(fc.array(kind, { minLength: 1, maxLength: 8 }), fc.infiniteStream(fc.nat()), (kinds, random) => {
      const requests = kinds.map((chosen, index): PositionRequest => ({ kind: chosen, stamp: index + 1 }));
      const shuffled = requests
        .map((request) => ({ request, rank: random.next().value as number }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ request }) => request);
      t.deepEqual(shuffled.reduce(apply, label).manualPosition, requests.reduce(apply, label).manualPosition);
    }),
  );
});

test("setting a position requires a measurement immediately", (t) => {
  t.deepEqual(askForFingerprint(newLabelState(), put(3), 7, at).fingerprint, { stamp: 7, due: at });
});

test("a removed position requires no more measurements", (t) => {
  const asked = askForFingerprint(newLabelState(), put(3), 7, at);
  t.deepEqual(askForFingerprint(asked, remove, 8, at).fingerprint, { stamp: 8 });
});

test("a row that is applied again, or after a later row, requires no measurement", (t) => {
  const removed = askForFingerprint(newLabelState(), remove, 8, at);
  t.is(askForFingerprint(removed, put(3), 7, at), removed);
  const measured = { ...newLabelState(), fingerprint: { stamp: 8 } };
  t.is(askForFingerprint(measured, put(3), 8, at), measured);
});

test("the label's history lists requested and cancelled measurements", (t) => {
  const resultsOf = ({ history = [] }: ReturnType<typeof askForFingerprint>) =>
    entriesOf(history).map((entry) => ("result" in entry ? entry.result : undefined));
  const asked = askForFingerprint(newLabelState(), put(3), 7, at);
  t.deepEqual(resultsOf(asked), ["asked"]);
  t.deepEqual(resultsOf(askForFingerprint(asked, remove, 8, at)).toSorted(), ["asked", "removed"]);
});

test("removing a missing position is not an event", (t) => {
  const once = askForFingerprint(newLabelState(), remove, 7, at);
  t.is(once.history, undefined);
  t.is(askForFingerprint(once, remove, 8, at).history, undefined);
});
