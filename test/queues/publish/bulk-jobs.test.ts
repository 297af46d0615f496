import test from "ava";
import { countsOf } from "../../../queues/process-counts.ts";
import { type CountedJob, openBulkJobs } from "../../../queues/publish/bulk-jobs.ts";
import { MAX_CHANGE_JOBS, MAX_CHANGE_KEYS } from "../../../queues/tenant-windows.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { lastingRedis } from "../../harness/databases/lasting-redis.ts";
import { ownSystem } from "../../harness/own.ts";
import { later } from "../../harness/system.ts";
import { change } from "../../harness/worker.ts";

const TENANT = "t/demo";
const oneEach = async () => countsOf([]);
const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

const changes = (id: string, tenant = TENANT, urgency: Urgency = "bulk", count = 1): CountedJob => ({
  ...{ queue: "renderer", id, urgency },
  data: { changes: Array.from({ length: count }, () => change(`${tenant}/s/main/links/a`)) },
});
/** `count` jobs with the given number of keys each. */
const manyChanges = (jobs: number, keys: number) =>
  Array.from({ length: jobs }, (_, index) => changes(`${index}`, TENANT, "bulk", keys));
const changeJobs = () => world.system.redis.zcard(`bulk:${TENANT}:changes`);
const chunk = (number: number): CountedJob => {
  const key = chunkKey(`${TENANT}/s/main`, number, 0);
  return { queue: "item", id: `${key}~2`, urgency: "bulk", data: { key, index: 0 } };
};

test.serial("each of a tenant's bulk jobs counts once, from enqueuing until it is done", async (t) => {
  const { bulkJobs } = world.system;
  const jobs = [changes("a"), changes("b"), changes("b"), changes("c", "t/other"), changes("d", TENANT, "interactive")];
  await bulkJobs.enter([...jobs, chunk(7)]);
  const held = { queue: "item" as const, jobId: `${chunkKey(`${TENANT}/s/main`, 7, 0)}~2` };
  t.deepEqual(await bulkJobs.read(TENANT), {
    chunks: [{ ...held, key: chunkKey(`${TENANT}/s/main`, 7, 0) }],
    isBusy: false,
    turn: undefined,
    confirmed: new Set<string>(),
  });
  t.is(await changeJobs(), 2);
  await bulkJobs.leave([changes("a"), changes("a"), chunk(7)]);
  t.deepEqual([(await bulkJobs.read(TENANT)).chunks.length, await changeJobs()], [0, 1]);
});

test.serial("an old job stops counting, so that a killed process blocks no tenant", async (t) => {
  const { bulkJobs, redis } = world.system;
  await bulkJobs.enter(manyChanges(MAX_CHANGE_JOBS, MAX_CHANGE_KEYS / MAX_CHANGE_JOBS));
  t.true(await bulkJobs.isBusy(TENANT));
  t.false(await bulkJobs.isBusy("t/other"));
  t.false(await openBulkJobs(redis, later(301_000), oneEach).isBusy(TENANT));
});

test.serial(
  "whether a tenant is busy depends on the number of its jobs and of their keys: jobs with few keys leave room for more jobs",
  async (t) => {
    const { bulkJobs, redis } = world.system;
    for (const [jobs, keys, isBusy] of [
      [MAX_CHANGE_JOBS - 1, 1_000, false],
      [MAX_CHANGE_JOBS, MAX_CHANGE_KEYS / MAX_CHANGE_JOBS - 1, false],
      [MAX_CHANGE_JOBS, MAX_CHANGE_KEYS / MAX_CHANGE_JOBS, true],
      [999, 1, false],
      [1_000, 1, true],
    ] as const) {
      await redis.flushall();
      await bulkJobs.enter(manyChanges(jobs, keys));
      t.is(await bulkJobs.isBusy(TENANT), isBusy, `${jobs} jobs of ${keys} keys`);
      t.is((await bulkJobs.read(TENANT)).isBusy, isBusy);
    }
  },
);

test.serial("a job counted by an earlier release is assumed to have the maximum number of keys", async (t) => {
  const { bulkJobs, redis } = world.system;
  const now = Date.now();
  for (let index = 0; index < MAX_CHANGE_JOBS; index += 1)
    await redis.zadd(`bulk:${TENANT}:changes`, now, `renderer former-${index}`);
  t.true(await bulkJobs.isBusy(TENANT));
});

test.serial(
  "expired entries are deleted with the next entry of their kind, or all together if none follows",
  async (t) => {
    const { redis, limits } = lastingRedis(world.system.redis);
    const began = Date.now();
    const openAt = (ms: number) => openBulkJobs(redis, () => new Date(began + ms), oneEach);
    const bulkJobs = openAt(0);
    const sizes = () => Promise.all([redis.zcard("bulk:t/demo:changes"), redis.zcard("bulk:t/demo:confirmed")]);
    const confirm = (jobs: typeof bulkJobs, number: number) =>
      jobs.noteConfirmed([{ store: `${TENANT}/s/main`, number }]);
    await Promise.all([bulkJobs.enter([changes("a")]), confirm(bulkJobs, 1)]);
    const stillCounted = openAt(29_000);
    await Promise.all([stillCounted.enter([changes("b")]), confirm(stillCounted, 2)]);
    t.deepEqual(await sizes(), [2, 2]);
    t.deepEqual(
      (await stillCounted.read(TENANT)).confirmed,
      new Set([1, 2].map((number) => `${TENANT}/s/main/${number}`)),
    );
    const laterJobs = openAt(328_000);
    await Promise.all([laterJobs.enter([changes("c")]), confirm(laterJobs, 3)]);
    t.deepEqual(await sizes(), [2, 1]);
    t.deepEqual((await laterJobs.read(TENANT)).confirmed, new Set([`${TENANT}/s/main/3`]));
    t.deepEqual(Object.fromEntries(limits), { "bulk:t/demo:changes": 300_000, "bulk:t/demo:confirmed": 30_000 });
  },
);

test.serial("a finished job returns the tenants with chunks waiting in the journal", async (t) => {
  const { bulkJobs } = world.system;
  await bulkJobs.noteTurn(TENANT, `${TENANT}/s/main`);
  t.deepEqual(await bulkJobs.leave([changes("a"), changes("b", "t/other")]), [TENANT]);
  await bulkJobs.enter([changes("a"), changes("b", "t/other")]);
  t.deepEqual(await bulkJobs.leave([changes("a"), changes("b", "t/other")]), [TENANT], "although both were counted");
  t.is((await bulkJobs.read(TENANT)).turn, `${TENANT}/s/main`);
  t.is((await bulkJobs.read("t/other")).turn, undefined);
  const uncounted = [changes("a", TENANT, "interactive"), { ...changes("b"), id: undefined }];
  t.deepEqual(await bulkJobs.leave(uncounted), []);
});

test.serial("a job with neither a chunk nor changes is not counted", async (t) => {
  const { bulkJobs } = world.system;
  const key = `${TENANT}/s/main`;
  await bulkJobs.enter([
    { ...changes("a"), data: { key } },
    { ...changes("b"), data: {} },
  ]);
  t.deepEqual([(await bulkJobs.read(TENANT)).chunks.length, await changeJobs()], [0, 0]);
});

test.serial("jobs that Redis refuses are not counted", async (t) => {
  const { publisher } = world.system;
  const cyclic: Record<string, unknown> = { changes: [change(`${TENANT}/s/main/links/a`)] };
  Object.assign(cyclic, { itself: cyclic });
  t.false(await publisher.enqueue("renderer", [{ name: "link.v2", data: cyclic, urgency: "bulk" }]));
  t.is(await changeJobs(), 0);
});
