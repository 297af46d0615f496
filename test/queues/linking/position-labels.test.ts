import test from "ava";
import { createPositionLabels } from "../../../queues/linking/position-labels.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { newLabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
const STORE = "t/demo/s/main";
const AT = new Date("2026-03-01T12:00:00Z");
const place = (x: number) => ({ x, y: 2, floor: 1 });
const label = { barcode: "x", type: 1328, modelName: "Medium", stamps: {} };

test("rows set and remove labels' positions in order and request a fingerprint at each new position", async (t) => {
  const { commit, records } = world.system;
  const [moved, removed, unknown, other] = ["moved", "removed", "unknown", "other"].map((id) =>
    labelKey(STORE, id),
  ) as [...[string, string, string, string]];
  await commit.change(labels, [moved, removed, other], () => label, "bulk");
  await commit.change(labelStates, [moved], () => ({ ...newLabelState(), battery: "LOW" as const }), "bulk");
  const apply = createPositionLabels({ commit, now: () => AT });
  const rows = [
    { row: { barcode: "moved", position: place(1) }, stamp: 1 },
    { row: { barcode: "removed", position: place(3) }, stamp: 2 },
    { row: { barcode: "unknown", position: place(4) }, stamp: 3 },
    { row: { barcode: "moved", position: place(5) }, stamp: 4 },
    { row: { barcode: "removed" }, stamp: 5 },
  ];
  t.deepEqual(await apply(STORE, rows, "interactive"), [[], [], [], [], []]);
  const stored = await records.read(labels, [moved, removed, unknown, other]);
  t.deepEqual(
    [moved, removed, unknown, other].map((key) => stored.get(key)?.manualPosition),
    [place(5), undefined, undefined, undefined],
  );
  t.deepEqual(
    [moved, removed, other].map((key) => stored.get(key)?.stamps),
    [{ manualPosition: 4 }, { manualPosition: 5 }, {}],
  );
  t.is(stored.get(unknown), undefined, "rows create no label");
  const states = await records.read(labelStates, [moved, removed, unknown, other]);
  t.like(states.get(moved), { battery: "LOW", fingerprint: { stamp: 4, due: AT } });
  t.deepEqual(states.get(removed)?.fingerprint, { stamp: 5 });
  t.like(states.get(unknown), { fingerprint: { stamp: 3, due: AT } });
  t.is(states.get(other), undefined);
});
