import { setImmediate } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { sentinelKey } from "../../../../queues/changes/audit-parts.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import {
  aMoment,
  EPOCH,
  follows,
  type Given,
  HOUR_MS,
  KEY,
  NOON_MS,
  partOf,
  QUEUE,
  startAnAuditor,
} from "./an-auditor.ts";

/** Which walks get a turn in an auditor's rounds, and when the next round starts. */
const own = ownSystem();
const start = (t: ExecutionContext, given?: Given) => startAnAuditor(t, own, given);

test.beforeEach(async () => void (await own.system.redis.set(sentinelKey(QUEUE), String(EPOCH))));

test.serial("walks that follow changes get two batches each per round, and an audit gets one as well", async (t) => {
  const unfinished = [partOf("one"), follows("pack"), follows("design")];
  const { seen, untilRound, stop } = await start(t, { unfinished });
  await untilRound(2);
  await stop();
  t.deepEqual(seen.turns.slice(0, 3), [
    [follows("pack")._id, 2],
    [follows("design")._id, 2],
    [partOf("one")._id, 1],
  ]);
});

test.serial("a walk that another process holds gets no turn", async (t) => {
  const unfinished = [follows("pack", { holder: "another" }), follows("design")];
  const { seen, untilRound, stop } = await start(t, { unfinished });
  await untilRound(2);
  await stop();
  t.true(seen.turns.length > 0 && seen.turns.every(([id]) => id === follows("design")._id));
});

test.serial("while records remain to check, rounds follow without a pause", async (t) => {
  const { untilRound, seen } = await start(t, { unfinished: [follows("pack")], pollIntervalMs: HOUR_MS });
  await untilRound(4);
  t.true(seen.turns.length >= 3);
});

test.serial("when nothing remains to check, the next round starts on schedule", async (t) => {
  const left = { batches: 1, records: 0, ms: 0 };
  const { untilRound, seen } = await start(t, { unfinished: [follows("pack")], left });
  await untilRound(1);
  await aMoment();
  t.is(seen.rounds, 1);
  const often = await start(t, { pollIntervalMs: 1 });
  await often.untilRound(5);
  t.pass();
});

test.serial("a round ends after half a second: it finishes its batch and begins no walk", async (t) => {
  const unfinished = [follows("pack"), follows("design")];
  const turnsOf = async (ms: number) => {
    const { seen, untilTurns, stop } = await start(t, { unfinished, left: { batches: 9, records: 4, ms } });
    // A round that has begun may still be stopped before its first turn.
    await untilTurns(2);
    await stop();
    return seen.turns.slice(0, 2);
  };
  const [pack, design] = [follows("pack")._id, follows("design")._id];
  t.deepEqual(await turnsOf(250), [
    [pack, 2],
    [design, 1],
  ]);
  t.deepEqual(await turnsOf(500), [
    [pack, 2],
    [pack, 2],
  ]);
  t.deepEqual(await turnsOf(501), [
    [pack, 1],
    [pack, 1],
  ]);
});

const inBackground = { unfinished: [partOf("one", { background: true })], pollIntervalMs: 1 };

test.serial("a periodic audit checks 2,000 records a second and pauses in between", async (t) => {
  const left = { batches: 9, records: 300, ms: 10 };
  const { seen, clock, untilRound, untilSettled } = await start(t, { ...inBackground, left });
  await untilRound(2);
  await untilSettled();
  t.deepEqual(seen.turns, [[partOf("one")._id, 1]], "300 records use up the budget of 150 ms");
  clock.ms = NOON_MS + 149;
  await untilSettled();
  t.is(seen.turns.length, 1);
  clock.ms = NOON_MS + 150;
  await eventually("the next batch is checked", async () => seen.turns.length === 2);
  await untilSettled();
  t.is(seen.turns.length, 2);
});

test.serial("a walk that waits for its second check is charged a thousand records for each retry", async (t) => {
  const left = { batches: 1, records: 0, ms: 0 };
  const { seen, clock, untilSettled } = await start(t, { ...inBackground, left });
  await untilSettled();
  clock.ms = NOON_MS + 499;
  await untilSettled();
  t.is(seen.turns.length, 1);
  clock.ms = NOON_MS + 500;
  await eventually("the walk is attempted again", async () => seen.turns.length === 2);
});

test.serial("the next round starts when the background budget allows a batch", async (t) => {
  const many = { batches: 1, records: 20_000_000, ms: 0 };
  const slow = await start(t, { ...inBackground, left: many, pollIntervalMs: HOUR_MS });
  await slow.untilRound(1);
  await aMoment();
  t.is(slow.seen.rounds, 1);
  const few = { batches: 1, records: 20, ms: 0 };
  const quick = await start(t, { ...inBackground, left: few, pollIntervalMs: HOUR_MS });
  await quick.untilRound(4);
  t.is(quick.seen.turns.length, 1, "the batch costs 10 ms, and the clock stands still");
});

test.serial("an old overspent budget allows the next round immediately", async (t) => {
  const left = { batches: 1, records: 4, ms: 400 };
  const { seen, untilRound } = await start(t, { ...inBackground, left, pollIntervalMs: HOUR_MS });
  await untilRound(4);
  t.true(seen.turns.length >= 3);
});

const dividedOf = ({ seen }: Awaited<ReturnType<typeof start>>) => seen.advanced.filter(([, { parts }]) => parts === 0);
const endedOf = ({ seen }: Awaited<ReturnType<typeof start>>) =>
  seen.advanced.filter(([, { finishedAt }]) => finishedAt !== undefined);

test.serial("one process divides an audit before any of its walks begins", async (t) => {
  const unfinished = [partOf("one")];
  const auditor = await start(t, { audit: { finishedAt: undefined }, unfinished });
  await auditor.untilRound(3);
  t.true(dividedOf(auditor).length >= 2, "another round follows the dividing round immediately");
  t.deepEqual([auditor.seen.turns, endedOf(auditor)], [[], []]);
  const held = await start(t, { audit: { finishedAt: undefined, holder: "another" }, unfinished });
  await held.untilRound(3);
  t.true(held.seen.turns.length >= 2);
  t.deepEqual(held.seen.advanced, []);
});

test.serial("an audit ends when the last of its walks ends, and is not walked itself", async (t) => {
  const audit = { finishedAt: undefined, parts: 1 };
  const under = await start(t, { audit, unfinished: [partOf("one", { audit: EPOCH })] });
  await under.untilRound(3);
  t.deepEqual(endedOf(under), []);
  t.true(under.seen.turns.length >= 2 && under.seen.turns.every(([id]) => id === partOf("one")._id));
  for (const unfinished of [[], [follows("pack")], [partOf("one", { audit: EPOCH - 1 })]]) {
    const over = await start(t, { audit, unfinished });
    await eventually("it has ended", async () => endedOf(over).length > 0);
    t.deepEqual(dividedOf(over), []);
    t.false(over.seen.turns.some(([id]) => id === KEY));
  }
  const finished = await start(t, { audit: { parts: 1 }, pollIntervalMs: 1 });
  await finished.untilSettled();
  t.deepEqual(finished.seen.advanced, []);
});

test.serial("a failed round is logged and followed by another", async (t) => {
  const { untilRound, seen } = await start(t, { fails: "the database is unreachable", pollIntervalMs: 1 });
  await untilRound(3);
  const [line] = seen.lines;
  t.like(line, { level: 40, queue: QUEUE, error: "the database is unreachable", msg: "the audit will be retried" });
  t.is(seen.lines.length, 1);
  const slow = await start(t, { fails: "the database is unreachable" });
  await slow.untilRound(1);
  await aMoment();
  t.is(slow.seen.rounds, 1);
});

test.serial("stopping an auditor waits only for the current batch to end", async (t) => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const during = () => {
    begun.resolve();
    return ended.promise;
  };
  const { seen, stop } = await start(t, { unfinished: [follows("pack"), follows("design")], during });
  await begun.promise;
  let hasStopped = false;
  const stopping = stop().then(() => {
    hasStopped = true;
  });
  await setImmediate();
  t.false(hasStopped);
  ended.resolve();
  await stopping;
  t.deepEqual([seen.rounds, seen.turns], [1, [[follows("pack")._id, 1]]]);
});
