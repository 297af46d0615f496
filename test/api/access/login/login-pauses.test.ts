import { randomUUID } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import {
  type Attempt,
  createLoginPauses,
  type LoginPauses,
  pauseAfter,
} from "../../../../api/access/login/login-pauses.ts";
import { openRedis } from "../../../../queues/redis.ts";
import { onFreePort } from "../../../../scripts/start/ports.ts";
import { startRedis } from "../../../../scripts/start/servers.ts";
import { type Databases, openDatabases } from "../../../harness/databases/databases.ts";
import { eventually } from "../../../harness/eventually.ts";
import { PATIENT_MS } from "../../../harness/patience.ts";

let databases: Databases;
test.before(async () => {
  databases = await openDatabases();
});
test.after.always(() => databases.stop());

const nothing = () => {};
/** Opens the pauses of one process; if no address is given, Redis cannot be reached. */
async function openPauses(url?: string) {
  const time = { ms: 1_000_000 };
  const redis = openRedis({ REDIS_URL: url ?? "redis://127.0.0.1:9" }, undefined, PATIENT_MS);
  redis.on("error", nothing);
  if (url) await eventually("Redis is there", async () => redis.status === "ready");
  const pauses = createLoginPauses({ redis, clock: () => time.ms, onError: nothing, timeoutMs: PATIENT_MS });
  return { pauses, time, close: () => redis.disconnect() };
}

const stranger = (): Attempt => ({ userName: randomUUID(), address: randomUUID() });
async function fail(pauses: LoginPauses, attempt: Attempt, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await pauses.failed(attempt);
}

/** Asserts how much is left of a pause that began at `began` or later. Redis's clock runs on while a machine is slow. */
function isLeft(t: ExecutionContext, left: number, seconds: number, began: number): void {
  const passed = (performance.now() - began + CLOCK_STEP_MS) / 1000;
  t.true(left <= seconds && left >= Math.ceil(seconds - passed), `${left} s`);
}
/** Redis counts whole milliseconds. */
const CLOCK_STEP_MS = 2;

test("the first failures lead to no pause, and each later one doubles the pause, up to 15 minutes", (t) => {
  t.deepEqual(
    [0, 1, 4, 5, 6, 7, 8].map((failures) => pauseAfter(failures, 4)),
    [0, 0, 0, 1_000, 2_000, 4_000, 8_000],
  );
  t.is(pauseAfter(14, 4), 512_000);
  for (const many of [15, 100, 10_000]) t.is(pauseAfter(many, 4), 900_000);
});

for (const where of ["in Redis", "in the process, while Redis is unreachable"] as const) {
  const open = () => openPauses(where === "in Redis" ? databases.redis.url : undefined);

  test(`${where}: several failures pause a name at the address they came from, and at no other`, async (t) => {
    const { pauses, close } = await open();
    t.teardown(close);
    const { userName, address } = stranger();
    await fail(pauses, { userName, address }, 4);
    t.is(await pauses.left({ userName, address }), 0);
    const began = performance.now();
    await fail(pauses, { userName, address }, 2);
    isLeft(t, await pauses.left({ userName, address }), 2, began);
    t.is(await pauses.left({ userName, address: randomUUID() }), 0, "the user is not locked out at another address");
    t.is(await pauses.left({ userName: randomUUID(), address }), 0, "the address may log in as another user");
  });

  test(`${where}: password guesses for one user from many addresses are throttled, without locking that user out for long`, async (t) => {
    const { pauses, close } = await open();
    t.teardown(close);
    const { userName } = stranger();
    for (let failure = 0; failure < 99; failure += 1) await pauses.failed({ userName, address: randomUUID() });
    t.is(await pauses.left({ userName, address: randomUUID() }), 0);
    for (let failure = 0; failure < 29; failure += 1) await pauses.failed({ userName, address: randomUUID() });
    const began = performance.now();
    await pauses.failed({ userName, address: randomUUID() });
    isLeft(t, await pauses.left({ userName, address: randomUUID() }), 5, began);
  });

  test(`${where}: an address is paused after more failures, under any names`, async (t) => {
    const { pauses, close } = await open();
    t.teardown(close);
    const { address } = stranger();
    for (let failure = 0; failure < 19; failure += 1) await pauses.failed({ userName: randomUUID(), address });
    t.is(await pauses.left({ userName: randomUUID(), address }), 0);
    const began = performance.now();
    await pauses.failed({ userName: randomUUID(), address });
    isLeft(t, await pauses.left({ userName: randomUUID(), address }), 1, began);
    t.is(await pauses.left(stranger()), 0);
  });

  test(`${where}: a success resets its name's count, but not its address's`, async (t) => {
    const { pauses, close } = await open();
    t.teardown(close);
    const attempt = stranger();
    await fail(pauses, attempt, 4);
    await pauses.succeeded(attempt);
    await fail(pauses, attempt, 4);
    t.is(await pauses.left(attempt), 0);
    for (let round = 0; round < 2; round += 1) {
      await pauses.succeeded(attempt);
      await fail(pauses, attempt, 4);
    }
    await pauses.succeeded(attempt);
    await fail(pauses, attempt, 3);
    const began = performance.now();
    await fail(pauses, attempt, 1);
    await pauses.succeeded(attempt);
    // That was the address's twentieth failure.
    isLeft(t, await pauses.left(attempt), 1, began);
  });
}

test("a pause applies in every process", async (t) => {
  const [one, other] = [await openPauses(databases.redis.url), await openPauses(databases.redis.url)];
  t.teardown(one.close);
  t.teardown(other.close);
  const attempt = stranger();
  await fail(one.pauses, attempt, 3);
  await fail(other.pauses, attempt, 3);
  const began = performance.now();
  await fail(other.pauses, attempt, 1);
  for (const { pauses } of [one, other]) isLeft(t, await pauses.left(attempt), 4, began);
});

test("a process ends a pause on time", async (t) => {
  const { pauses, time, close } = await openPauses();
  t.teardown(close);
  const attempt = stranger();
  await fail(pauses, attempt, 7);
  t.is(await pauses.left(attempt), 4);
  time.ms += 3_999;
  t.is(await pauses.left(attempt), 1);
  time.ms += 1;
  t.is(await pauses.left(attempt), 0);
});

test("failures counted in Redis still count in the process when Redis is down", async (t) => {
  const redis = await onFreePort((port) => startRedis(port));
  const { pauses, close } = await openPauses(redis.url);
  t.teardown(close);
  const attempt = stranger();
  await fail(pauses, attempt, 4);
  await redis.kill();
  await fail(pauses, attempt, 1);
  t.is(await pauses.left(attempt), 1);
});

test("Redis stores neither names nor addresses", async (t) => {
  const { pauses, close } = await openPauses(databases.redis.url);
  t.teardown(close);
  await fail(pauses, { userName: "operator@example.com", address: "203.0.113.7" }, 6);
  const redis = openRedis({ REDIS_URL: databases.redis.url }, undefined, PATIENT_MS);
  t.teardown(() => redis.disconnect());
  await eventually("Redis is there", async () => redis.status === "ready");
  const keys = (await redis.keys("*")).join(" ");
  t.true(keys.includes("{login:"));
  t.notRegex(keys, /operator|203\.0/);
});
