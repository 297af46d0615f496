import test from "ava";
import { openFailures } from "../../../../queues/changes/failures.ts";
import type { Handlers } from "../../../../queues/topology.ts";
import { type Failure, failures } from "../../../../records/kinds/work.ts";
import type { Change } from "../../../../schemas/topics.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { changesJob, startAWorker } from "../../../harness/worker.ts";
import { IMAGES, keys, mergerOf } from "./a-merger.ts";

/** No process handles a failed job again, so its changes are recorded as failures before it ends. */
const world = ownSystem();
const { failedJob, merger, untilEmpty } = mergerOf(world);
test.beforeEach(async () => {
  await world.system.redis.flushall();
  await world.system.db.collection(failures.name).deleteMany({});
});

const readFailures = () => world.system.db.collection<Failure>(failures.name).find().sort({ _id: 1 }).toArray();
const handlersOf = (handle: (changes: Change[]) => Promise<void>): Handlers<"merger"> => ({
  "ecceslimage.v1": async () => {},
  "pageimage.v1": async () => {},
  [IMAGES]: handle,
});

test.serial("a job that stalled too often ends once its changes are recorded, and is not handled again", async (t) => {
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, keys(3))]);
  const [waiting] = await merger().getPrioritized();
  await world.system.redis.hset(merger().toKey(waiting?.id ?? ""), "stc", 11);
  let calls = 0;
  startAWorker(
    t,
    world,
    "merger",
    handlersOf(async () => {
      calls += 1;
    }),
  );
  const { failedReason, attemptsMade } = await failedJob();
  t.deepEqual([failedReason, attemptsMade], ["its processes ended or were blocked 11 times", 1]);
  const recorded = await readFailures();
  t.deepEqual(
    recorded.map(({ change: { key } }) => key),
    keys(3),
  );
  t.true(recorded.every(({ reason, topic }) => reason === failedReason && topic === IMAGES));
  t.is(calls, 0);
});

test.serial("a job does not end before its changes can be recorded", async (t) => {
  const real = openFailures("merger", world.system);
  let refusals = 0;
  let isRefused = true;
  const record: typeof real.record = async (topic, failed) => {
    if (!isRefused) return real.record(topic, failed);
    refusals += 1;
    throw new Error("the record is refused");
  };
  const handlers = handlersOf(async () => {
    throw new Error("it cannot be handled");
  });
  startAWorker(t, world, "merger", handlers, { failures: { ...real, record } });
  await merger().add(IMAGES, changesJob(IMAGES, keys(2)).data, { attempts: 1 });
  await eventually("it waits", async () => refusals > 0 && (await merger().getDelayedCount()) === 1);
  t.is(await merger().getFailedCount(), 0);
  isRefused = false;
  await untilEmpty();
  t.deepEqual(
    (await readFailures()).map(({ change: { key } }) => key),
    keys(2),
  );
});

test.serial("a job whose lock was lost is started again, and its changes are handled once", async (t) => {
  const end = Promise.withResolvers<void>();
  let calls = 0;
  const handlers = handlersOf(async () => {
    calls += 1;
    await end.promise;
  });
  startAWorker(t, world, "merger", handlers);
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, keys(2))]);
  const [job] = await eventually("it is handled", async () => calls > 0 && (await merger().getActive()));
  await world.system.redis.del(`${merger().toKey(job?.id ?? "")}:lock`);
  await eventually("it is started again", async () => {
    const [started] = await merger().getActive();
    return (started?.attemptsStarted ?? 0) > 1;
  });
  end.resolve();
  await untilEmpty();
  t.deepEqual([calls, await merger().getCompletedCount(), await merger().getFailedCount()], [1, 1, 0]);
});

test.serial("a job with the ID of a job in progress that Redis has lost is handled separately", async (t) => {
  const end = Promise.withResolvers<void>();
  const handled: string[] = [];
  const handlers = handlersOf(async (changes) => {
    handled.push(...changes.map(({ key }) => key));
    if (handled.length === 1) await end.promise;
  });
  startAWorker(t, world, "merger", handlers);
  const [first = "", second = ""] = keys(2);
  const add = (key: string) => merger().add(IMAGES, { ...changesJob(IMAGES, [key]).data });
  const { id } = await add(first);
  await eventually("it is handled", async () => handled.length === 1);
  await world.system.redis.flushall();
  t.is((await add(second)).id, id);
  await eventually("the other job is active", async () => (await merger().getActive()).length === 1);
  end.resolve();
  await untilEmpty();
  t.deepEqual(handled, [first, second]);
});
