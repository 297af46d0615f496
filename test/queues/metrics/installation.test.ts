import test from "ava";
import { createCountLabels } from "../../../queues/metrics/count-labels.ts";
import { createInstallationReader } from "../../../queues/metrics/installation.ts";
import { createMetrics, type Snapshot } from "../../../queues/metrics/metrics.ts";
import { labels } from "../../../records/kinds/label.ts";
import { labelStates } from "../../../records/kinds/label-state.ts";
import { labelKey, storeKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";
import { later } from "../../harness/system.ts";
import { changesJob } from "../../harness/worker.ts";

const own = ownSystem();
const store = storeKey("demo", "main");
const HOUR_MS = 3_600_000;

const figureOf = (snapshot: Snapshot, name: string, labels: Record<string, string> = {}) =>
  snapshot
    .find((metric) => metric.name === name)
    ?.values.find((value) => Object.entries(labels).every(([label, text]) => value.labels[label] === text))?.value;

const readAt = (now: () => Date) =>
  createInstallationReader({ ...own.system, now, onError: own.system.onError("metrics") })();

test.serial(
  "what waits in a queue has the age of its oldest job, also behind younger and more urgent ones",
  async (t) => {
    const { publisher } = own.system;
    await publisher.enqueue("merger", [changesJob("renderedimage.v1", [labelKey(store, "A")], "bulk")]);
    await publisher.enqueue("merger", [changesJob("renderedimage.v1", [labelKey(store, "B")], "interactive")]);
    const [, oldest] = (await publisher.queue("merger").getJobs(["prioritized"])).sort(
      (a, b) => a.priority - b.priority,
    );
    const snapshot = await readAt(later(HOUR_MS));
    const age = figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage: "merger" }) ?? 0;
    t.true(age >= HOUR_MS / 1000);
    t.true(age <= (Date.now() + HOUR_MS - (oldest?.timestamp ?? 0)) / 1000);
    t.is(figureOf(snapshot, "shelfwire_queue_jobs", { queue: "merger", state: "waiting" }), 2);
    t.is(figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage: "item" }), 0);
  },
);

test.serial("what waits in MongoDB has the age of its oldest: rows, changes, reports and pictures", async (t) => {
  const { accept, commit, db } = own.system;
  await accept({ store, operation: "patch-items", rows: [{ itemId: "apple" }], ordered: false });
  const since = new Date();
  await db.collection("outbox").insertOne({ _id: "1" as never, kind: "items", since, changes: "[]" });
  await db.collection("report").insertOne({ _id: "1" as never, reports: "[]", since, due: since });
  const state = { ...newLabelState(), sendDue: since };
  await commit.change(labelStates, [labelKey(store, "due")], () => state, "bulk");
  const snapshot = await readAt(later(HOUR_MS));
  for (const stage of ["accepted rows", "unpublished changes", "label reports", "pictures to send"]) {
    const age = figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage }) ?? 0;
    t.true(age > HOUR_MS / 1000 - 60 && age < HOUR_MS / 1000 + 60, `${stage}: ${age}`);
  }
  t.is(figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage: "events" }), 0);
  t.is(figureOf(snapshot, "shelfwire_mongodb_up"), 1);
  t.is(figureOf(snapshot, "shelfwire_redis_up"), 1);
  t.true((figureOf(snapshot, "shelfwire_redis_memory_used_bytes") ?? 0) > 0);
});

test.serial("however often it is asked for, it is read once in ten seconds", async (t) => {
  let milliseconds = 0;
  const read = createInstallationReader({
    ...own.system,
    clock: () => milliseconds,
    onError: (error) => t.fail(error.message),
  });
  const first = read();
  milliseconds = 9_999;
  t.is(read(), first);
  milliseconds = 10_000;
  t.not(read(), first);
  await read();
});

test.serial("labels are counted by state, by one process until it ends", async (t) => {
  const { commit, records, db, leases } = own.system;
  const page = { page: 0, image: "picture" };
  const shown = { ...page, deliveredAt: new Date(), through: 1 };
  const states: Record<string, Partial<LabelState>> = {
    NEW: {},
    PENDING: { wanted: [page] },
    OK: { wanted: [page], shown: [shown] },
    ERROR: { wanted: [page], givenUp: "no report after 10 tries" },
    OFFLINE: { wanted: [page], shown: [shown], lastSeen: new Date(0) },
  };
  const keyOf = (barcode: string) => labelKey(store, barcode);
  const barcodes = [...Object.keys(states), "unknown to the transmitter"];
  await commit.change(
    labels,
    barcodes.map(keyOf),
    () => ({ barcode: "A", type: 1328, modelName: "Medium", stamps: {} }),
    "bulk",
  );
  for (const [barcode, state] of Object.entries(states))
    await commit.change(labelStates, [keyOf(barcode)], () => ({ ...newLabelState(), ...state }), "bulk");

  const counter = (holder: typeof leases, now = later(0)) => {
    const metrics = createMetrics();
    const step = createCountLabels({ db, records, leases: holder, metrics, offlineAfterMs: HOUR_MS, now });
    const read = async (state: string) => figureOf(await metrics.takeSnapshot(), "shelfwire_labels", { state });
    return { step, read };
  };
  const first = counter(leases);
  await first.step();
  const counted = await Promise.all(Object.keys(states).map(first.read));
  t.deepEqual(counted, [2, 1, 1, 1, 1]);

  let isHeld = false;
  const other = counter({ ...leases, hold: async () => isHeld });
  await other.step();
  t.is(await other.read("OK"), undefined);

  let now = Date.now();
  isHeld = true;
  const left = counter({ ...leases, hold: async () => isHeld }, () => new Date(now));
  await left.step();
  t.is(await left.read("OK"), 1);
  isHeld = false;
  now += HOUR_MS;
  await left.step();
  t.is(await left.read("OK"), undefined);
});
