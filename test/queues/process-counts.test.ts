import test, { type ExecutionContext } from "ava";
import { createMetrics } from "../../queues/metrics/metrics.ts";
import { startReporter } from "../../queues/metrics/reporter.ts";
import { countsOf, createProcessCounter } from "../../queues/process-counts.ts";
import { openBulkJobs } from "../../queues/publish/bulk-jobs.ts";
import { createAdmitChunks } from "../../queues/requests/admit-chunks.ts";
import { MAX_CHANGE_JOBS, MAX_CHANGE_KEYS } from "../../queues/tenant-windows.ts";
import { type Chunk, journalCollection } from "../../records/requests/journal.ts";
import { chunkKey } from "../../schemas/keys.ts";
import { ownSystem } from "../harness/own.ts";
import { later, sayingToBe } from "../harness/system.ts";
import { change } from "../harness/worker.ts";

const own = ownSystem();
test.beforeEach(async () => void (await own.system.redis.flushall()));

const fail = (error: Error) => {
  throw error;
};
/** A fixed time, so that reports do not expire while a test is paused. */
const AT = Date.now();
const now = () => new Date(AT);
const open = (over: Partial<Parameters<typeof createProcessCounter>[0]> = {}) =>
  createProcessCounter({ redis: own.system.redis, now, clock: () => 0, onError: fail, ...over });

/** Processes of these kinds that report once and end with the test. */
async function live(t: ExecutionContext, ...kinds: ("item" | "renderer" | "transmitter" | "all" | "web")[]) {
  const reporters = kinds.map((kind, index) =>
    startReporter({
      ...{ metrics: createMetrics(), redis: own.system.redis, now, onError: fail, intervalMs: 86_400_000 },
      labels: { process: kind, process_id: `${index}` },
    }),
  );
  for (const reporter of reporters) {
    await reporter.report();
    t.teardown(() => reporter.stop());
  }
}

test.serial(
  "each process counts for its queues, a process with all workers counts for every queue, and every queue has at least one",
  async (t) => {
    t.deepEqual([...new Set(Object.values(await open()()))], [1]);
    await live(t, "item", "item", "item", "transmitter", "transmitter", "all", "web");
    const counts = await open()();
    t.deepEqual(counts, { ...countsOf(["all"]), item: 4, transmitter: 3, flash: 3 });
  },
);

test.serial("processes are counted again after five seconds, and a killed process counts for a minute", async (t) => {
  const set = { ms: 0 };
  await live(t, "item", "item");
  const count = open({ clock: () => set.ms, now: () => new Date(AT + set.ms) });
  t.is((await count()).item, 2);
  await live(t, "item", "item", "item");
  set.ms = 4_999;
  t.is((await count()).item, 2);
  set.ms = 5_000;
  t.is((await count()).item, 3);
  set.ms = 61_000;
  t.is((await count()).item, 1);
});

test.serial("while Redis does not answer, the last counts remain", async (t) => {
  const set = { ms: 0, isAway: false };
  await live(t, "item", "item");
  const redis = new Proxy(own.system.redis, {
    get: (target, name) =>
      set.isAway && name === "zrangebyscore"
        ? async () => Promise.reject(new Error("Redis is unreachable"))
        : Reflect.get(target, name),
  });
  const faults: string[] = [];
  const count = open({ redis, clock: () => set.ms, onError: ({ message }) => void faults.push(message) });
  t.is((await count()).item, 2);
  set.isAway = true;
  set.ms = 6_000;
  t.is((await count()).item, 2);
  t.deepEqual(faults, ["Redis is unreachable"]);
  t.is((await open({ redis: sayingToBe(own.system.redis, "reconnecting") })()).item, 1, "no earlier count is known");
});

const STORES = ["a", "b", "c", "d", "e"].map((id) => `t/busy/s/${id}`);
const CHUNKS_OF_EACH = 20;

/** Journals more chunks of each store than any window in this file admits. */
async function journal(): Promise<void> {
  const at = new Date(Date.now() - 60_000);
  const chunks = STORES.flatMap((store) =>
    Array.from({ length: CHUNKS_OF_EACH }, (_, index): Chunk => {
      const number = index + 1;
      return {
        ...{ _id: chunkKey(store, number, 0), store, number, index: 0, chunks: 1, rows: "[]", size: 1_000 },
        ...{ firstRow: 0, operation: "patch-items", ordered: false, urgency: "bulk", generation: 0, open: true },
        ...{ drawnAt: at, journaledAt: at, validFor: 0 },
      };
    }),
  );
  await journalCollection(own.system.db).insertMany(chunks);
}

test.serial("two live processes admit twice as many chunks as one, and twice as many change jobs", async (t) => {
  const { system } = own;
  await journal();
  const countedAgain = () => ({ countProcesses: open(), bulkJobs: openBulkJobs(system.redis, later(0), open()) });
  const admit = () => createAdmitChunks({ ...system, ...countedAgain() })("t/busy");
  const isBusy = () => countedAgain().bulkJobs.isBusy("t/busy");
  const enter = (batch: string) =>
    system.bulkJobs.enter(
      Array.from({ length: MAX_CHANGE_JOBS }, (_, index) => ({
        ...{ queue: "renderer" as const, id: `${batch}-${index}`, urgency: "bulk" as const },
        data: { changes: Array(MAX_CHANGE_KEYS / MAX_CHANGE_JOBS).fill(change("t/busy/s/a/links/a")) },
      })),
    );
  await live(t, "item", "renderer");
  t.is(await admit(), 16);
  await enter("one");
  t.true(await isBusy());
  await live(t, "item", "renderer", "item", "renderer");
  t.false(await isBusy());
  t.is(await admit(), 16);
  t.is(await system.publisher.queue("item").getPrioritizedCount(), 32);
  t.is(await admit(), 0);
  await enter("two");
  t.true(await isBusy());
});
