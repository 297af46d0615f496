import { randomUUID } from "node:crypto";
import test from "ava";
import { pino } from "pino";
import { createCommit } from "../../../../queues/changes/commit.ts";
import { openSystem } from "../../../../queues/system.ts";
import { renderedImages } from "../../../../records/kinds/pictures.ts";
import { openOutbox } from "../../../../records/outbox/outbox.ts";
import type { Records } from "../../../../records/records.ts";
import type { RenderedImage } from "../../../../schemas/image.ts";
import { linkKey } from "../../../../schemas/keys.ts";
import type { Change } from "../../../../schemas/topics.ts";
import { openProxy } from "../../../../scripts/develop/proxy/database-proxy.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { startASweeper } from "../../../harness/sweeper.ts";
import { jobsOf, later, RESULT_TTL } from "../../../harness/system.ts";
import { change } from "../../../harness/worker.ts";

/** A write may take effect long after its outbox entry was added; its changes are published even then. */
const STORE = "t/demo/s/main";
const MINUTE_MS = 60_000;

const world = ownSystem();
test.beforeEach(async () => {
  await world.system.redis.flushall();
  await world.system.db.collection("outbox").deleteMany({});
});

const picture = (image: string): RenderedImage => ({
  shows: { link: "a", linkRev: 1, item: "b", itemRev: 1 },
  image,
  width: 296,
  height: 128,
  empty: false,
  warnings: [],
});

const entries = () => world.system.db.collection<{ _id: string; changes: string }>("outbox").find({}).toArray();
const published = async (): Promise<Change[]> =>
  (await jobsOf(world.system, "merger")).flatMap(({ data }) => data.changes);
const isPublished = async (key: string) => (await published()).some((change) => change.key === key);

const addToOutbox = async (changes: Change[], since: Date): Promise<string> => {
  const _id = randomUUID();
  await openOutbox(world.system.db).add({ _id, kind: "renderedimage.v1", since, changes });
  return _id;
};

/**
 * Waits until the sweep has checked every existing entry. A sweep takes the oldest first, and the entry added here is the
 * youngest.
 */
async function untilSwept(name: string): Promise<void> {
  const key = linkKey(STORE, name);
  const _id = await addToOutbox([{ ...change(key), rev: 0 }], new Date(Date.now() + 1));
  // An entry is removed once it is published, and by then the sweep is done with all older entries.
  await eventually("the youngest entry is removed", async () => (await entries()).every((entry) => entry._id !== _id));
}

/** A process that reaches MongoDB through a proxy, and that calls `beforeWrite` before it writes records. */
async function openWriter(beforeWrite: (proxy: Awaited<ReturnType<typeof openProxy>>) => Promise<void>) {
  const proxy = await openProxy(world.databases.mongoUrl);
  const settings = {
    REDIS_URL: world.databases.redis.url,
    MONGODB_URL: proxy.url,
    MONGODB_DATABASE: world.databases.database,
    QUEUE_PARTITIONS: 1,
    RESULT_TTL,
    SWEEP_EVERY: 86_400,
    LOG_LEVEL: "silent",
  } as const;
  // A write that is held must not fail, however slow the machine is.
  const system = openSystem(settings, pino({ level: "silent" }), 400_000);
  system.sweeper.stop();
  const compareAndSet: Records["compareAndSet"] = async (...given) => {
    await beforeWrite(proxy);
    return system.records.compareAndSet(...given);
  };
  const records = { ...system.records, compareAndSet };
  return {
    proxy,
    system,
    commit: createCommit({ ...system, records, outbox: openOutbox(system.db) }),
    async close() {
      await system.close();
      await proxy.close();
    },
  };
}

test.serial(
  "a write delayed beyond any grace period is published, even if its own process cannot publish it",
  async (t) => {
    const key = linkKey(STORE, "held");
    await world.system.commit.change(renderedImages, [key], () => picture("1"), "bulk");
    const held = Promise.withResolvers<void>();
    const writer = await openWriter(async (proxy) => {
      proxy.hold();
      held.resolve();
    });
    t.teardown(writer.close);
    const current = (await writer.system.records.read(renderedImages, [key])).get(key);
    const made = linkKey(STORE, "made");
    const decisions = [
      { key, current, body: picture("2") },
      { key: made, current: undefined, body: picture("3") },
    ];
    await world.system.redis.flushall();
    const writing = writer.commit.write(renderedImages, decisions, "bulk");
    await held.promise;
    startASweeper(t, world, later(MINUTE_MS));
    await untilSwept("marker-1");
    t.is((await entries()).length, 1, "its write is still in progress");
    t.false(await isPublished(key));

    writer.system.redis.disconnect();
    writer.proxy.restore();
    t.deepEqual((await writing).lost, []);
    await eventually("the update is published", () => isPublished(key));
    await eventually("the insert is published", () => isPublished(made));
    await eventually("the outbox is empty", async () => (await entries()).length === 0);
  },
);

test.serial("an outbox entry is stored before its write", async (t) => {
  const key = linkKey(STORE, "noted");
  const noted: unknown[] = [];
  const writer = await openWriter(async () => {
    noted.push(...(await entries()).map(({ changes }) => JSON.parse(changes)[0].key));
    throw new Error("the process is killed here");
  });
  t.teardown(writer.close);
  const decisions = [{ key, current: undefined, body: picture("1") }];
  await t.throwsAsync(writer.commit.write(renderedImages, decisions, "bulk"));
  t.deepEqual(noted, [key]);
  t.is((await entries()).length, 1, "the change is left to the sweep");
});

test.serial("the written part of a batch is published, and the rest waits", async (t) => {
  const [written = "", missing = ""] = ["written", "missing"].map((id) => linkKey(STORE, id));
  await world.system.commit.change(renderedImages, [written], () => picture("1"), "bulk");
  const rev = (await world.system.records.readRevs(renderedImages, [written])).get(written) ?? 0;
  await world.system.redis.flushall();
  const changes = [written, missing].map((key) => ({ ...change(key), rev }));
  const _id = await addToOutbox(changes, new Date());
  startASweeper(t, world, later(MINUTE_MS));
  await untilSwept("marker-2");
  t.true(await isPublished(written));
  t.deepEqual(
    (await entries()).map((entry) => [entry._id, JSON.parse(entry.changes)]),
    [[_id, [changes[1]]]],
  );
  await untilSwept("marker-3");
  t.is((await published()).filter(({ key }) => key === written).length, 1, "the written part is published once");
});

test.serial("a change that a later write has replaced is published and removed", async (t) => {
  const key = linkKey(STORE, "overtaken");
  for (const image of ["1", "2", "3"])
    await world.system.commit.change(renderedImages, [key], () => picture(image), "bulk");
  const rev = (await world.system.records.readRevs(renderedImages, [key])).get(key) ?? 0;
  await world.system.redis.flushall();
  await addToOutbox([{ ...change(key), rev: rev - 1 }], new Date());
  startASweeper(t, world, later(MINUTE_MS));
  await eventually("the outbox is empty", async () => (await entries()).length === 0);
  t.true(await isPublished(key));
});

test.serial("a write that can no longer happen is published and removed", async (t) => {
  const key = linkKey(STORE, "abandoned");
  await addToOutbox([change(key)], new Date());
  let time = later(MINUTE_MS);
  startASweeper(t, world, () => time());
  await untilSwept("marker-4");
  t.false(await isPublished(key));
  time = later(11 * MINUTE_MS);
  await eventually("the outbox is empty", async () => (await entries()).length === 0);
  t.true(await isPublished(key));
});
