import test from "ava";
import { createRateLimit, type Grant, type Rate } from "../../../api/http/token-bucket.ts";
import { openRedis } from "../../../queues/redis.ts";
import { openProxy } from "../../../scripts/develop/proxy/database-proxy.ts";
import { type Databases, openDatabases } from "../../harness/databases/databases.ts";
import { eventually } from "../../harness/eventually.ts";
import { PATIENT_MS } from "../../harness/patience.ts";

let databases: Databases;
test.before(async () => {
  databases = await openDatabases();
});
test.after.always(() => databases.stop());

const clock = () => performance.now();
const nothing = () => {};
/** Calls per second, so few that no bucket gains a call during a test. */
const SLOW = 0.001;

/** Opens the rate limit of one web process, with its own connection. */
async function openLimit(rate: Rate, { url = databases.redis.url, timeoutMs = PATIENT_MS } = {}) {
  const redis = openRedis({ REDIS_URL: url }, undefined, PATIENT_MS);
  redis.on("error", nothing);
  await eventually("Redis is there", async () => redis.status === "ready");
  return {
    take: createRateLimit(rate, { redis, clock, onError: nothing, timeoutMs }),
    close: () => redis.disconnect(),
  };
}

const isGranted = (grant: Grant | undefined) => grant?.isGranted === true;

test("each token has its own burst, after which its calls are refused", async (t) => {
  const { take, close } = await openLimit({ perSecond: SLOW, burst: 3 });
  t.teardown(close);
  const left: (number | undefined)[] = [];
  for (let call = 0; call < 3; call += 1) left.push((await take("one"))?.left);
  t.deepEqual(left, [2, 1, 0]);
  t.like(await take("one"), { isGranted: false, left: 0 });
  t.like(await take("other"), { isGranted: true, left: 2 });
});

test("a rejected call reports when the next call is allowed, not when the whole burst is restored", async (t) => {
  const { take, close } = await openLimit({ perSecond: SLOW, burst: 3 });
  t.teardown(close);
  await Promise.all([take("slow"), take("slow"), take("slow")]);
  const { secondsToWait = 0, ...refusal } = (await take("slow")) ?? {};
  t.deepEqual(refusal, { isGranted: false, left: 0 });
  t.true(secondsToWait > 1 / SLOW / 2 && secondsToWait <= 1 / SLOW, `${secondsToWait} s`);
});

test("used calls are restored at the rate, up to the burst", async (t) => {
  const { take, close } = await openLimit({ perSecond: 20, burst: 2 });
  t.teardown(close);
  await Promise.all([take("back"), take("back"), take("back")]);
  t.true(await eventually("a call is allowed again", async () => isGranted(await take("back"))));
  t.deepEqual(
    await eventually("the bucket is full again", async () => {
      const grant = await take("full");
      return grant?.left === 1 && grant;
    }),
    { isGranted: true, left: 1, secondsToWait: 1 },
  );
});

test("concurrent calls are counted one by one, and each reports how many calls remain", async (t) => {
  const { take, close } = await openLimit({ perSecond: SLOW, burst: 5 });
  t.teardown(close);
  const grants = await Promise.all(Array.from({ length: 8 }, () => take("together")));
  t.deepEqual(
    grants.map((grant) => [grant?.isGranted, grant?.left]),
    [
      [true, 4],
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
      [false, 0],
    ],
  );
});

test("a token has one rate across several processes", async (t) => {
  const burst = 200;
  const processes = await Promise.all([0, 1, 2].map(() => openLimit({ perSecond: 10, burst })));
  t.teardown(() => {
    for (const { close } of processes) close();
  });
  const began = clock();
  const grants = await Promise.all(processes.flatMap(({ take }) => Array.from({ length: 300 }, () => take("shared"))));
  const granted = grants.filter(isGranted).length;
  const grown = Math.ceil(((clock() - began) / 1000) * 10) + 1;
  t.true(grants.every((grant) => grant !== undefined));
  t.true(granted >= burst && granted <= burst + grown, `${granted} of ${grants.length} were allowed`);
});

test("high rates are as exact as low rates", async (t) => {
  const { take, close } = await openLimit({ perSecond: 3 * SLOW, burst: 7 });
  t.teardown(close);
  const grants = await Promise.all(Array.from({ length: 7 }, () => take("thirds")));
  t.deepEqual(
    grants.map((grant) => grant?.left),
    [6, 5, 4, 3, 2, 1, 0],
  );
  const fast = await openLimit({ perSecond: 1_000_000, burst: 1_000_000 });
  t.teardown(fast.close);
  t.true(isGranted(await fast.take("fast")));
});

test("while Redis does not respond, calls are not counted and do not wait for each other", async (t) => {
  const proxy = await openProxy(databases.redis.url);
  const { take, close } = await openLimit({ perSecond: 1, burst: 2 }, { url: proxy.url, timeoutMs: 200 });
  t.teardown(async () => {
    close();
    await proxy.close();
  });
  t.true(await eventually("calls are counted", async () => isGranted(await take("away"))));
  proxy.hold();
  const uncounted = await Promise.all(Array.from({ length: 50 }, () => take("away")));
  t.true(uncounted.every((grant) => grant === undefined));
  t.is(await take("away"), undefined);
  proxy.restore();
  t.truthy(await eventually("calls are counted again", () => take("back again")));
});

test("an error from Redis lets calls pass uncounted and never refuses them", async (t) => {
  const errors: string[] = [];
  const redis = openRedis({ REDIS_URL: databases.redis.url }, undefined, PATIENT_MS);
  redis.on("error", nothing);
  t.teardown(() => redis.disconnect());
  await eventually("Redis is there", async () => redis.status === "ready");
  await redis.lpush("rate:broken", "no time");
  let time = 0;
  const onError = (error: Error) => errors.push(error.message);
  const take = createRateLimit(
    { perSecond: 1, burst: 1 },
    { redis, clock: () => time, onError, timeoutMs: PATIENT_MS },
  );
  t.deepEqual(await Promise.all([take("broken"), take("beside"), take("broken")]), [undefined, undefined, undefined]);
  t.true(errors.length > 0);
  t.true(errors.every((message) => message.includes("WRONGTYPE")));
  time += 1_001;
  t.true(isGranted(await take("sound")), "a second later calls are counted again");
});

test("while Redis is down calls are not counted", async (t) => {
  const redis = openRedis({ REDIS_URL: "redis://127.0.0.1:9" });
  redis.on("error", nothing);
  t.teardown(() => redis.disconnect());
  t.is(await createRateLimit({ perSecond: 1, burst: 1 }, { redis, clock, onError: nothing })("gone"), undefined);
});
