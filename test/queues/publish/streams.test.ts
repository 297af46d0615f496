import { randomUUID } from "node:crypto";
import test from "ava";
import {
  keepStream,
  LABELS,
  labelStreamKey,
  lastEntryOf,
  readStream,
  readStreamUpTo,
  streamKey,
  writeLabelStreams,
  writeStreams,
} from "../../../queues/publish/streams.ts";
import type { Change } from "../../../schemas/topics.ts";
import { ownSystem } from "../../harness/own.ts";
import { change } from "../../harness/worker.ts";

const own = ownSystem();
const aTenant = (): string => `t/${randomUUID()}`;
/** A tenant with tails for items, links, store-level links and labels. */
async function aTailedTenant(): Promise<string> {
  const tenant = aTenant();
  const topics = (["storeitemvalues.v1", "link.v2", "storelink.v1"] as const).map((topic) => streamKey(tenant, topic));
  for (const key of [...topics, labelStreamKey(tenant)]) await keepStream(own.system.redis, key);
  return tenant;
}
const itemsOf = (tenant: string, count: number): Change[] =>
  Array.from({ length: count }, (_, index) => change(`${tenant}/s/main/items/${index}`));
const keysIn = (content: unknown): string[] => (content as Change[]).map(({ key }) => key);

test("changes are read from their tenant's stream after a given entry, in entries of a hundred", async (t) => {
  const { redis } = own.system;
  const [one, other] = [await aTailedTenant(), await aTailedTenant()];
  const changes = itemsOf(one, 250);
  await writeStreams(redis, "storeitemvalues.v1", [...itemsOf(other, 1), ...changes]);
  const key = streamKey(one, "storeitemvalues.v1");
  const entries = await readStream(redis, key, "0-0");
  t.deepEqual(
    entries.map(({ source, content }) => [source, keysIn(content).length]),
    [100, 100, 50].map((count) => ["storeitemvalues.v1", count]),
  );
  t.deepEqual(
    entries.flatMap(({ content }) => content as Change[]),
    changes,
  );
  t.is((await readStream(redis, streamKey(other, "storeitemvalues.v1"), "0-0")).length, 1);

  t.deepEqual(await readStream(redis, key, entries[1]?.id ?? ""), entries.slice(2));
  t.deepEqual(await readStream(redis, key, entries[2]?.id ?? ""), []);
});

test("a stream is read up to a given entry, and reports its newest entry", async (t) => {
  const { redis } = own.system;
  const tenant = await aTailedTenant();
  const key = streamKey(tenant, "storeitemvalues.v1");
  t.is(await lastEntryOf(redis, key), "0-0");
  t.deepEqual(await readStream(redis, key, "0-0"), []);
  for (const one of itemsOf(tenant, 4)) await writeStreams(redis, "storeitemvalues.v1", [one]);
  const ids = (await readStream(redis, key, "0-0")).map(({ id }) => id);
  t.is(await lastEntryOf(redis, key), ids.at(-1) ?? "");
  const between = await readStreamUpTo(redis, key, { after: ids[0] ?? "", upTo: ids[2] ?? "", count: 10 });
  t.deepEqual(
    between.map(({ id }) => id),
    ids.slice(1, 3),
  );
  const [first, ...more] = await readStreamUpTo(redis, key, { after: ids[0] ?? "", upTo: ids[2] ?? "", count: 1 });
  t.deepEqual([first?.id, more], [ids[1], []]);
});

test("store-level links that were made together are one entry among the links, just as they are one event", async (t) => {
  const { redis } = own.system;
  const tenant = await aTailedTenant();
  const changes = itemsOf(tenant, 150);
  await writeStreams(redis, "storelink.v1", changes);
  const sizesOf = async (topic: "link.v2" | "storelink.v1") =>
    (await readStream(redis, streamKey(tenant, topic), "0-0")).map(({ content }) => keysIn(content).length);
  t.deepEqual(await sizesOf("link.v2"), [150]);
  t.deepEqual(await sizesOf("storelink.v1"), [100, 50]);
});

test("labels have a stream of their keys for each tenant, in entries of a hundred", async (t) => {
  const { redis } = own.system;
  const [one, other] = [await aTailedTenant(), await aTailedTenant()];
  const keys = Array.from({ length: 120 }, (_, index) => `${one}/s/main/labels/${index}`);
  await writeLabelStreams(redis, [...keys, `${other}/s/main/labels/A`]);
  const entries = await readStream(redis, labelStreamKey(one), "0-0");
  t.deepEqual(
    entries.map(({ source, content }) => [source, (content as string[]).length]),
    [
      [LABELS, 100],
      [LABELS, 20],
    ],
  );
  t.deepEqual(
    entries.flatMap(({ content }) => content as string[]),
    keys,
  );
  t.is((await readStream(redis, labelStreamKey(other), "0-0")).length, 1);
});

const streamsOf = (tenant: string) => [streamKey(tenant, "storeitemvalues.v1"), labelStreamKey(tenant)];
const writeBoth = async (tenant: string) => {
  await writeStreams(own.system.redis, "storeitemvalues.v1", itemsOf(tenant, 100));
  await writeLabelStreams(own.system.redis, [`${tenant}/s/main/labels/A`]);
};

test("nothing is written without a tail", async (t) => {
  const { redis } = own.system;
  const tenant = aTenant();
  await writeBoth(tenant);
  t.is(await redis.exists(...streamsOf(tenant)), 0);
  const [ofItems = ""] = streamsOf(tenant);
  await keepStream(redis, ofItems);
  t.is(await lastEntryOf(redis, ofItems), "0-0", "a new stream has no entry");
  await writeBoth(tenant);
  t.is(await redis.exists(...streamsOf(tenant)), 1, "the stream of labels has no tail");
  t.is((await readStream(redis, ofItems, "0-0")).length, 1);
});

test("a stream expires an hour after its last tail, whatever is written to it", async (t) => {
  const { redis } = own.system;
  const tenant = await aTailedTenant();
  for (const key of streamsOf(tenant)) {
    const seconds = await redis.ttl(key);
    t.true(seconds > 3_000 && seconds <= 3_600);
    await redis.expire(key, 60);
  }
  await writeBoth(tenant);
  for (const key of streamsOf(tenant)) {
    t.true((await redis.ttl(key)) <= 60);
    t.is((await readStream(redis, key, "0-0")).length, 1);
    await keepStream(redis, key);
    t.true((await redis.ttl(key)) > 3_000);
    t.is((await readStream(redis, key, "0-0")).length, 1, "a resumed tail finds what was written");
  }
});

test("a stream keeps several hundred entries", async (t) => {
  const { redis } = own.system;
  const tenant = await aTailedTenant();
  const keys = Array.from({ length: 100 * 500 }, (_, index) => `${tenant}/s/main/labels/${index}`);
  await writeLabelStreams(redis, keys);
  const length = await redis.xlen(labelStreamKey(tenant));
  t.true(length >= 200 && length < 500, `${length}`);
});
