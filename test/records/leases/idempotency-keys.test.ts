import test from "ava";
import { MongoServerError } from "mongodb";
import { openIdempotencyKeys } from "../../../records/leases/idempotency-keys.ts";
import { openADatabase } from "../../harness/databases/database.ts";
import { wrapped } from "../../harness/databases/wrapped-db.ts";
import { ownDatabase } from "../../harness/own.ts";

const LIFETIME = 3_600;
const ANSWER = { status: 202, headers: { "x-a": "b" }, type: "application/json", body: '{"requestId":1}' };

const database = ownDatabase();

/** Keys as one process opens them, with a clock that the test sets. */
function openAt(start = Date.now()) {
  const time = { ms: start };
  return { time, keys: openIdempotencyKeys(database.db, () => new Date(time.ms), LIFETIME) };
}

async function take(keys: ReturnType<typeof openIdempotencyKeys>, key: string, fingerprint = "a call") {
  const taken = await keys.take(key, fingerprint);
  if (taken.is !== "ours") throw new Error(`${key}: ${taken.is}`);
  return taken.held;
}

test("of many concurrent calls one gets the key, and all others get the remaining time of its lease", async (t) => {
  const start = Date.now();
  const processes = [0, 1, 2].map(() => openAt(start).keys);
  const all = await Promise.all(processes.flatMap((keys) => Array.from({ length: 20 }, () => keys.take("many", "x"))));
  t.is(all.filter(({ is }) => is === "ours").length, 1);
  for (const taken of all)
    if (taken.is !== "ours") t.true(taken.is === "running" && taken.milliseconds > 0 && taken.milliseconds <= 5_000);
});

test("a repeated call returns the first response until the key expires", async (t) => {
  const { keys, time } = openAt();
  await keys.answer(await take(keys, "answered"), ANSWER);
  t.deepEqual(await keys.take("answered", "a call"), { is: "answered", answer: ANSWER });
  time.ms += LIFETIME * 1000;
  t.deepEqual(await keys.take("answered", "a call"), { is: "answered", answer: ANSWER });
  time.ms += 1;
  t.false((await take(keys, "answered")).isRepeated);
});

test("a call with different contents returns no response, whether or not the first has ended", async (t) => {
  const { keys } = openAt();
  const held = await take(keys, "other");
  t.deepEqual(await keys.take("other", "another call"), { is: "another call" });
  await keys.answer(held, ANSWER);
  t.deepEqual(await keys.take("other", "another call"), { is: "another call" });
});

test("the same key in two stores is two keys", async (t) => {
  const { keys } = openAt();
  const [first, second] = [await take(keys, "t/demo/s/a/calls/1"), await take(keys, "t/demo/s/b/calls/1")];
  t.not(first.run, second.run);
});

test("exactly one run follows a run that does not end, under the same name", async (t) => {
  const { keys, time } = openAt();
  const first = await take(keys, "killed");
  time.ms += 4_999;
  t.is((await keys.take("killed", "a call")).is, "running");
  time.ms += 1;
  const followers = await Promise.all([0, 1, 2, 3].map(() => keys.take("killed", "a call")));
  const [second, ...more] = followers.flatMap((taken) => (taken.is === "ours" ? [taken.held] : []));
  t.is(more.length, 0);
  t.is(second?.run, first.run);
  t.true(second?.isRepeated);
  t.not(second?.holder, first.holder);
});

test("no run follows a run that renews its lease", async (t) => {
  const { keys, time } = openAt();
  const held = await take(keys, "slow");
  for (let round = 0; round < 5; round += 1) {
    time.ms += 4_000;
    await keys.hold(held);
  }
  t.is((await keys.take("slow", "a call")).is, "running");
});

test("a run that was replaced can no longer hold, free or leave the key, but its response counts", async (t) => {
  const { keys, time } = openAt();
  const first = await take(keys, "stalled");
  time.ms += 5_000;
  const second = await take(keys, "stalled");
  await keys.free(first);
  await keys.leave(first);
  t.is((await keys.take("stalled", "a call")).is, "running");
  time.ms += 4_000;
  await keys.hold(first);
  time.ms += 1_000;
  const third = await take(keys, "stalled");
  t.is(third.run, second.run);
  await keys.answer(first, ANSWER);
  t.is((await keys.take("stalled", "a call")).is, "answered");
});

test("a freed key can be reused, and the call of an abandoned key runs again under the same name", async (t) => {
  const { keys } = openAt();
  const first = await take(keys, "left");
  await keys.leave(first);
  const second = await take(keys, "left");
  t.deepEqual([second.run, second.isRepeated], [first.run, true]);
  await keys.free(second);
  const third = await take(keys, "left", "another call");
  t.false(third.isRepeated);
  t.not(third.run, first.run);
});

test("old keys are deleted, and later ones are kept", async (t) => {
  const { keys, time } = openAt(0);
  await take(keys, "old");
  time.ms = 1_000;
  await take(keys, "young");
  t.is(await keys.forget(new Date(1_000)), 1);
  t.is((await keys.take("young", "a call")).is, "running");
  t.false((await take(keys, "old")).isRepeated);
});

test("a change to one key does not affect the others", async (t) => {
  const { keys, time } = openAt(Date.now() - 10 * LIFETIME * 1000);
  const first = await take(keys, "a-first", "one");
  const second = await take(keys, "a-second", "two");
  t.is((await keys.take("a-second", "two")).is, "running");
  await keys.answer(second, ANSWER);
  t.is((await keys.take("a-first", "one")).is, "running");
  await keys.hold(first);
  time.ms += LIFETIME * 1000 + 1;
  await keys.hold(first);
  t.false((await take(keys, "a-second", "two")).isRepeated, "it has expired");
  const { isRepeated } = await take(keys, "a-first", "one");
  t.false(isRepeated);
});

test("a key that is missing at each lookup is looked up five times and then counts as running", async (t) => {
  let [inserts, looks] = [0, 0];
  const db = wrapped(database.db, async (_, method, __, call) => {
    if (method === "insertOne") {
      inserts += 1;
      throw new MongoServerError({ message: "duplicate key", code: 11_000 });
    }
    if (method !== "findOne") return call();
    looks += 1;
    return null;
  });
  const keys = openIdempotencyKeys(db, () => new Date(), LIFETIME);
  t.deepEqual(await keys.take("vanishes", "x"), { is: "running", milliseconds: 5_000 });
  t.deepEqual([inserts, looks], [5, 5]);
});

test("a key that cannot be stored for another reason is reported", async (t) => {
  const db = wrapped(database.db, async (_, method, __, call) => {
    if (method === "insertOne") throw new Error("the database is unreachable");
    return call();
  });
  const keys = openIdempotencyKeys(db, () => new Date(), LIFETIME);
  await t.throwsAsync(keys.take("away", "x"), { message: "the database is unreachable" });
});

test("many old keys are deleted in batches until the turn ends", async (t) => {
  const { db, close } = await openADatabase();
  t.teardown(close);
  const keys = openIdempotencyKeys(db, () => new Date(), LIFETIME);
  const takenAt = new Date("2001-01-01");
  const many = Array.from({ length: 1_500 }, (_, index) => ({ _id: `many-${index}`, takenAt }));
  await db.collection<(typeof many)[number]>("idempotencykey").insertMany(many);
  const before = new Date("2002-01-01");
  t.is(await keys.forget(before, async () => false), 1_000);
  t.is(await keys.forget(before), 500);
});
