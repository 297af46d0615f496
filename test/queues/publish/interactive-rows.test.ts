import test from "ava";
import type { CountedJob } from "../../../queues/publish/bulk-jobs.ts";
import {
  MAX_ROWS_OF_STORE,
  MAX_ROWS_OF_TENANT,
  openInteractiveRows,
} from "../../../queues/publish/interactive-rows.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { INTERACTIVE_ROWS } from "../../../schemas/urgency.ts";
import { ownSystem } from "../../harness/own.ts";
import { sayingToBe } from "../../harness/system.ts";
import { change } from "../../harness/worker.ts";

const world = ownSystem();
test.beforeEach(async () => void (await world.system.redis.flushall()));

const [MAIN, OTHER, THIRD] = ["t/demo/s/main", "t/demo/s/other", "t/demo/s/third"] as const;
const ELSEWHERE = "t/elsewhere/s/main";

/** A process that does not count a late response from Redis as missing. */
const open = (over: Partial<Parameters<typeof openInteractiveRows>[0]> = {}) =>
  openInteractiveRows({ ...world.system, onError: () => {}, timeoutMs: 600_000, ...over });

/** Admits `count` requests of `size` rows each, one after the other; returns the urgency of each. */
async function admitAll(rows: ReturnType<typeof open>, store: string, count: number, size = INTERACTIVE_ROWS) {
  const admitted: Urgency[] = [];
  for (let index = 0; index < count; index += 1) admitted.push((await rows.admit(store, size)).urgency);
  return admitted;
}

const changesOf = (id: string, store: string, count: number, urgency: Urgency = "interactive"): CountedJob => ({
  ...{ queue: "renderer", id, urgency },
  data: { changes: Array.from({ length: count }, (_, index) => change(`${store}/links/${index}`)) },
});
const chunkOf = (number: number, size: number, urgency: Urgency = "interactive"): CountedJob => {
  const key = chunkKey(MAIN, number, 0);
  return { queue: "item", id: `${key}~0`, urgency, data: { key, store: MAIN, number, index: 0, ordered: false, size } };
};

test.serial("a request with more than 100 rows is bulk and is not counted", async (t) => {
  t.deepEqual(await admitAll(open(), MAIN, 1, INTERACTIVE_ROWS + 1), ["bulk"]);
  t.is(await world.system.redis.dbsize(), 0);
});

test.serial(
  "beyond a store's share of rows in progress, its requests are bulk, and other stores' requests stay interactive",
  async (t) => {
    const rows = open();
    t.deepEqual(await admitAll(rows, MAIN, 4), ["interactive", "interactive", "bulk", "bulk"]);
    t.deepEqual(await admitAll(rows, OTHER, 1), ["interactive"]);
    t.deepEqual(await admitAll(rows, ELSEWHERE, 1), ["interactive"]);
  },
);

test.serial("beyond a tenant's share, the requests of all its stores are bulk", async (t) => {
  const rows = open();
  t.is(MAX_ROWS_OF_TENANT, 2 * MAX_ROWS_OF_STORE);
  await admitAll(rows, MAIN, 2);
  await admitAll(rows, OTHER, 2);
  t.deepEqual(await admitAll(rows, THIRD, 1, 1), ["bulk"]);
  t.deepEqual(await admitAll(rows, ELSEWHERE, 1), ["interactive"]);
});

test.serial("concurrent requests share the remaining capacity", async (t) => {
  const [one, another] = [open(), open()];
  const all = Array.from({ length: 60 }, (_, index) => (index % 2 ? one : another).admit(MAIN, INTERACTIVE_ROWS));
  const urgent = (await Promise.all(all)).filter(({ urgency }) => urgency === "interactive");
  t.true(urgent.length <= MAX_ROWS_OF_STORE / INTERACTIVE_ROWS, `${urgent.length} are interactive`);
});

test.serial("released rows stop counting, and refused rows never count", async (t) => {
  const rows = open();
  const first = await rows.admit(MAIN, INTERACTIVE_ROWS);
  await admitAll(rows, MAIN, 3);
  first.release();
  t.deepEqual(await admitAll(rows, MAIN, 2), ["interactive", "bulk"]);
});

test.serial(
  "rows count for as long as their jobs are in Redis, both chunk jobs and change jobs at every stage",
  async (t) => {
    const rows = open();
    const jobs = [chunkOf(1, 60), changesOf("a", MAIN, 70), changesOf("b", MAIN, 60)];
    await rows.enter([...jobs, changesOf("c", MAIN, 500, "bulk"), chunkOf(2, 500, "bulk")]);
    t.deepEqual(await admitAll(rows, MAIN, 2, 10), ["interactive", "bulk"]);
    t.deepEqual(await admitAll(rows, OTHER, 1), ["interactive"]);
    await rows.leave(jobs);
    t.deepEqual(await admitAll(rows, MAIN, 1), ["interactive"]);
  },
);

test.serial("a job with changes of several stores counts in each store in proportion", async (t) => {
  const rows = open();
  const both = [MAIN, OTHER].flatMap((store) => (changesOf("a", store, 150).data as { changes: object[] }).changes);
  await rows.enter([{ ...changesOf("a", MAIN, 0), data: { changes: both } }]);
  t.deepEqual(await admitAll(rows, MAIN, 1, 51), ["bulk"]);
  t.deepEqual(await admitAll(rows, OTHER, 1, 50), ["interactive"]);
});

test.serial("jobs without rows or without an ID are not counted", async (t) => {
  await open().enter([
    { ...changesOf("a", MAIN, 1), data: {} },
    { ...changesOf("b", MAIN, 1), id: undefined },
  ]);
  t.is(await world.system.redis.dbsize(), 0);
});

test.serial("an old job stops counting, so that a killed process cannot hold a share permanently", async (t) => {
  // Fixed times: the job must not age while the test is paused.
  const at = Date.now();
  const openAfter = (ms: number) => open({ now: () => new Date(at + ms) });
  await openAfter(0).enter([changesOf("a", MAIN, 400)]);
  t.deepEqual(await admitAll(openAfter(0), MAIN, 1), ["bulk"]);
  t.deepEqual(await admitAll(openAfter(30_000), MAIN, 1), ["bulk"]);
  t.deepEqual(await admitAll(openAfter(61_000), MAIN, 1), ["interactive"]);
  t.true((await world.system.redis.pttl("interactive:t/demo")) > 0, "the remaining entries expire by themselves");
});

test.serial("while Redis is down each process has its own share for each tenant", async (t) => {
  const rows = open({ redis: sayingToBe(world.system.redis, "reconnecting") });
  t.deepEqual(await admitAll(rows, MAIN, 6), [...Array(4).fill("interactive"), "bulk", "bulk"]);
  t.deepEqual(await admitAll(rows, ELSEWHERE, 1), ["interactive"]);
});
