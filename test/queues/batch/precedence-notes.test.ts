import { setImmediate } from "node:timers/promises";
import test from "ava";
import { MAX_CREDIT_MS, NOTE_KEY, openPrecedence, WAIT_RATIO } from "../../../queues/batch/precedence.ts";
import { eventually } from "../../harness/eventually.ts";

/**
 * Counts a process's announcements of interactive work and its checks for announcements. The process's clock moves only
 * when a test sets it.
 */
function openAProcess(status = "ready") {
  const process = { now: 10_000, notes: [] as unknown[][], looks: 0, isNoted: false };
  const redis = {
    status,
    set: async (...args: unknown[]) => void process.notes.push(args),
    exists: async () => {
      process.looks += 1;
      return process.isNoted ? 1 : 0;
    },
  };
  const onError = (error: Error) => {
    throw error;
  };
  const precedence = openPrecedence({ redis, clock: () => process.now, onError });
  return { process, ...precedence };
}
const nothing = async () => {};

test("interactive work is announced when it begins, and at most every 50 ms", async (t) => {
  const { process, interactive } = openAProcess();
  const running = interactive(nothing);
  t.deepEqual(process.notes, [[NOTE_KEY, 1, "PX", 150]]);
  await running;
  for (const [after, notes] of [
    [0, 1],
    [49, 1],
    [50, 2],
    [99, 2],
    [100, 3],
  ] as const) {
    process.now = 10_000 + after;
    await interactive(nothing);
    t.is(process.notes.length, notes, `${after} ms`);
  }
  t.is(NOTE_KEY, "interactive", "processes of two releases use the same announcement key");
});

test("concurrent work is announced until all of it has ended", async (t) => {
  const { process, interactive } = openAProcess();
  const long = Promise.withResolvers<void>();
  const running = interactive(() => long.promise);
  await interactive(nothing);
  await eventually("the announcement is renewed", async () => process.notes.length >= 3);
  long.resolve();
  await running;
  const { length } = process.notes;
  await interactive(nothing);
  t.is(process.notes.length, length, "the clock stands still");
});

test("nothing is announced while Redis is down", async (t) => {
  const { process, interactive } = openAProcess("reconnecting");
  await interactive(nothing);
  t.deepEqual(process.notes, []);
});

test("bulk work checks for announcements every 20 ms, and never while its own process does interactive work", async (t) => {
  const { process, bulk, beforeStep, interactive } = openAProcess();
  for (const [after, looks] of [
    [0, 1],
    [19, 1],
    [20, 2],
    [39, 2],
    [40, 3],
  ] as const) {
    process.now = 10_000 + after;
    await bulk(beforeStep);
    t.is(process.looks, looks, `${after} ms`);
  }
  process.now = 11_000;
  const work = Promise.withResolvers<void>();
  const running = interactive(() => work.promise);
  const step = bulk(beforeStep);
  await setImmediate();
  t.is(process.looks, 3);
  work.resolve();
  await Promise.all([running, step]);
});

/**
 * Starts a step of bulk work at `from` and sets the clock to `to` while the step waits. Returns whether the step has begun
 * by then. The step has ended when this resolves.
 */
async function stepThrough({ process, bulk, beforeStep }: ReturnType<typeof openAProcess>, from: number, to: number) {
  process.now = from;
  let hasBegun = false;
  const step = bulk(beforeStep).then(() => {
    hasBegun = true;
  });
  process.now = to;
  const { looks } = process;
  await eventually("the step has begun, or has checked again", async () => hasBegun || process.looks >= looks + 3);
  const hadBegun = hasBegun;
  process.isNoted = false;
  await step;
  return hadBegun;
}

test("unused waiting time is carried over, and excess waiting is forgotten", async (t) => {
  const early = openAProcess();
  await early.bulk(early.beforeStep);
  const wentOnAt = early.process.now;
  early.process.isNoted = true;
  t.false(
    await stepThrough(early, wentOnAt + 50, wentOnAt + 50 + MAX_CREDIT_MS - 1),
    "its first wait earned no credit",
  );
  const late = openAProcess();
  late.process.isNoted = true;
  t.true(await stepThrough(late, 10_000, 10_000 + MAX_CREDIT_MS + 500));
  const worked = 900;
  const next = late.process.now + worked;
  late.process.isNoted = true;
  t.false(await stepThrough(late, next, next + worked * WAIT_RATIO - 1));
});
