import { mock } from "node:test";
import test from "ava";
import { pino } from "pino";
import { startWatchdog, takeableJobs } from "../../../queues/worker/watchdog.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";

const own = ownSystem();

test.serial("jobs in a paused queue wait on purpose, and the watchdog ends no process because of them", async (t) => {
  const { publisher, redis } = own.system;
  const jobs = (["interactive", "bulk"] as const).map((urgency) => ({ name: "draw-pages", data: {}, urgency }));
  await publisher.enqueue("pages", jobs);
  t.is(await takeableJobs(redis, "pages"), 2);
  await publisher.queue("pages").pause();
  t.is(await takeableJobs(redis, "pages"), 0);
  await publisher.queue("pages").resume();
  t.is(await takeableJobs(redis, "pages"), 2);
});

test.serial("a job that a worker could process may have a priority or none", async (t) => {
  const { publisher, redis } = own.system;
  await redis.flushall();
  await publisher.queue("item").add("patch-items", {});
  await publisher.queue("item").add("patch-items", {}, { priority: 1 });
  await publisher.queue("item").add("patch-items", {}, { delay: 3_600_000 });
  t.is(await takeableJobs(redis, "item"), 2);
});

/** Runs a watchdog whose checks the test starts, and records what the watchdog does. */
function watch(given: { jobs: number; ended: number; isAway?: boolean }) {
  mock.timers.enable({ apis: ["setInterval"] });
  const lines: Record<string, unknown>[] = [];
  const seen = { ends: 0, reads: 0, clock: 0 };
  const read = async (count: number) => {
    seen.reads += 1;
    if (given.isAway) throw new Error("Redis is unreachable");
    return count;
  };
  const watchdog = startWatchdog({
    queue: "item",
    redis: {
      llen: (key) => read(key.endsWith(":active") ? 2 : 0),
      zcard: () => read(given.jobs),
      hexists: () => read(0),
    },
    progress: () => given.ended,
    end: () => {
      seen.ends += 1;
    },
    clock: () => seen.clock,
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line)) }),
  });
  /** Advances the clock to the next check; `lateMs` is how long the process could not run before the check. */
  const check = async (ms = 30_000, lateMs = 0) => {
    seen.clock += ms + lateMs;
    mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return seen.ends;
  };
  return { ...watchdog, check, seen, lines };
}
test.afterEach.always(() => mock.timers.reset());

test.serial(
  "a process ends if jobs wait and three consecutive checks find that none has ended, and reports what waits",
  async (t) => {
    const given = { jobs: 3, ended: 7 };
    const { check, lines } = watch(given);
    for (const _ of [1, 2]) t.is(await check(), 0);
    t.is(await check(29_999), 0);
    t.is(await check(1), 1);
    t.like(lines[0], { level: 60, queue: "item", waiting: 3, active: 2, ended: 7 });
  },
);

test.serial("a job that ends in the meantime, or an empty queue, restarts the count", async (t) => {
  const given = { jobs: 3, ended: 7 };
  const { check, seen } = watch(given);
  for (const _ of [1, 2]) await check();
  given.ended += 1;
  const { reads } = seen;
  t.is(await check(), 0);
  t.is(seen.reads, reads, "a process that works does not have to check the queue");
  for (const _ of [1, 2]) t.is(await check(), 0);
  given.jobs = 0;
  t.is(await check(), 0);
  given.jobs = 1;
  for (const _ of [1, 2]) t.is(await check(), 0);
  t.is(await check(), 1);
});

test.serial("a process that was suspended is not ended, since its jobs could not end in the meantime", async (t) => {
  const { check } = watch({ jobs: 3, ended: 7 });
  for (const _ of [1, 2]) await check();
  t.is(await check(30_000, 40_000), 0);
  for (const _ of [1, 2]) t.is(await check(), 0);
  t.is(await check(), 1);
});

test.serial("a Redis outage ends no process, and a stopped watchdog checks nothing", async (t) => {
  const given = { jobs: 3, ended: 7, isAway: true };
  const { check, stop, seen, lines } = watch(given);
  for (const _ of [1, 2, 3]) t.is(await check(), 0);
  await eventually("it is reported", async () => lines.length === 3);
  t.like(lines[0], { level: 40, queue: "item", error: "Redis is unreachable" });
  const { reads } = seen;
  stop();
  await check();
  t.is(seen.reads, reads);
});
