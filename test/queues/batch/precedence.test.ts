import { setTimeout } from "node:timers/promises";
import test from "ava";
import { MAX_CREDIT_MS, NOTE_KEY, openPrecedence, type Precedence } from "../../../queues/batch/precedence.ts";
import { items } from "../../../records/kinds/items.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";

const world = ownSystem();
test.beforeEach(() => world.system.redis.flushall());

/** A process whose clock moves only when it is set; `looks` counts its checks for announcements. */
function openAProcess() {
  const { redis } = world.system;
  const process = { now: 0, looks: 0, errors: [] as Error[] };
  const exists = (key: string) => {
    process.looks += 1;
    return redis.exists(key);
  };
  const precedence = openPrecedence({
    redis: { status: redis.status, set: redis.set.bind(redis), exists },
    clock: () => process.now,
    onError: (error) => process.errors.push(error),
    // A late response from Redis must not count as a missing one.
    lookTimeoutMs: 600_000,
  });
  return { process, precedence };
}

/** A step of bulk work; `hasBegun` says whether it has begun. */
function begin({ bulk, beforeStep }: Precedence) {
  const step = { hasBegun: false };
  void bulk(beforeStep).then(() => {
    step.hasBegun = true;
  });
  return step;
}

/** Resolves after the process has made two more checks, so that a step that may begin has begun. */
async function looksTwice({ process }: ReturnType<typeof openAProcess>): Promise<void> {
  const { looks } = process;
  await eventually("it checks twice", async () => process.looks >= looks + 2);
}

const noteForLong = () => world.system.redis.set(NOTE_KEY, 1, "PX", 600_000);

test.serial("bulk work waits while interactive work runs in another process", async (t) => {
  const other = openAProcess();
  await noteForLong();
  const step = begin(other.precedence);
  await looksTwice(other);
  t.false(step.hasBegun);
  await world.system.redis.del(NOTE_KEY);
  await eventually("it begins", async () => step.hasBegun);
});

test.serial(
  "interactive work is announced while it lasts, and the announcement expires without its process",
  async (t) => {
    const { precedence } = openAProcess();
    const { redis } = world.system;
    const work = Promise.withResolvers<void>();
    const running = precedence.interactive(() => work.promise);
    await eventually("it is recorded", async () => (await redis.exists(NOTE_KEY)) === 1);
    await redis.del(NOTE_KEY);
    await eventually("the announcement is renewed", async () => (await redis.exists(NOTE_KEY)) === 1);
    t.true((await redis.pttl(NOTE_KEY)) !== -1, "the announcement expires");
    work.resolve();
    await running;
    await eventually("the announcement has expired", async () => (await redis.exists(NOTE_KEY)) === 0);
  },
);

test.serial("in a process, no step of bulk work begins while interactive work runs", async (t) => {
  const { precedence } = openAProcess();
  const work = Promise.withResolvers<void>();
  const running = precedence.interactive(() => work.promise);
  const steps = Array.from({ length: 5 }, () => begin(precedence));
  await setTimeout(50);
  t.is(steps.filter(({ hasBegun }) => hasBegun).length, 0);
  work.resolve();
  await running;
  await eventually("all begin", async () => steps.every(({ hasBegun }) => hasBegun));
});

test.serial("during endless interactive work, bulk work gets four fifths of the time", async (t) => {
  const { process, precedence } = openAProcess();
  await noteForLong();
  const stepAt = async (from: number, until: number) => {
    process.now = from;
    const step = begin(precedence);
    process.now = until - 1;
    await looksTwice({ process, precedence });
    t.false(step.hasBegun, `${from}: it does not begin before ${until}`);
    process.now = until;
    await eventually(`it begins at ${until}`, async () => step.hasBegun);
  };
  await stepAt(0, MAX_CREDIT_MS);
  // After 400 ms of work the step waits at most 100 ms; after any amount of work, at most `MAX_CREDIT_MS`.
  await stepAt(MAX_CREDIT_MS + 400, MAX_CREDIT_MS + 500);
  await stepAt(900_000, 900_000 + MAX_CREDIT_MS);
});

test.serial("bulk work continues if Redis is flushed or down, rejects commands or does not respond", async (t) => {
  const wiped = openAProcess();
  await noteForLong();
  const step = begin(wiped.precedence);
  await looksTwice(wiped);
  await world.system.redis.flushall();
  await eventually("it begins", async () => step.hasBegun);
  for (const [what, status, exists] of [
    ["away", "reconnecting", () => t.fail("Redis is queried")],
    ["refuses", "ready", () => Promise.reject(new Error("LOADING"))],
    ["is silent", "ready", () => new Promise<number>(() => {})],
  ] as const) {
    const errors: Error[] = [];
    const { bulk, beforeStep } = openPrecedence({
      redis: { status, exists, set: async () => undefined },
      clock: () => 0,
      onError: (error) => errors.push(error),
    });
    await bulk(beforeStep);
    t.is(errors.length, status === "ready" ? 1 : 0, what);
  }
});

test.serial("interactive work and unclassified work never wait", async (t) => {
  const { process, precedence } = openAProcess();
  await noteForLong();
  await precedence.beforeStep();
  await precedence.interactive(precedence.beforeStep);
  await precedence.bulk(() => precedence.interactive(precedence.beforeStep));
  t.is(process.looks, 0);
});

test.serial("every process reads and writes records in steps", async (t) => {
  const { redis, records, precedence } = world.system;
  const { exists } = redis;
  t.teardown(() => Object.assign(redis, { exists }));
  const looks: unknown[] = [];
  Object.assign(redis, {
    exists(...keys: string[]) {
      looks.push(...keys);
      return exists.apply(redis, [keys]);
    },
  });
  await precedence.bulk(() => records.read(items, ["t/a/s/b/items/1"]));
  t.deepEqual(looks, [NOTE_KEY]);
});
