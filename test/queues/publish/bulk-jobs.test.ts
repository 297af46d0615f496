import test from "ava";
import { type CountedJob, MAX_CHANGE_JOBS, openBulkJobs } from "../../../queues/publish/bulk-jobs.ts";
import { chunkKey } from "../../../schemas/keys.ts";
import type { Urgency } from "../../../schemas/urgency.ts";
import { ownSystem } from "../../harness/own.ts";
import { later } from "../../harness/system.ts";
import { change } from "../../harness/worker.ts";

const TENANT = "t/demo";
const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

const changes = (id: string, tenant = TENANT, urgency: Urgency = "bulk"): CountedJob => ({
  ...{ queue: "renderer", id, urgency },
  data: { changes: [change(`${tenant}/s/main/links/a`)] },
});
const chunk = (number: number): CountedJob => {
  const key = chunkKey(`${TENANT}/s/main`, number, 0);
  return { queue: "item", id: `${key}~2`, urgency: "bulk", data: { key, index: 0 } };
};

test.serial("bulk jobs of a tenant count from their adding until they are done, each once", async (t) => {
  const { bulkJobs } = world.system;
  const jobs = [changes("a"), changes("b"), changes("b"), changes("c", "t/other"), changes("d", TENANT, "interactive")];
  await bulkJobs.enter([...jobs, chunk(7)]);
  const held = { queue: "item" as const, jobId: `${chunkKey(`${TENANT}/s/main`, 7, 0)}~2` };
  t.deepEqual(await bulkJobs.read(TENANT), {
    chunks: [{ ...held, key: chunkKey(`${TENANT}/s/main`, 7, 0) }],
    changeJobs: 2,
    turn: undefined,
    confirmed: new Set<string>(),
  });
  await bulkJobs.leave([changes("a"), changes("a"), chunk(7)]);
  const { chunks, changeJobs } = await bulkJobs.read(TENANT);
  t.deepEqual([chunks.length, changeJobs], [0, 1]);
});

test.serial("a job that was added long ago counts no more, so that a killed process blocks no tenant", async (t) => {
  const { bulkJobs, redis } = world.system;
  await bulkJobs.enter(Array.from({ length: MAX_CHANGE_JOBS }, (_, index) => changes(`${index}`)));
  t.true(await bulkJobs.isBusy(TENANT));
  t.false(await bulkJobs.isBusy("t/other"));
  t.false(await openBulkJobs(redis, later(301_000)).isBusy(TENANT));
});

test.serial("what counts no more is deleted with the next of its kind, and all of it where none follows", async (t) => {
  const { redis } = world.system;
  const began = Date.now();
  const openAt = (ms: number) => openBulkJobs(redis, () => new Date(began + ms));
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
  const [ofChanges, ofConfirmed] = [await redis.pttl("bulk:t/demo:changes"), await redis.pttl("bulk:t/demo:confirmed")];
  t.true(ofChanges > 30_000 && ofChanges <= 300_000, `${ofChanges} ms`);
  t.true(ofConfirmed > 0 && ofConfirmed <= 30_000, `${ofConfirmed} ms`);
});

test.serial("a job that is done tells of which tenants chunks wait in the journal", async (t) => {
  const { bulkJobs } = world.system;
  await bulkJobs.noteTurn(TENANT, `${TENANT}/s/main`);
  t.deepEqual(await bulkJobs.leave([changes("a"), changes("b", "t/other")]), [TENANT]);
  await bulkJobs.enter([changes("a"), changes("b", "t/other")]);
  t.deepEqual(await bulkJobs.leave([changes("a"), changes("b", "t/other")]), [TENANT], "though both were counted");
  t.is((await bulkJobs.read(TENANT)).turn, `${TENANT}/s/main`);
  t.is((await bulkJobs.read("t/other")).turn, undefined);
  const uncounted = [changes("a", TENANT, "interactive"), { ...changes("b"), id: undefined }];
  t.deepEqual(await bulkJobs.leave(uncounted), []);
});

test.serial("a job that carries neither a chunk nor changes is not counted", async (t) => {
  const { bulkJobs } = world.system;
  const key = `${TENANT}/s/main`;
  await bulkJobs.enter([
    { ...changes("a"), data: { key } },
    { ...changes("b"), data: {} },
  ]);
  const { chunks, changeJobs } = await bulkJobs.read(TENANT);
  t.deepEqual([chunks.length, changeJobs], [0, 0]);
});

test.serial("jobs that Redis does not take are not counted", async (t) => {
  const { publisher, bulkJobs } = world.system;
  const cyclic: Record<string, unknown> = { changes: [change(`${TENANT}/s/main/links/a`)] };
  Object.assign(cyclic, { itself: cyclic });
  t.false(await publisher.enqueue("renderer", [{ name: "link.v2", data: cyclic, urgency: "bulk" }]));
  t.is((await bulkJobs.read(TENANT)).changeJobs, 0);
});
