import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import test from "ava";
import type { Redis } from "ioredis";
import { createTails, type Tails } from "../../../../api/management/subscriptions/tails.ts";
import { LABELS, labelStreamKey, writeLabelStreams } from "../../../../queues/publish/streams.ts";
import { tenantLimits } from "../../../../schemas/tenant-limits.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";

const own = ownSystem();

/** Tails whose clock stands, so that no comment is ever sent, and how often Redis is asked where a stream ends. */
function openTails(clock = () => 0) {
  let readers = 0;
  const redis = new Proxy(own.system.redis, {
    get(target, name) {
      if (name === "xrevrange") readers += 1;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as Redis;
  return { tails: createTails({ redis, clock, eventsOf: async () => [] }), readers: () => readers };
}

const open = (tails: Tails, tenant: string) =>
  tails.open({ tenant, topic: LABELS, after: undefined, isPermitted: async () => true });

/** A tail that has begun. */
async function begun(tails: Tails, tenant: string) {
  const stream = open(tails, tenant) as Readable;
  const texts = stream.iterator({ destroyOnReturn: false });
  await texts.next();
  return { stream, next: async () => String((await texts.next()).value) };
}

test("callers who leave free their places at once, though nothing changes", async (t) => {
  const { tails } = openTails();
  t.teardown(tails.close);
  const all = await Promise.all(Array.from({ length: tenantLimits.tails }, () => begun(tails, "t/left")));
  t.is(open(tails, "t/left"), "tenant");
  for (const { stream } of all) stream.destroy();
  await setImmediate();
  t.not(open(tails, "t/left"), "tenant");
});

test("tails of one topic share one reader, and the next ones have a new one", async (t) => {
  const { tails, readers } = openTails();
  t.teardown(tails.close);
  const all = await Promise.all(Array.from({ length: 12 }, () => begun(tails, "t/shared")));
  t.is(readers(), 1, "it begins behind the stream's last entry");
  await writeLabelStreams(own.system.redis, ["t/shared/s/main/labels/A1"]);
  for (const { next } of all) t.regex(await next(), /"barcode":"A1"/);
  for (const { stream } of all) stream.destroy();
  await setImmediate();
  await begun(tails, "t/shared");
  t.is(readers(), 2);
});

test("an open tail keeps its stream, also where Redis has lost it, and leaves it for an hour when it ends", async (t) => {
  const { redis } = own.system;
  const time = { ms: 0 };
  const { tails } = openTails(() => time.ms);
  t.teardown(tails.close);
  const key = labelStreamKey("t/kept");
  const { stream } = await begun(tails, "t/kept");
  await redis.del(key);
  time.ms = 5_000;
  await eventually("the stream is there again", async () => (await redis.exists(key)) === 1);
  await redis.expire(key, 60);
  time.ms = 10_000;
  await eventually("it is kept for an hour again", async () => (await redis.ttl(key)) > 60);
  stream.destroy();
  await setImmediate();
  await writeLabelStreams(redis, ["t/kept/s/main/labels/A1"]);
  t.is(await redis.xlen(key), 1, "a caller may resume");
});
