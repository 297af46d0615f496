import test from "ava";
import type { JobToAdd } from "../../../../queues/publish/publisher.ts";
import type { QueueName } from "../../../../queues/topology.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { changesJob } from "../../../harness/worker.ts";
import { chunkJob, IMAGES, unreachable, workersOf } from "./an-observed-worker.ts";

// The counts, logs and notifications about handled jobs, and how long a job waits for its next attempt.

const world = ownSystem();
const { completed, queue, startItem, startMerger } = workersOf(world);
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

/** How long the delayed job waits, in milliseconds from `now`. */
async function waitOf(name: QueueName, now: Date): Promise<number> {
  const [, score] = await eventually("it waits", async () => {
    const delayed = await world.system.redis.zrange(queue(name).toKey("delayed"), "0", "-1", "WITHSCORES");
    return delayed.length > 0 && delayed;
  });
  // BullMQ stores a job's sequence number in the lowest 12 bits.
  return Math.floor(Number(score) / 4_096) - now.getTime();
}

/** Far enough in the future that no job becomes due during the test. */
const now = new Date("2200-01-01T00:00:00Z");

test.serial("a returned job waits twice as long after each start, up to a second", async (t) => {
  startItem(t, async (chunks) => [...chunks], { now: () => now, random: () => 0 });
  await world.system.publisher.enqueue("item", [{ ...chunkJob(1), id: "first" }]);
  const waits: number[] = [];
  for (let start = 0; start < 7; start += 1) {
    waits.push(await waitOf("item", now));
    const job = await queue("item").getJob("first");
    t.is(job?.attemptsMade, 0, "returning it costs no attempt");
    await job?.promote();
    await eventually(
      "the job is started again",
      async () => (await queue("item").getJob("first"))?.attemptsStarted === start + 2,
    );
  }
  t.deepEqual(waits, [50, 100, 200, 400, 800, 1_000, 1_000]);
});

test.serial("waits vary by up to a half, so that jobs with the same cause do not return together", async (t) => {
  startItem(t, () => Promise.reject(unreachable), { now: () => now, random: () => 0.5 });
  await world.system.publisher.enqueue("item", [chunkJob(1)]);
  t.is(await waitOf("item", now), 2_500);
});

test.serial("the last hundred finished jobs and a week of failed ones are kept", async (t) => {
  const worker = startMerger(t, async () => {}, {});
  const jobs = Array.from({ length: 130 }, (_, index) => changesJob(IMAGES, [`t/demo/s/main/links/${index}`]));
  await world.system.publisher.enqueue("merger", jobs);
  await eventually("all are handled", async () => worker.progress("merger") === jobs.length);
  await completed("merger", 100);
  const failed = queue("merger").toKey("failed");
  await world.system.redis.zadd(failed, Date.now() - 8 * 86_400_000, "of-last-week");
  const faulty: JobToAdd = { name: IMAGES, data: {}, urgency: "bulk" };
  await world.system.publisher.enqueue("merger", [faulty, faulty]);
  await eventually("both have failed", async () => {
    const kept = await world.system.redis.zrange(failed, "0", "-1");
    return kept.length === 2 && !kept.includes("of-last-week");
  });
  t.pass();
});
