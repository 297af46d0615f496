import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import test from "ava";
import type { Redis } from "ioredis";
import { createTails, type TailOrder, type Tails } from "../../../../api/management/subscriptions/tails.ts";
import { keepStream, LABELS, labelStreamKey, writeLabelStreams } from "../../../../queues/publish/streams.ts";
import { tenantLimits } from "../../../../schemas/tenant-limits.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";

const own = ownSystem();

/**
 * Opens tails whose clock is stopped, so that no comment is ever sent. Counts how often the end of a stream was read from Redis,
 * and how many entries Redis returned for resuming tails.
 */
function openTails(clock = () => 0) {
  let readers = 0;
  let entries = 0;
  const redis = new Proxy(own.system.redis, {
    get(target, name) {
      if (name === "xrevrange") readers += 1;
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return async (...all: unknown[]) => {
        const answer = await value.apply(target, all);
        if (name === "xrange") entries += answer.length;
        return answer;
      };
    },
  }) as Redis;
  const tails = createTails({ redis, clock, eventsOf: async () => [] });
  return { tails, readers: () => readers, entries: () => entries };
}

const open = (tails: Tails, tenant: string, more: Partial<TailOrder> = {}) =>
  tails.open({ tenant, topic: LABELS, after: undefined, isPermitted: async () => true, ...more });

/** Opens a tail and reads its first chunk of text. */
async function openedTail(tails: Tails, tenant: string, more: Partial<TailOrder> = {}) {
  const stream = open(tails, tenant, more) as Readable;
  const texts = stream.iterator({ destroyOnReturn: false });
  await texts.next();
  return { stream, next: async () => String((await texts.next()).value) };
}

test("callers who disconnect free their slots immediately, even without changes", async (t) => {
  const { tails } = openTails();
  t.teardown(tails.close);
  const all = await Promise.all(Array.from({ length: tenantLimits.tails }, () => openedTail(tails, "t/left")));
  t.is(open(tails, "t/left"), "tenant");
  for (const { stream } of all) stream.destroy();
  await setImmediate();
  t.not(open(tails, "t/left"), "tenant");
});

test("concurrent tails of one topic share one reader, and a tail opened after they end starts a new one", async (t) => {
  const { tails, readers } = openTails();
  t.teardown(tails.close);
  const all = await Promise.all(Array.from({ length: 12 }, () => openedTail(tails, "t/shared")));
  t.is(readers(), 1, "the tail starts after the stream's last entry");
  await writeLabelStreams(own.system.redis, ["t/shared/s/main/labels/A1"]);
  for (const { next } of all) t.regex(await next(), /"barcode":"A1"/);
  for (const { stream } of all) stream.destroy();
  await setImmediate();
  await openedTail(tails, "t/shared");
  t.is(readers(), 2);
});

test("an open tail keeps its stream, even if Redis lost it, and the stream lasts another hour after the tail ends", async (t) => {
  const { redis } = own.system;
  const time = { ms: 0 };
  const { tails } = openTails(() => time.ms);
  t.teardown(tails.close);
  const key = labelStreamKey("t/kept");
  const { stream } = await openedTail(tails, "t/kept");
  await redis.del(key);
  time.ms = 5_000;
  await eventually("the stream exists again", async () => (await redis.exists(key)) === 1);
  await redis.expire(key, 60);
  time.ms = 10_000;
  await eventually("the stream is kept for another hour", async () => (await redis.ttl(key)) > 60);
  stream.destroy();
  await setImmediate();
  await writeLabelStreams(redis, ["t/kept/s/main/labels/A1"]);
  t.is(await redis.xlen(key), 1, "a caller may resume");
});

test("a resumed tail reads missed entries no faster than its caller, then new entries, each once", async (t) => {
  const { tails, entries } = openTails();
  t.teardown(tails.close);
  const { redis } = own.system;
  const write = (index: number) => writeLabelStreams(redis, [`t/resumed/s/main/labels/L${index}`]);
  await keepStream(redis, labelStreamKey("t/resumed"));
  for (let index = 0; index < 150; index += 1) await write(index);
  const { next } = await openedTail(tails, "t/resumed", { after: "0-0" });
  const texts = [await next()];
  t.true(entries() <= 4, `${entries()} entries were read for a caller that read one`);
  for (let index = 150; index < 180; index += 1) {
    await write(index);
    texts.push(await next());
  }
  while (texts.length < 180) texts.push(await next());
  t.deepEqual(
    texts.map((text) => /"barcode":"(\w+)"/.exec(text)?.[1]),
    Array.from({ length: 180 }, (_, index) => `L${index}`),
  );
});

test("a tail whose caller loses its permissions ends before the next entry, even if that entry is a missed one", async (t) => {
  const { tails } = openTails();
  t.teardown(tails.close);
  await keepStream(own.system.redis, labelStreamKey("t/narrowed"));
  for (const barcode of ["A1", "A2"])
    await writeLabelStreams(own.system.redis, [`t/narrowed/s/main/labels/${barcode}`]);
  let isGood = true;
  const { next } = await openedTail(tails, "t/narrowed", { after: "0-0", isPermitted: async () => isGood });
  isGood = false;
  t.is(await next(), "undefined");
});
