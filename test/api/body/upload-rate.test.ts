import test from "ava";
import type { Redis } from "ioredis";
import { createUploadRate } from "../../../api/body/upload-rate.ts";
import { openRedis } from "../../../queues/redis.ts";
import { type Databases, openDatabases } from "../../harness/databases/databases.ts";
import { eventually } from "../../harness/eventually.ts";
import { partOf } from "../../harness/part-of.ts";
import { PATIENT_MS } from "../../harness/patience.ts";

let databases: Databases;
test.before(async () => {
  databases = await openDatabases();
});
test.after.always(() => databases.stop());

const MiB = 2 ** 20;
/** So slow that no bucket gains a byte during a test. */
const rate = { perSecond: 0.001, burst: 100 * MiB };
const refused = { message: /may upload .* MiB per second, and 100 MiB in a burst/ };
const fails = (error: Error) => {
  throw error;
};

test("a tenant may upload one burst of bytes across all processes; then only a smaller file fits", async (t) => {
  const redis = openRedis({ REDIS_URL: databases.redis.url }, undefined, PATIENT_MS);
  t.teardown(() => redis.disconnect());
  await eventually("Redis is there", async () => redis.status === "ready");
  const world = { redis, clock: () => 0, onError: fails, timeoutMs: PATIENT_MS };
  const [one, other] = [createUploadRate(rate, world), createUploadRate(rate, world)];
  await one("t/a", 60 * MiB);
  await other("t/a", 39 * MiB);
  const error = await t.throwsAsync(one("t/a", 2 * MiB), refused);
  t.true(Number((error as { extra?: { headers?: Record<string, string> } }).extra?.headers?.["retry-after"]) > 1_000);
  await t.notThrowsAsync(other("t/a", MiB), "a refused upload does not count against the rate");
  await t.throwsAsync(one("t/a", 1), refused);
  await t.notThrowsAsync(one("t/b", 100 * MiB));
});

test("while Redis is down each process applies the same rate on its own, and its bucket refills over time", async (t) => {
  let now = 0;
  const away = partOf<Redis>({ status: "reconnecting" });
  const count = createUploadRate(
    { perSecond: MiB, burst: 10 * MiB },
    { redis: away, clock: () => now, onError: fails },
  );
  for (let file = 0; file < 10; file += 1) await count("t/a", MiB);
  await t.throwsAsync(count("t/a", MiB), { message: /in a burst after a pause/ });
  now += 1_000;
  await t.notThrowsAsync(count("t/a", MiB));
  await t.throwsAsync(count("t/a", 1), { message: /in a burst after a pause/ });
});
