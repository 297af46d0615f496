import test from "ava";
import { openResults } from "../../../queues/requests/results.ts";
import type { JournaledChunk } from "../../../records/requests/chunks.ts";
import { journalCollection } from "../../../records/requests/journal.ts";
import type { Outcome, RequestStatus } from "../../../schemas/request.ts";
import { ownSystem } from "../../harness/own.ts";
import { later, RESULT_TTL } from "../../harness/system.ts";

const TTL_MS = RESULT_TTL * 1_000;

const world = ownSystem();

const done = (itemId: string): Outcome => ({ itemId, status: "SUCCESS", errors: [] });
const pending = (itemId: string): Outcome => ({ itemId, status: "PENDING", errors: [] });
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ itemId: `item-${index}` }));

/** A request in a store created by the test. */
async function request(name: string, count = 1) {
  const store = `t/demo/s/${name}`;
  const rows = rowsOf(count);
  const chunks = await world.system.accept({ store, operation: "patch-items", rows, ordered: false });
  const outcomesOf = (chunk: JournaledChunk | undefined): Outcome[] =>
    rows.slice(chunk?.firstRow, (chunk?.firstRow ?? 0) + (chunk?.size ?? 0)).map(({ itemId }) => done(itemId));
  return {
    store,
    chunks,
    rows,
    /** Settles a chunk's rows as a worker does after it has applied them. */
    async settle(index: number, outcomes = outcomesOf(chunks[index])) {
      await world.system.journal.settle(new Map([[chunks[index]?._id ?? "", outcomes]]));
    },
    async cache(index: number, outcomes = outcomesOf(chunks[index])) {
      const chunk = chunks[index];
      if (chunk) await world.system.results.cache([{ ...chunk, outcomes }]);
    },
    read: (results = world.system.results) => results.read(store, 1),
  };
}

const hasRoom = { isFull: async () => false };
const resultsAt = (now: () => Date) =>
  openResults({ ...world.system, ...hasRoom, now, resultTtl: RESULT_TTL, onError: () => {} });

test.serial("a cached result is read only from Redis", async (t) => {
  const { settle, cache, read, store } = await request("kept");
  await settle(0);
  await cache(0);
  await journalCollection(world.system.db).deleteMany({ store });
  t.deepEqual(await read(), { status: "COMPLETED", operation: "patch-items", outcomes: [done("item-0")] });
});

test.serial("after Redis is flushed a result is read from the journal and is the same", async (t) => {
  const { settle, cache, read, rows } = await request("flushed", 2_500);
  for (const index of [2, 0, 1]) {
    await settle(index);
    await cache(index);
  }
  const before = await read();
  t.deepEqual(
    before?.outcomes.map(({ itemId }) => itemId),
    rows.map(({ itemId }) => itemId),
  );
  await world.system.redis.flushall();
  t.deepEqual(await read(), before);
});

test.serial(
  "a request is pending, in progress, then completed; its rows are listed in order, open rows as PENDING",
  async (t) => {
    const { settle, cache, read, rows } = await request("progress", 2_001);
    const steps: [number | undefined, RequestStatus, number[]][] = [
      [undefined, "PENDING", []],
      [1, "IN_PROGRESS", [1]],
      [2, "IN_PROGRESS", [1, 2]],
      [0, "COMPLETED", [0, 1, 2]],
    ];
    for (const [index, status, settled] of steps) {
      if (index !== undefined) {
        await settle(index);
        await cache(index);
      }
      const result = await read();
      t.is(result?.status, status);
      t.deepEqual(
        result?.outcomes,
        rows.map(({ itemId }, index) => (settled.includes(Math.floor(index / 1_000)) ? done(itemId) : pending(itemId))),
      );
    }
  },
);

test.serial("a result that is incomplete in Redis is read from the journal", async (t) => {
  const { settle, cache, read, chunks } = await request("half-kept", 1_500);
  for (const { index } of chunks) await settle(index);
  await cache(1);
  const result = await read();
  t.is(result?.status, "COMPLETED");
  t.is(result?.outcomes.length, 1_500);
});

test.serial("a request that is not applied yet has a result, even if Redis has no entry for it", async (t) => {
  const { read } = await request("waiting");
  t.deepEqual(await read(), { status: "PENDING", operation: "patch-items", outcomes: [pending("item-0")] });
});

test.serial("a result can be read from the journal until RESULT_TTL has passed, and not afterwards", async (t) => {
  const { settle, read, chunks } = await request("expired");
  await settle(0);
  const drawnAt = chunks[0]?.drawnAt.getTime() ?? 0;
  const at = (ms: number) => resultsAt(() => new Date(drawnAt + ms));
  t.is((await read(at(TTL_MS)))?.status, "COMPLETED");
  t.is(await read(at(TTL_MS + 1)), undefined);
  const { read: readOpen } = await request("expired-open");
  t.is(await readOpen(resultsAt(later(TTL_MS + 60_000))), undefined);
});

test.serial("a result in Redis expires after RESULT_TTL", async (t) => {
  const { cache, store } = await request("ttl");
  await cache(0);
  const keys = await world.system.redis.keys(`*${store}/1`);
  t.is(keys.length, 1);
  const ttl = await world.system.redis.ttl(keys[0] ?? "");
  t.true(ttl > RESULT_TTL - 60 && ttl <= RESULT_TTL, `${ttl}`);
});

test.serial(
  "a bulk request's result stays in Redis for only a few minutes, and in the journal for RESULT_TTL",
  async (t) => {
    const { settle, cache, store, read } = await request("bulk-ttl", 101);
    await settle(0);
    await cache(0);
    const [key = ""] = await world.system.redis.keys(`*${store}/1`);
    const ttl = await world.system.redis.ttl(key);
    t.true(ttl > 0 && ttl <= 300, `${ttl}`);
    await world.system.redis.del(key);
    t.is((await read())?.outcomes.length, 101);
  },
);

test.serial("a part of a bulk request expires as early as the other parts, however small it is", async (t) => {
  const { cache, store } = await request("bulk-rest", 1_001);
  await cache(1);
  const [key = ""] = await world.system.redis.keys(`*${store}/1`);
  t.true((await world.system.redis.ttl(key)) <= 300);
});

test.serial("while Redis is full no result is cached, and each is read from the journal", async (t) => {
  const { settle, read, store, chunks } = await request("full");
  await settle(0);
  const full = { isFull: async () => true, now: () => new Date(), resultTtl: RESULT_TTL, onError: () => {} };
  const results = openResults({ ...world.system, ...full });
  await results.cache(chunks.map((chunk) => ({ ...chunk, outcomes: [done("item-0")] })));
  t.deepEqual(await world.system.redis.keys(`*${store}/1`), []);
  t.is((await read(results))?.status, "COMPLETED");
});

test.serial("a row that is settled twice counts once", async (t) => {
  const { settle, read, chunks } = await request("twice");
  await settle(0, [{ itemId: "item-0", status: "SUCCESS_NEW_ITEM", errors: [] }]);
  const first = (await world.system.journal.read([chunks[0]?._id ?? ""])).get(chunks[0]?._id ?? "");
  await settle(0, [{ itemId: "item-0", status: "ERROR", errors: ["again"] }]);
  t.is((await read())?.outcomes[0]?.status, "SUCCESS_NEW_ITEM");
  t.deepEqual((await world.system.journal.read([chunks[0]?._id ?? ""])).get(chunks[0]?._id ?? ""), first);
});

test.serial("a result that refers to another store's request is complete when both requests are", async (t) => {
  const [child, parent] = [await request("child"), await request("parent", 1_001)];
  const reference = { store: child.store, number: 1 } as unknown as Outcome;
  const statuses: (RequestStatus | undefined)[] = [];
  for (const step of [
    () => parent.settle(0, [reference]),
    () => parent.settle(1),
    () => child.settle(0, [{ ...done("of the child"), status: "ERROR" }]),
  ]) {
    await step();
    statuses.push((await parent.read())?.status);
  }
  t.deepEqual(statuses, ["IN_PROGRESS", "IN_PROGRESS", "COMPLETED"]);
  const outcomes = (await parent.read())?.outcomes.map(({ itemId, status }) => [itemId, status]);
  t.deepEqual(outcomes, [
    ["of the child", "ERROR"],
    ["item-1000", "SUCCESS"],
  ]);
  await journalCollection(world.system.db).deleteMany({ store: child.store });
  t.is(await parent.read(), undefined, "the other request has expired");
});

test.serial("another store's number and a number that was never assigned have no result", async (t) => {
  const { settle, cache, store } = await request("mine");
  await settle(0);
  await cache(0);
  t.is(await world.system.results.read("t/demo/s/yours", 1), undefined);
  t.is(await world.system.results.read(store, 2), undefined);
  t.is(await world.system.results.read("t/other/s/mine", 1), undefined);
});

test.serial("a refused request has no result", async (t) => {
  const { read, store } = await request("refused");
  await journalCollection(world.system.db).updateMany({ store }, { $set: { validFor: -1 } });
  t.is(await read(), undefined);
});

test.serial("a request with a void chunk has no result", async (t) => {
  const { read, chunks } = await request("void-in-part", 1_500);
  await journalCollection(world.system.db).updateOne({ _id: chunks[1]?._id ?? "" }, { $set: { validFor: -1 } });
  t.is(await read(), undefined);
});

test.serial("a result that Redis cannot return is reported and read from the journal", async (t) => {
  const { settle, cache, read } = await request("not-told");
  await settle(0);
  await cache(0);
  const faults: string[] = [];
  const redis = new Proxy(world.system.redis, {
    get: (target, name) =>
      name === "hgetall" ? () => Promise.reject(new Error("LOADING")) : Reflect.get(target, name),
  });
  const onError = (error: Error) => void faults.push(error.message);
  const results = openResults({ ...world.system, ...hasRoom, redis, resultTtl: RESULT_TTL, onError });
  t.is((await read(results))?.status, "COMPLETED");
  t.deepEqual(faults, ["LOADING"]);
});

test.serial("while Redis is down results are read from the journal, and caching does not fail", async (t) => {
  const { settle, cache, read } = await request("away");
  await world.databases.redis.kill();
  await settle(0);
  await t.notThrowsAsync(cache(0));
  t.is((await read())?.status, "COMPLETED");
});
