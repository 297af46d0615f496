import test, { type ExecutionContext } from "ava";
import { openFailures } from "../../../queues/changes/failures.ts";
import { retryFailures } from "../../../queues/worker/retry-failures.ts";
import { failures } from "../../../records/kinds/work.ts";
import { isUnavailable, UnavailableError } from "../../../records/mongodb/unavailable.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { later } from "../../harness/system.ts";
import { change, changesJob, startAWorker } from "../../harness/worker.ts";

const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
  await world.system.db.collection(failures.name).deleteMany({});
});

const IMAGES = "renderedimage.v1";
const HOUR_MS = 3_600_000;
const FAILING = "t/demo/s/main/links/0007";
const FAILURE = `${FAILING}/failures/merger/${IMAGES}`;
const keys = Array.from({ length: 20 }, (_, index) => `t/demo/s/main/links/${String(index).padStart(4, "0")}`);
const others = keys.filter((key) => key !== FAILING);

/** A worker whose handler throws for the keys that `failing` lists. */
function startFailing(t: ExecutionContext, failing: string[]) {
  const handled = new Set<string>();
  const worker = startAWorker(t, world, "merger", {
    "ecceslimage.v1": async () => {},
    "pageimage.v1": async () => {},
    [IMAGES]: async (changes: Change[]) => {
      const fault = changes.find(({ key }) => failing.includes(key));
      if (fault) throw new Error(`cannot merge "${fault.key}"`);
      for (const { key } of changes) handled.add(key);
    },
  });
  return { worker, handled };
}

const recorded = async () => (await world.system.records.read(failures, [FAILURE])).get(FAILURE);
const failuresAt = (now: () => Date) => openFailures("merger", { ...world.system, now });

/** A worker process's periodic work: due failures are handled again, and removed on success. */
async function retry(worker: ReturnType<typeof startFailing>["worker"], now: () => Date): Promise<number> {
  const due = await failuresAt(now).due(100);
  for (const failure of due) {
    const { failed } = await worker.handle(IMAGES, [failure.change]);
    if (failed.length === 0) await failuresAt(now).forget([failure]);
  }
  return due.length;
}

test.serial("a failed key is recorded with its reason, and no other key fails with it", async (t) => {
  const { handled } = startFailing(t, [FAILING]);
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, keys)]);
  const failure = await eventually("the key is recorded", recorded);
  t.like(failure, {
    queue: "merger",
    topic: IMAGES,
    change: change(FAILING),
    reason: `cannot merge "${FAILING}"`,
    attempts: 1,
  });
  t.true(failure.retryAt > failure.since);
  t.deepEqual([...handled].toSorted(), others);
  t.is(await world.system.db.collection(failures.name).countDocuments({}), 1);
  const queue = world.system.publisher.queue("merger");
  await eventually("the job is done", async () => (await queue.getCompletedCount()) === 1);
  t.is(await queue.getFailedCount(), 0);
});

test.serial("a job's failed keys are each recorded, and all other keys are handled", async (t) => {
  const failing = [keys[0] ?? "", keys[9] ?? "", keys[10] ?? "", keys[19] ?? ""];
  const { worker, handled } = startFailing(t, failing);
  const { failed } = await worker.handle(
    IMAGES,
    keys.map((key) => change(key)),
  );
  t.deepEqual(failed.map(({ key }) => key).toSorted(), failing);
  t.deepEqual(
    [...handled].toSorted(),
    keys.filter((key) => !failing.includes(key)),
  );
  const found = await failuresAt(later(HOUR_MS)).due(100);
  t.deepEqual(found.map(({ change: { key } }) => key).toSorted(), failing);
  t.deepEqual(new Set(found.map(({ reason, change: { key } }) => reason === `cannot merge "${key}"`)), new Set([true]));
});

test.serial(
  "a key that fails again is counted, retried after growing delays, and keeps the time of its first failure",
  async (t) => {
    const { worker } = startFailing(t, [FAILING]);
    await worker.handle(IMAGES, [change(FAILING)]);
    const first = await recorded();
    t.is(await retry(worker, () => first?.since ?? new Date()), 0, "it is not due immediately");
    let retryAt = first?.retryAt ?? new Date();
    for (const attempts of [2, 3, 4]) {
      t.is(await retry(worker, later(HOUR_MS)), 1);
      const failure = await recorded();
      t.is(failure?.attempts, attempts);
      t.deepEqual(failure?.since, first?.since);
      t.true((failure?.retryAt ?? retryAt) > retryAt);
      retryAt = failure?.retryAt ?? retryAt;
    }
  },
);

test.serial(
  "the first retry follows after ten seconds, and each later retry after twice as long, up to an hour",
  async (t) => {
    let now = Date.parse("2026-01-01");
    const own = failuresAt(() => new Date(now));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      await own.record(IMAGES, [{ entry: change(FAILING), error: new Error("again") }]);
      const failure = await recorded();
      waits.push(((failure?.retryAt.getTime() ?? 0) - now) / 1000);
      now += HOUR_MS;
    }
    t.deepEqual(waits, [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
  },
);

test.serial("a key's failure is removed when the key is handled", async (t) => {
  const failing = [FAILING];
  const { worker, handled } = startFailing(t, failing);
  await worker.handle(IMAGES, [change(FAILING)]);
  failing.pop();
  t.is(await retry(worker, later(HOUR_MS)), 1);
  t.true(handled.has(FAILING));
  t.is(await recorded(), undefined);
  t.is(await retry(worker, later(HOUR_MS)), 0);
});

test.serial("a failure that was recorded again in the meantime is kept", async (t) => {
  const { worker } = startFailing(t, [FAILING]);
  await worker.handle(IMAGES, [change(FAILING)]);
  const stale = await failuresAt(later(HOUR_MS)).due(1);
  await worker.handle(IMAGES, [change(FAILING)]);
  await failuresAt(later(HOUR_MS)).forget(stale);
  t.is((await recorded())?.attempts, 2);
});

test.serial("a retry that ends its process is repeated after a growing delay, by one process", async (t) => {
  let now = Date.parse("2026-01-01");
  const own = failuresAt(() => new Date(now));
  await own.record(IMAGES, [{ entry: change(FAILING), error: new Error("again") }]);
  const waits: number[] = [];
  for (let retries = 1; retries <= 4; retries += 1) {
    now += HOUR_MS;
    const due = await own.due(9);
    const [taken] = await own.take(due);
    t.deepEqual(await own.take(due), [], "another process has taken it");
    t.is(taken?.attempts, 1);
    waits.push(((taken?.retryAt.getTime() ?? 0) - now) / 1000);
  }
  t.deepEqual(waits, [10, 20, 40, 80]);
  await own.record(IMAGES, [{ entry: change(FAILING), error: new Error("again") }]);
  const failure = await recorded();
  t.deepEqual([failure?.attempts, failure?.begun], [2, undefined], "a recorded failure has not ended its process");
});

test.serial("a retry that finds the database unavailable is not counted and holds up no other failure", async (t) => {
  let now = Date.parse("2026-01-01");
  const own = failuresAt(() => new Date(now));
  const [away, present] = [change(FAILING), change(`${FAILING}1`)];
  await own.record(IMAGES, failedFor(away, present));
  const handled: string[] = [];
  const handle = async (_: string, changes: readonly Change[]) => {
    if (changes.some(({ key }) => key === FAILING)) throw new UnavailableError("the primary is unreachable");
    handled.push(...changes.map(({ key }) => key));
    return { failed: [], behind: new Map<string, number>() };
  };
  for (let retries = 1; retries <= 6; retries += 1) {
    now += 10_000;
    await t.throwsAsync(retryFailures({ handle }, own, isUnavailable), { message: "the primary is unreachable" });
    const { attempts, begun, retryAt } = (await recorded()) ?? {};
    t.deepEqual([attempts, begun, (retryAt?.getTime() ?? 0) - now], [1, undefined, 10_000]);
  }
  t.deepEqual(handled, [present.key]);
  now += 10_000;
  await own.take(await own.due(9));
  now += 10_000;
  await t.throwsAsync(retryFailures({ handle }, own, isUnavailable));
  t.is((await recorded())?.begun, 1, "the retry that ended its process still counts");
});

test.serial("a failure is retried only by its own queue", async (t) => {
  const { worker } = startFailing(t, [FAILING]);
  await worker.handle(IMAGES, [change(FAILING)]);
  const ofRenderer = openFailures("renderer", { ...world.system, now: later(HOUR_MS) });
  t.deepEqual(await ofRenderer.due(100), []);
  t.is((await failuresAt(later(HOUR_MS)).due(100)).length, 1);
});

const failuresOf = (queue: "merger" | "notifier") => openFailures(queue, { ...world.system, now: later(HOUR_MS) });
const failedFor = (...entries: Change[]) => entries.map((entry) => ({ entry, error: new Error("no") }));

test.serial(
  "if two changes with the same key fail, together or one after the other, the retry has the fields of both",
  async (t) => {
    const [first, second, third] = ["image", "warnings", "shows"].map((field, index) => ({
      ...change(FAILING, index === 0 ? "interactive" : "bulk"),
      rev: index + 1,
      changed: [field],
    }));
    if (!first || !second || !third) return t.fail();
    await failuresOf("merger").record(IMAGES, failedFor(first, second));
    await failuresOf("merger").record(IMAGES, failedFor(third));
    const [failure, ...others] = await openFailures("merger", { ...world.system, now: later(2 * HOUR_MS) }).due(10);
    t.deepEqual(others, []);
    t.like(failure, { attempts: 2 });
    t.deepEqual(failure?.change, { ...third, changed: ["image", "warnings", "shows"], urgency: "interactive" });
  },
);

test.serial("an observer retries each change with the same key, because each is an event", async (t) => {
  const changes = [1, 2, 3].map((rev) => ({ ...change(FAILING), rev }));
  const [first, second, third] = changes;
  if (!first || !second || !third) return t.fail();
  await failuresOf("notifier").record(IMAGES, failedFor(first, second));
  await failuresOf("notifier").record(IMAGES, failedFor(third));
  await failuresOf("notifier").record(IMAGES, failedFor(second));
  const due = await openFailures("notifier", { ...world.system, now: later(2 * HOUR_MS) }).due(10);
  const byRev = due.toSorted((a, b) => a.change.rev - b.change.rev);
  t.deepEqual(
    byRev.map(({ change, attempts }) => [change, attempts]),
    [
      [first, 1],
      [second, 2],
      [third, 1],
    ],
  );
});

test.serial("a very long reason is truncated, so that its record and its batch can be stored", async (t) => {
  const error = new Error("x".repeat(17 * 2 ** 20));
  await failuresOf("merger").record(IMAGES, [{ entry: change(FAILING), error }]);
  t.is((await recorded())?.reason.length, 2_000);
});
