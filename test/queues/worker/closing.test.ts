import test, { type ExecutionContext } from "ava";
import { topology } from "../../../queues/topology.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { changesJob, startAWorker } from "../../harness/worker.ts";

const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

const NEVER_MS = 86_400_000;
const IMAGES = "renderedimage.v1";
const merger = () => world.system.publisher.queue("merger");
/** As many changes as one batch accepts, so that each job is a batch. */
const SIZE = topology.merger.batch;
const job = (key: string) =>
  changesJob(
    IMAGES,
    Array.from({ length: SIZE }, (_, index) => `t/demo/s/main/links/${key}-${index}`),
  );

/** A worker whose calls end when the test ends them. */
function startMerger(t: ExecutionContext, handOverAfterMs: number) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const nothing = async () => {};
  const worker = startAWorker(
    t,
    world,
    "merger",
    {
      "ecceslimage.v1": nothing,
      "pageimage.v1": nothing,
      [IMAGES]: async (changes: Change[]) => {
        begun.push(...changes.map(({ key }) => key));
        await promise;
      },
    },
    { handOverAfterMs },
  );
  // A failed test must not leave a call that never ends.
  t.teardown(end);
  return { worker, begun, end };
}

/**
 * States in which any process may take a job: a returned job is due immediately, and may have been promoted already.
 */
const GIVEN_BACK = ["delayed", "prioritized"] as const;

/** Starts jobs in the process: one is handled and the others wait. */
async function startInWork(t: ExecutionContext, handOverAfterMs: number) {
  const scene = startMerger(t, handOverAfterMs);
  await world.system.publisher.enqueue("merger", ["a", "b", "c"].map(job));
  await eventually("all jobs are taken and one has begun", async () => {
    return (await merger().getActiveCount()) === 3 && scene.begun.length > 0;
  });
  return scene;
}

/** Waits until another process has handled this many jobs and none is left. */
async function takenElsewhere(t: ExecutionContext, jobs: number): Promise<void> {
  const other = startMerger(t, NEVER_MS);
  other.end();
  await eventually("the other process has handled them", async () => {
    const counts = await merger().getJobCounts("active", "waiting", "prioritized", "delayed");
    return Object.values(counts).every((count) => count === 0) && other.begun.length === jobs * SIZE;
  });
}

const hasStalled = async () => {
  const events = await world.system.redis.xrange("{merger}:merger:events", "-", "+");
  return events.some(([, fields]) => fields.includes("stalled"));
};

test.serial("a closing process immediately returns the jobs that it has not begun", async (t) => {
  const { worker, begun, end } = await startInWork(t, NEVER_MS);
  const closed = worker.close();
  await eventually("the jobs wait for another process", async () => {
    const counts = await merger().getJobCounts(...GIVEN_BACK);
    return Object.values(counts).reduce((sum, count) => sum + count, 0) === 2;
  });
  t.is(await merger().getActiveCount(), 1, "the closing process continues the job that it began");
  for (const { attemptsMade } of await merger().getJobs([...GIVEN_BACK]))
    t.is(attemptsMade, 0, "returning a job costs no attempt");
  end();
  await closed;
  t.is(begun.length, SIZE, "the closing process began no other job");
  await takenElsewhere(t, 2);
  t.false(await hasStalled());
});

test.serial(
  "a closing process later hands over its active jobs and finishes them in parallel with the other process",
  async (t) => {
    const { worker, begun, end } = await startInWork(t, 0);
    let isClosed = false;
    const closed = worker.close().then(() => {
      isClosed = true;
    });
    await eventually("no job is left here", async () => (await merger().getActiveCount()) === 0);
    await takenElsewhere(t, 3);
    t.false(isClosed, "its call continues");
    end();
    await closed;
    t.is(begun.length, SIZE);
    t.is(await merger().getFailedCount(), 0);
    t.false(await hasStalled());
  },
);

test.serial("a returned job wakes an idle process", async (t) => {
  const { worker, end } = await startInWork(t, NEVER_MS);
  const idle = startMerger(t, NEVER_MS);
  idle.end();
  await eventually("the process waits for jobs", async () =>
    String(await world.system.redis.client("LIST")).includes("cmd=bzpopmin"),
  );
  const closed = worker.close();
  await eventually("it has both", async () => idle.begun.length === 2 * SIZE);
  end();
  await closed;
  t.false(await hasStalled());
});
