import test from "ava";
import { createCountLabels } from "../../../queues/metrics/count-labels.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import { EVERY_KEY, labelKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();
const STORE = "t/demo/s/main";
const HOUR_MS = 3_600_000;
/** More labels than one step counts. */
const MANY = 2_010;

async function hang(names: readonly string[], state: Partial<LabelState>): Promise<void> {
  const { commit } = own.system;
  const keys = names.map((name) => labelKey(STORE, name));
  await commit.change(labels, keys, (key) => ({ barcode: key, type: 1, modelName: "M", stamps: {} }), "bulk");
  await commit.change(labelStates, keys, () => ({ ...newLabelState(), ...state }), "bulk");
}

function countScene() {
  const set = { now: Date.now(), own: [EVERY_KEY] };
  const counts = new Map<string, number>();
  let cleared = 0;
  const noted: Record<string, number>[] = [];
  const countLabels = createCountLabels({
    ...{ db: own.system.db, records: own.system.records, offlineAfterMs: HOUR_MS, now: () => new Date(set.now) },
    partitions: { own: async () => set.own },
    storeCounts: {
      note: async (counted) => {
        for (const counts of counted.values()) noted.push(counts);
      },
    },
    metrics: {
      set: (name: string, labels: object, value: number) =>
        void counts.set([name, ...Object.values(labels)].join(" "), value),
      clear: () => {
        cleared += 1;
        counts.clear();
      },
    },
  });
  const read = (state: string) => counts.get(`shelfwire_labels ${state}`);
  return { set, countLabels, read, noted, cleared: () => cleared };
}

test.serial("labels are counted by state in steps, and the gauges are set after the last step", async (t) => {
  const { set, countLabels, read, noted } = countScene();
  const shown = [{ page: 0, image: "a", deliveredAt: new Date(set.now), through: 1 }];
  const wanted = [{ page: 0, image: "a" }];
  const many = Array.from({ length: MANY }, (_, index) => `many-${index}`);
  await hang(many, { wanted, shown, lastSeen: new Date(set.now) });
  await hang(["failed"], { wanted, givenUp: "refused", lastSeen: new Date(set.now) });
  await countLabels();
  t.is(read("OK"), undefined, "the first step does not count all labels");
  await countLabels();
  t.deepEqual([read("OK"), read("ERROR"), read("OFFLINE")], [MANY, 1, 0]);
  t.deepEqual(noted, [{ NEW: 0, PENDING: 0, OK: MANY, ERROR: 1, OFFLINE: 0, UNKNOWN: 0 }], "once for each store");
});

test.serial("the next count starts from zero five minutes later", async (t) => {
  const { set, countLabels, read } = countScene();
  for (let step = 0; step < 2; step += 1) await countLabels();
  await hang(["later"], { wanted: [{ page: 0, image: "a" }], givenUp: "refused", lastSeen: new Date(set.now) });
  set.now += 299_999;
  for (let step = 0; step < 2; step += 1) await countLabels();
  t.is(read("ERROR"), 1);
  set.now += 1;
  for (let step = 0; step < 2; step += 1) await countLabels();
  t.deepEqual([read("OK"), read("ERROR")], [MANY, 2]);
});

test.serial(
  "a partition that another process counts is skipped, and its figures are removed here immediately",
  async (t) => {
    const { set, countLabels, read, cleared } = countScene();
    const [first, second] = [
      { $gte: "t/", $lt: "t/n" },
      { $gte: "t/n", $lt: "t0" },
    ];
    set.own = [];
    await countLabels();
    t.is(cleared(), 1);
    set.own = [second];
    await countLabels();
    t.is(read("OK"), 0);
    set.own = [first, second];
    await countLabels();
    t.is(read("OK"), 0, "the first partition was not counted to its end");
    await countLabels();
    t.is(read("OK"), MANY);
    set.own = [second];
    await countLabels();
    t.is(read("OK"), 0);
  },
);
