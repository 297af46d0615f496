import test, { type ExecutionContext } from "ava";
import { openFailures } from "../../../queues/changes/failures.ts";
import { failures } from "../../../records/kinds/failure.ts";
import type { Change } from "../../../schemas/topics.ts";
import { eventually } from "../../harness/eventually.ts";
import { type ASystem, later, openASystem } from "../../harness/system.ts";
import { change, changesJob, startAWorker } from "../../harness/worker.ts";

let world: ASystem;
test.before(async () => {
  world = await openASystem();
});
test.after.always(() => world.close());
test.beforeEach(async () => {
  await world.system.redis.flushall();
  await world.system.db.collection(failures.name).deleteMany({});
});

const IMAGES = "renderedimage.v1";
const HOUR_MS = 3_600_000;
const POISON = "t/demo/s/main/links/0007";
const FAILURE = `${POISON}/failures/merger/${IMAGES}`;
const keys = Array.from({ length: 20 }, (_, index) => `t/demo/s/main/links/${String(index).padStart(4, "0")}`);
const others = keys.filter((key) => key !== POISON);

/** A worker that cannot handle some keys, until they are taken out of the list. */
function startPoisoned(t: ExecutionContext, poisonous: string[]) {
  const handled = new Set<string>();
  const worker = startAWorker(t, world, "merger", {
    "ecceslimage.v1": async () => {},
    "pageimage.v1": async () => {},
    [IMAGES]: async (changes: Change[]) => {
      const bad = changes.find(({ key }) => poisonous.includes(key));
      if (bad) throw new Error(`cannot merge "${bad.key}"`);
      for (const { key } of changes) handled.add(key);
    },
  });
  return { worker, handled };
}

const recorded = async () => (await world.system.records.read(failures, [FAILURE])).get(FAILURE);
const failuresAt = (now: () => Date) => openFailures("merger", { ...world.system, now });

/** What a worker's process does at intervals: what is due is handled again, and forgotten where that goes well. */
async function retry(worker: ReturnType<typeof startPoisoned>["worker"], now: () => Date): Promise<number> {
  const due = await failuresAt(now).due(100);
  for (const failure of due) {
    const { failed } = await worker.handle(IMAGES, [failure.change]);
    if (failed.length === 0) await failuresAt(now).forget([failure]);
  }
  return due.length;
}

test.serial("a poisonous key is recorded with its reason, and takes no other along", async (t) => {
  const { handled } = startPoisoned(t, [POISON]);
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, keys)]);
  const failure = await eventually("the key is recorded", recorded);
  t.like(failure, {
    queue: "merger",
    topic: IMAGES,
    change: change(POISON),
    reason: `cannot merge "${POISON}"`,
    attempts: 1,
  });
  t.true(failure.retryAt > failure.since);
  t.deepEqual([...handled].toSorted(), others);
  t.is(await world.system.db.collection(failures.name).countDocuments({}), 1);
  const queue = world.system.publisher.queue("merger");
  await eventually("the job is done", async () => (await queue.getCompletedCount()) === 1);
  t.is(await queue.getFailedCount(), 0);
});

test.serial("several poisonous keys of a job are each recorded, the others handled", async (t) => {
  const poisonous = [keys[0] ?? "", keys[9] ?? "", keys[10] ?? "", keys[19] ?? ""];
  const { worker, handled } = startPoisoned(t, poisonous);
  const { failed } = await worker.handle(
    IMAGES,
    keys.map((key) => change(key)),
  );
  t.deepEqual(failed.map(({ key }) => key).toSorted(), poisonous);
  t.deepEqual(
    [...handled].toSorted(),
    keys.filter((key) => !poisonous.includes(key)),
  );
  const found = await failuresAt(later(HOUR_MS)).due(100);
  t.deepEqual(found.map((one) => one.change.key).toSorted(), poisonous);
  t.deepEqual(new Set(found.map(({ reason, change: { key } }) => reason === `cannot merge "${key}"`)), new Set([true]));
});

test.serial(
  "a key that fails again is counted, tried later each time, and keeps the time of its first failure",
  async (t) => {
    const { worker } = startPoisoned(t, [POISON]);
    await worker.handle(IMAGES, [change(POISON)]);
    const first = await recorded();
    t.is(await retry(worker, later(0)), 0, "it is not due at once");
    let waited = (first?.retryAt.getTime() ?? 0) - (first?.since.getTime() ?? 0);
    for (const attempts of [2, 3, 4]) {
      const before = Date.now();
      t.is(await retry(worker, later(HOUR_MS)), 1);
      const failure = await recorded();
      t.is(failure?.attempts, attempts);
      t.deepEqual(failure?.since, first?.since);
      const waits = (failure?.retryAt.getTime() ?? 0) - before;
      t.true(waits > waited, `${waits} after ${waited}`);
      waited = waits;
    }
  },
);

test.serial("a key that is handled at last is forgotten", async (t) => {
  const poisonous = [POISON];
  const { worker, handled } = startPoisoned(t, poisonous);
  await worker.handle(IMAGES, [change(POISON)]);
  poisonous.pop();
  t.is(await retry(worker, later(HOUR_MS)), 1);
  t.true(handled.has(POISON));
  t.is(await recorded(), undefined);
  t.is(await retry(worker, later(HOUR_MS)), 0);
});

test.serial("a failure that was recorded again meanwhile is not forgotten with the one before", async (t) => {
  const { worker } = startPoisoned(t, [POISON]);
  await worker.handle(IMAGES, [change(POISON)]);
  const stale = await failuresAt(later(HOUR_MS)).due(1);
  await worker.handle(IMAGES, [change(POISON)]);
  await failuresAt(later(HOUR_MS)).forget(stale);
  t.is((await recorded())?.attempts, 2);
});

test.serial("a failure is due to its own queue alone", async (t) => {
  const { worker } = startPoisoned(t, [POISON]);
  await worker.handle(IMAGES, [change(POISON)]);
  const others = openFailures("renderer", { ...world.system, now: later(HOUR_MS) });
  t.deepEqual(await others.due(100), []);
  t.is((await failuresAt(later(HOUR_MS)).due(100)).length, 1);
});
