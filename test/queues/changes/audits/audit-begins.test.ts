import test, { type ExecutionContext } from "ava";
import { sentinelKey } from "../../../../queues/changes/audit-parts.ts";
import { partitionsOfQueue } from "../../../../queues/queue-partitions.ts";
import { queueNames } from "../../../../queues/topology.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { aMoment, EPOCH, type Given, HOUR_MS, KEY, QUEUE, runIdOf, startAnAuditor } from "./an-auditor.ts";

/** When an auditor begins an audit, and which commands it sends to Redis. */
const own = ownSystem();
const start = (t: ExecutionContext, given?: Given) => startAnAuditor(t, own, given);

test.beforeEach(async () => void (await own.system.redis.set(sentinelKey(QUEUE), String(EPOCH))));

test.serial(
  "a queue that was never audited is audited, and a sweep is requested, since Redis may have lost anything",
  async (t) => {
    const { seen, untilRound } = await start(t, { audit: "none" });
    await untilRound(1);
    await eventually("the sweep is requested", async () => seen.losses === 1);
    const begun = { key: KEY, scope: "t/", reason: "the queue is new", runId: await runIdOf(own) };
    t.deepEqual(seen.begun, [{ ...begun, leavesEpochs: [1, EPOCH, EPOCH + 1] }]);
    t.is(await own.system.redis.get(sentinelKey(QUEUE)), String(EPOCH + 1));
  },
);

test.serial("each queue's sentinel is stored with its jobs, so that both are lost together", (t) => {
  const { publisher } = own.system;
  for (const queue of queueNames)
    t.is(`${sentinelKey(queue)}:`, publisher.queue(queue).toKey("").replace(`:${queue}:`, ":sentinel:"));
});

test.serial("a lost partition triggers an audit, which renews the sentinels of all partitions", async (t) => {
  const { redis } = own.system;
  const partitions = partitionsOfQueue(QUEUE, 3);
  for (const partition of partitions) await redis.set(sentinelKey(partition), String(EPOCH));
  const runId = await runIdOf(own);
  const { seen, untilSettled } = await start(t, { queuePartitions: 3, audit: { runId }, pollIntervalMs: 1 });
  await untilSettled();
  t.deepEqual(seen.begun, []);
  await redis.del(sentinelKey(`${QUEUE}-2`));
  await eventually("an audit begins", async () => seen.losses > 0);
  t.like(seen.begun[0], { reason: "the queue's sentinel is gone", runId: `${runId} ${runId} ${runId}` });
  const sentinels = await Promise.all(partitions.map((partition) => redis.get(sentinelKey(partition))));
  t.deepEqual(sentinels, Array(3).fill(String(EPOCH + 1)));
});

test.serial("an audit does not replace the last audit if another process has already replaced it", async (t) => {
  const { seen, untilSettled } = await start(t, {
    audit: { runId: "before" },
    isBegunElsewhere: true,
    pollIntervalMs: 1,
  });
  await untilSettled();
  t.like(seen.begun[0], { reason: "Redis has a new run id", leavesEpochs: [0, 1, EPOCH + 1] });
  t.is(seen.losses, 0);
  t.is(await own.system.redis.get(sentinelKey(QUEUE)), String(EPOCH));
  t.deepEqual(seen.lines, [], "losing the race is not a fault");
});

test.serial("a periodic audit walks in the background and requests no sweep", async (t) => {
  const { seen } = await start(t, { since: HOUR_MS });
  await eventually("it has begun", async () => (await own.system.redis.get(sentinelKey(QUEUE))) !== String(EPOCH));
  await aMoment();
  const [begun] = seen.begun;
  t.deepEqual(begun, {
    ...{ key: KEY, scope: "t/", reason: "it is due", runId: await runIdOf(own), background: true },
    leavesEpochs: [0, 1, EPOCH + 1],
  });
  t.is(seen.losses, 0);
});

test.serial("nothing is checked while Redis is down", async (t) => {
  const { seen } = await start(t, { isReady: false, pollIntervalMs: 1 });
  await aMoment();
  t.is(seen.rounds, 0);
});

test.serial("each round reads Redis's run ID and the sentinel with one command", async (t) => {
  const called: PropertyKey[] = [];
  const { redis } = own.system;
  const recording = new Proxy(redis, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      called.push(name);
      return member.bind(target);
    },
  });
  const { untilSettled, seen, stop } = await start(t, { redis: recording, pollIntervalMs: 1 });
  await untilSettled();
  await stop();
  t.is(called.length, seen.rounds);
  t.deepEqual([...new Set(called)], ["eval"]);
  t.deepEqual(seen.begun, []);
});
