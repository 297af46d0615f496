import test from "ava";
import type { Db } from "mongodb";
import { createCountLabels } from "../../../queues/metrics/count-labels.ts";
import { createInstallationReader } from "../../../queues/metrics/installation.ts";
import { createMetrics, type Snapshot } from "../../../queues/metrics/metrics.ts";
import { openStoreCounts } from "../../../queues/metrics/store-counts.ts";
import type { Partitions } from "../../../queues/store-partitions.ts";
import { labelStates, labels } from "../../../records/kinds/labels.ts";
import type { OpenChunksPage } from "../../../records/requests/open-chunks.ts";
import { EVERY_KEY, labelKey, storeKey } from "../../../schemas/keys.ts";
import { type LabelState, newLabelState } from "../../../schemas/label-state.ts";
import { ownSystem } from "../../harness/own.ts";
import { partOf, unchecked } from "../../harness/part-of.ts";
import { later, sayingToBe } from "../../harness/system.ts";
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
  "the age of a queue's waiting jobs is that of the oldest, even if younger and more urgent jobs precede it",
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

test.serial("the age of waiting work in MongoDB is that of its oldest row, change, report and picture", async (t) => {
  const { accept, commit, db } = own.system;
  const began = Date.now();
  await accept({ store, operation: "patch-items", rows: [{ itemId: "apple" }], ordered: false });
  const since = new Date();
  await db
    .collection<{ _id: string; [field: string]: unknown }>("outbox")
    .insertOne({ _id: "1", kind: "items", since, changes: "[]" });
  await db
    .collection<{ _id: string; [field: string]: unknown }>("report")
    .insertOne({ _id: "1", reports: "[]", since, due: since });
  const state = { ...newLabelState(), sendDue: since };
  await commit.change(labelStates, [labelKey(store, "due")], () => state, "bulk");
  const snapshot = await readAt(later(HOUR_MS));
  const oldest = (Date.now() - began + HOUR_MS) / 1000;
  for (const stage of ["accepted rows", "unpublished changes", "label reports", "pictures to send"]) {
    const age = figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage }) ?? 0;
    t.true(age > HOUR_MS / 1000 - 60 && age < oldest + 60, `${stage}: ${age}`);
  }
  t.is(figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage: "events" }), 0);
  t.is(figureOf(snapshot, "shelfwire_mongodb_up"), 1);
  t.is(figureOf(snapshot, "shelfwire_redis_up"), 1);
  t.true((figureOf(snapshot, "shelfwire_redis_memory_used_bytes") ?? 0) > 0);
});

test.serial("a queue's jobs are counted by state, and an active job counts for its age", async (t) => {
  const { publisher, redis } = own.system;
  await redis.flushall();
  const queue = publisher.queue("merger");
  const add = (id: string, options: object) =>
    queue.add("renderedimage.v1", { changes: [] }, { jobId: id, priority: 1, ...options });
  const ago = (minutes: number) => Date.now() - minutes * 60_000;
  await Promise.all([
    add("later", { delay: 3_600_000 }),
    add("one", {}),
    add("two", {}),
    add("three", {}),
    add("plain", { priority: 0 }),
  ]);
  // In the order in which a worker leaves them: the job that it took last is first in the list.
  for (const [id, timestamp] of [
    ["oldest", ago(10)],
    ["younger", ago(5)],
    ["youngest", ago(1)],
  ] as const) {
    await redis.hset(queue.toKey(id), { timestamp });
    await redis.lpush(queue.toKey("active"), id);
  }
  await redis.zadd(queue.toKey("failed"), ago(0), "of no use");
  const snapshot = await readAt(later(0));
  const jobs = ["waiting", "active", "delayed", "failed"].map((state) =>
    figureOf(snapshot, "shelfwire_queue_jobs", { queue: "merger", state }),
  );
  t.deepEqual(jobs, [4, 3, 1, 1]);
  const age = figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage: "merger" }) ?? 0;
  t.true(age >= 600 && age < 700, `${age}`);
});

test.serial("a job whose record Redis has lost has no age, nor has an empty queue", async (t) => {
  const { publisher, redis } = own.system;
  await redis.flushall();
  await publisher.enqueue("merger", [{ ...changesJob("renderedimage.v1", [labelKey(store, "A")]), id: "lost" }]);
  await redis.del(publisher.queue("merger").toKey("lost"));
  const snapshot = await readAt(later(HOUR_MS));
  for (const stage of ["merger", "item"]) t.is(figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage }), 0);
});

test.serial("the age of work waiting in MongoDB is that of the oldest, and only due pictures count", async (t) => {
  const { db, openChunks } = own.system;
  for (const name of ["outbox", "report", "inbox", labelStates.name]) await db.collection(name).deleteMany({});
  const now = Date.parse("2026-01-01T12:00:00Z");
  const at = (minutes: number) => new Date(now - minutes * 60_000);
  const insert = (name: string, documents: object[]) => db.collection(name).insertMany(documents);
  await insert("outbox", [{ since: at(1) }, { since: at(5) }, { since: at(3) }]);
  await insert("report", [
    { since: at(2), due: at(2) },
    { since: at(8), due: at(8) },
  ]);
  await insert("inbox", [
    { since: at(9), due: at(9) },
    { since: at(4), due: at(4) },
  ]);
  await insert(labelStates.name, [{ sendDue: at(7) }, { sendDue: at(6) }, { sendDue: at(-50) }, { other: 1 }]);
  const chunksSince = (minutes: number[]) =>
    partOf<OpenChunksPage>({ chunks: minutes.map((minute) => partOf({ drawnAt: at(minute) })) });
  const read = createInstallationReader({
    ...own.system,
    now: () => new Date(now),
    openChunks: {
      ...openChunks,
      readPage: async (urgency) => chunksSince(urgency === "bulk" ? [11, 12, 10] : [2]),
    },
    onError: (error) => t.fail(error.message),
  });
  const snapshot = await read();
  const ages = ["unpublished changes", "label reports", "events", "pictures to send", "accepted rows"].map((stage) =>
    figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage }),
  );
  t.deepEqual(
    ages,
    [5, 8, 9, 7, 12].map((minutes) => minutes * 60),
  );
  await db.collection(labelStates.name).deleteMany({});
  await insert(labelStates.name, [{ sendDue: at(-50) }]);
  const later = createInstallationReader({ ...own.system, now: () => new Date(now), onError: () => t.fail() });
  t.is(figureOf(await later(), "shelfwire_oldest_waiting_seconds", { stage: "pictures to send" }), 0);
});

test.serial("an unreadable value is reported and has no series, and the other values are read", async (t) => {
  const faults: string[] = [];
  const openChunks = { ...own.system.openChunks, readPage: () => Promise.reject(new Error("no page")) };
  const redis = sayingToBe(own.system.redis, "reconnecting");
  const onError = (error: Error) => void faults.push(error.message);
  const snapshot = await createInstallationReader({ ...own.system, redis, openChunks, onError })();
  t.deepEqual(faults, ["no page"]);
  t.is(figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage: "accepted rows" }), undefined);
  t.not(figureOf(snapshot, "shelfwire_oldest_waiting_seconds", { stage: "events" }), undefined);
  t.is(figureOf(snapshot, "shelfwire_queue_jobs", { queue: "merger" }), undefined);
  t.is(figureOf(snapshot, "shelfwire_redis_memory_used_bytes"), undefined);
  t.deepEqual(
    ["shelfwire_redis_up", "shelfwire_mongodb_up"].map((name) => figureOf(snapshot, name)),
    [0, 1],
  );
  const away = unchecked<Db>({
    command: () => Promise.reject(new Error("away")),
    collection: () => ({ find: () => ({ toArray: async () => [] }) }),
  });
  const without = await createInstallationReader({ ...own.system, db: away, onError })();
  t.is(figureOf(without, "shelfwire_mongodb_up"), 0);
});

test.serial("the values are read once in ten seconds, however often they are requested", async (t) => {
  let milliseconds = 5_000;
  const read = createInstallationReader({
    ...own.system,
    clock: () => milliseconds,
    onError: (error) => t.fail(error.message),
  });
  const first = read();
  milliseconds = 14_999;
  t.is(read(), first);
  milliseconds = 15_000;
  t.not(read(), first);
  await read();
});

test.serial("labels are counted by state, each by one process, until they leave its partitions", async (t) => {
  const { commit, records, db } = own.system;
  const page = { page: 0, image: "picture" };
  const shown = { ...page, deliveredAt: new Date(), through: 1 };
  const states: Record<string, Partial<LabelState>> = {
    NEW: {},
    PENDING: { wanted: [page] },
    OK: { wanted: [page], shown: [shown] },
    ERROR: { wanted: [page], givenUp: "no report after 10 tries" },
    OFFLINE: { wanted: [page], shown: [shown], lastSeen: new Date(0), checksIn: true },
    UNKNOWN: { wanted: [page], shown: [shown], lastSeen: new Date(0) },
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

  const counter = (partitions: Pick<Partitions, "own">, now = later(0)) => {
    const metrics = createMetrics();
    const storeCounts = openStoreCounts(own.system.redis, now);
    const step = createCountLabels({ db, records, partitions, metrics, storeCounts, offlineAfterMs: HOUR_MS, now });
    const read = async (state: string) => figureOf(await metrics.takeSnapshot(), "shelfwire_labels", { state });
    return { step, read };
  };
  const first = counter(own.system.partitions);
  await first.step();
  const counted = await Promise.all(Object.keys(states).map(first.read));
  t.deepEqual(counted, [2, 1, 1, 1, 1, 1]);

  const other = counter({ own: async () => [] });
  await other.step();
  t.is(await other.read("OK"), undefined);

  let now = Date.now();
  let parts = [EVERY_KEY];
  const left = counter({ own: async () => parts }, () => new Date(now));
  await left.step();
  t.is(await left.read("OK"), 1);
  parts = [];
  now += HOUR_MS;
  await left.step();
  t.is(await left.read("OK"), undefined);
});
