import test, { type ExecutionContext } from "ava";
import type { Job } from "bullmq";
import { createPublisher, type JobToAdd, type Publisher } from "../../../queues/publish/publisher.ts";
import { queueNames } from "../../../queues/topology.ts";
import { itemKey, storeKey } from "../../../schemas/keys.ts";
import type { Change, Topic } from "../../../schemas/topics.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { ownSystem } from "../../harness/own.ts";
import { jobsOf, sayingToBe } from "../../harness/system.ts";

/** The jobs and their options on a real Redis, and the report if Redis does not accept them. */
const own = ownSystem();
test.beforeEach(async () => void (await own.system.redis.flushall()));

type Over = Partial<Parameters<typeof createPublisher>[0]>;

function open(t: ExecutionContext, over: Over = {}) {
  const counted: [string, object, number | undefined][] = [];
  const notified: [Topic, readonly Change[]][] = [];
  const faults: string[] = [];
  const publisher = createPublisher({
    redis: own.system.redis,
    queuePartitions: 1,
    isFull: async () => false,
    bulkJobs: own.system.bulkJobs,
    interactiveRows: own.system.interactiveRows,
    observers: { notify: async (topic, changes) => void notified.push([topic, changes]), streamLabels: () => {} },
    findUnread: async () => new Set(),
    choices: { noteUnread: async () => {} },
    metrics: { count: (...args: [string, object, number]) => void counted.push(args) },
    onError: (error) => void faults.push(error.message),
    ...over,
  });
  t.teardown(publisher.close);
  return { ...publisher, counted, notified, faults };
}

const changeOf = (store: string, itemId: string, urgency: Urgency = "bulk", more: Partial<Change> = {}): Change => ({
  ...{ key: itemKey(store, itemId), rev: 1, operation: "UPDATED", changed: ["price"], urgency },
  ...more,
});
const jobOf = (urgency: Urgency, more: Partial<JobToAdd> = {}): JobToAdd => ({
  ...{ name: "storeitemvalues.v1", data: { changes: [changeOf("t/demo/s/main", "milk", urgency)] }, urgency },
  ...more,
});
const jobs = (queue: Parameters<Publisher["queue"]>[0] = "evaluator") => jobsOf(own.system, queue);
const trace = (id: number) => `00-${String(id).padStart(32, "0")}-${"1".repeat(16)}-01`;
const keysOf = ({ data }: { data: { changes: Change[] } }) => data.changes.map(({ key }) => key);

test.serial("changes become jobs of one urgency and one tenant each, with at most a thousand changes", async (t) => {
  const { publish, notified, counted } = open(t);
  const changes = [
    changeOf("t/one/s/main", "a"),
    changeOf("t/two/s/main", "b"),
    changeOf("t/one/s/other", "c"),
    changeOf("t/one/s/main", "d", "interactive"),
  ];
  t.true(await publish("storeitemvalues.v1", changes));
  const grouped = (await jobs()).map((job) => [job.priority, keysOf(job)] as const);
  const byKey = grouped.toSorted(([, [a = ""]], [, [b = ""]]) => (a < b ? -1 : 1));
  t.deepEqual(byKey, [
    [10, [itemKey("t/one/s/main", "a"), itemKey("t/one/s/other", "c")]],
    [1, [itemKey("t/one/s/main", "d")]],
    [10, [itemKey("t/two/s/main", "b")]],
  ]);
  t.deepEqual(notified, [["storeitemvalues.v1", changes]]);
  t.deepEqual(counted, [["shelfwire_changes_published_total", { topic: "storeitemvalues.v1" }, 4]]);
  await own.system.redis.flushall();
  const many = Array.from({ length: 1_001 }, (_, index) => changeOf("t/one/s/main", `${index}`));
  t.true(await publish("storeitemvalues.v1", many));
  t.deepEqual((await jobs()).map((job) => keysOf(job).length).sort(), [1, 1_000]);
});

test.serial("a job's priority follows from its urgency, and is slightly lower if it yields to others", async (t) => {
  const { enqueue } = open(t);
  const [urgent, bulk] = [jobOf("interactive", { id: "a" }), jobOf("bulk", { id: "b" })];
  const after = { goesAfter: true } as const;
  t.true(await enqueue("evaluator", [urgent, { ...urgent, ...after, id: "c" }, bulk, { ...bulk, ...after, id: "d" }]));
  const found = (await jobs()).toSorted((one, other) => (one.id ?? "").localeCompare(other.id ?? ""));
  t.deepEqual(
    found.map(({ id, name, priority }) => [id, name, priority]),
    [
      ["a", "storeitemvalues.v1", 1],
      ["b", "storeitemvalues.v1", 10],
      ["c", "storeitemvalues.v1", 2],
      ["d", "storeitemvalues.v1", 11],
    ],
  );
});

test.serial("a failed job is retried five times, at growing intervals with jitter", async (t) => {
  await open(t).enqueue("evaluator", [jobOf("bulk")]);
  const [job] = await jobs();
  t.is(job?.opts.attempts, 5);
  t.deepEqual(job?.opts.backoff, { type: "exponential", delay: 500, jitter: 0.5 });
  t.is(job?.opts.telemetry, undefined);
});

test.serial("jobs without an ID are distinct, and two jobs with the same ID are one", async (t) => {
  const { enqueue } = open(t);
  t.true(await enqueue("evaluator", [jobOf("bulk"), jobOf("bulk"), jobOf("bulk", { id: "known" })]));
  t.true(await enqueue("evaluator", [jobOf("bulk", { id: "known" })]));
  t.is((await jobs()).length, 3);
});

test.serial("a job belongs to the trace of its cause, whatever its changes say", async (t) => {
  const data = { changes: [changeOf("t/demo/s/main", "milk", "bulk", { cause: { trace: trace(1) } })] };
  await open(t).enqueue("evaluator", [jobOf("bulk", { data, cause: { trace: trace(2) } })]);
  const [job] = await jobs();
  t.deepEqual(JSON.parse(job?.opts.telemetry?.metadata ?? "{}"), { traceparent: trace(2) });
});

test.serial(
  "without its own cause a job belongs to the trace of its newest change, if that change has one",
  async (t) => {
    const { enqueue, publish } = open(t);
    const changes = (...revs: [rev: number, trace: number | undefined][]) =>
      revs.map(([rev, id]) =>
        changeOf("t/demo/s/main", `${id}`, "bulk", { rev, cause: id === undefined ? {} : { trace: trace(id) } }),
      );
    const traceOf = async (given: readonly Change[]) => {
      await own.system.redis.flushall();
      await (given.length > 0
        ? publish("storeitemvalues.v1", given)
        : enqueue("evaluator", [jobOf("bulk", { data: {} })]));
      const [job] = await jobs();
      return job?.opts.telemetry?.metadata && JSON.parse(job.opts.telemetry.metadata).traceparent;
    };
    t.is(await traceOf(changes([9, 1], [3, 2])), trace(1));
    t.is(await traceOf(changes([3, 1], [9, 2])), trace(2));
    t.is(await traceOf(changes([5, 1], [5, 2])), trace(2), "the last of equally new changes");
    t.is(await traceOf(changes([3, 1], [9, undefined])), undefined);
    t.is(await traceOf([]), undefined);
  },
);

test.serial("bulk jobs are counted for their tenant", async (t) => {
  await open(t).enqueue("evaluator", [jobOf("bulk"), jobOf("interactive"), jobOf("bulk", { id: "known" })]);
  t.is(await own.system.redis.zcard("bulk:t/demo:changes"), 2);
});

test.serial(
  "a Redis that is full for bulk jobs accepts only interactive jobs, and none if it is full for those as well",
  async (t) => {
    const set = { full: new Set<Urgency>(["bulk"]) };
    const { enqueue, publish, notified, counted } = open(t, { isFull: async (_, urgency) => set.full.has(urgency) });
    t.true(await enqueue("evaluator", [jobOf("interactive")]));
    t.false(await enqueue("evaluator", [jobOf("interactive"), jobOf("bulk")]));
    t.is((await jobs()).length, 1);
    const changes = [changeOf("t/one/s/main", "a", "interactive"), changeOf("t/one/s/main", "b")];
    t.false(await publish("storeitemvalues.v1", changes));
    t.deepEqual([notified, counted], [[], []]);
    set.full.add("interactive");
    t.false(await enqueue("evaluator", [jobOf("interactive")]));
  },
);

test.serial("a change counts as published only if each of its queues has accepted it", async (t) => {
  const publisher = open(t, { isFull: async ({ name }) => name === "renderer" });
  t.false(await publisher.publish("storeitemvalues.v1", [changeOf("t/one/s/main", "a")]));
  t.deepEqual([publisher.notified, publisher.counted], [[], []]);
});

test.serial("no job is enqueued while Redis is down, and an empty list always succeeds", async (t) => {
  const away = sayingToBe(own.system.redis, "end");
  const { enqueue, isReady } = open(t, { redis: away });
  t.false(isReady());
  t.false(await enqueue("evaluator", [jobOf("bulk")]));
  t.true(await enqueue("evaluator", []));
  const here = open(t);
  t.true(here.isReady());
  t.true(await here.enqueue("evaluator", []));
  t.deepEqual(await jobs(), []);
});

test.serial("jobs that Redis rejects are reported and stop counting", async (t) => {
  const { redis } = own.system;
  const { enqueue, faults } = open(t);
  const prioritized = `${own.system.publisher.queue("evaluator").toKey("prioritized")}`;
  await redis.set(prioritized, "a text");
  t.false(await enqueue("evaluator", [jobOf("bulk")]));
  t.regex(faults.join(), /WRONGTYPE/);
  t.is(await own.system.redis.zcard("bulk:t/demo:changes"), 0);
});

test.serial(
  "all jobs and changes of a store are in one partition, and each store's partition is found by its key",
  async (t) => {
    const publisher = open(t, { queuePartitions: 3 });
    const stores = ["main", "one", "four"].map((id) => storeKey("demo", id));
    const changes = stores.flatMap((store) => [changeOf(store, "a"), changeOf(store, "b")]);
    t.true(await publisher.publish("storeitemvalues.v1", changes));
    const orders = stores.map((store) => ({ name: "draw-size", data: { store }, id: store, urgency: "bulk" as const }));
    t.true(await publisher.enqueue("sizes", [...orders, ...orders]));
    for (const store of stores) {
      const [job, ...others] = await publisher.queue("evaluator", store).getJobs();
      t.deepEqual([keysOf(job as Job), others], [[itemKey(store, "a"), itemKey(store, "b")], []]);
      t.is((await publisher.queue("sizes", store).getJob(store))?.name, "draw-size");
    }
    t.is(publisher.partitions("evaluator").length, 3);
    t.deepEqual(await publisher.countJobs("sizes", "prioritized", "active"), { prioritized: 3, active: 0 });
  },
);

test.serial("a full partition blocks no job of another partition", async (t) => {
  const publisher = open(t, { queuePartitions: 3, isFull: async ({ name }) => name === "evaluator-1" });
  const [main, one] = [storeKey("demo", "main"), storeKey("demo", "one")] as const;
  const job = (store: string) => jobOf("bulk", { data: { changes: [changeOf(store, "milk")] } });
  t.false(await publisher.enqueue("evaluator", [job(main), job(one)]));
  t.is(await publisher.queue("evaluator", main).getPrioritizedCount(), 1);
  t.is(await publisher.queue("evaluator", one).getPrioritizedCount(), 0);
});

test.serial("closing a publisher closes its queues and their connections", async (t) => {
  const publisher = open(t, { queuePartitions: 2 });
  const isClosed = () => queueNames.flatMap(publisher.partitions).map(({ closing }) => closing !== undefined);
  t.false(isClosed().some(Boolean));
  await publisher.close();
  t.true(isClosed().every(Boolean));
});

test.serial("a change that no rule reads goes only to the renderer, and is recorded first", async (t) => {
  const [price, kind] = ["milk", "bread"].map((itemId) =>
    changeOf("t/demo/s/main", itemId, "interactive", { rev: 7, formerRev: 5 }),
  );
  const seen: [unknown, number][] = [];
  const { publish } = open(t, {
    findUnread: async (changes) => new Set(changes.filter((change) => change === price)),
    choices: { noteUnread: async (items) => void seen.push([[...items], (await jobs("renderer")).length]) },
  });
  t.true(await publish("storeitemvalues.v1", [price, kind] as Change[]));
  t.deepEqual(seen, [[[[price?.key, { from: 5, to: 7 }]], 0]]);
  const keysIn = async (queue: "evaluator" | "renderer") => (await jobs(queue)).flatMap(keysOf);
  t.deepEqual(await keysIn("evaluator"), [kind?.key]);
  t.deepEqual(await keysIn("renderer"), [price?.key, kind?.key]);
});

test.serial("if the rules cannot be read, every change goes to the evaluator", async (t) => {
  const { publish, faults } = open(t, { findUnread: () => Promise.reject(new Error("no primary")) });
  t.true(await publish("storeitemvalues.v1", [changeOf("t/demo/s/main", "milk")]));
  t.is((await jobs()).length, 1);
  t.deepEqual(faults, ["no primary"]);
});
