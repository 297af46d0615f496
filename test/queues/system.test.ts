import test from "ava";
import { pino } from "pino";
import { NOTE_KEY } from "../../queues/batch/precedence.ts";
import { sourceOf } from "../../queues/changes/derivation.ts";
import { createDerive } from "../../queues/changes/derive.ts";
import { openSystem, publishing } from "../../queues/system.ts";
import { items } from "../../records/kinds/items.ts";
import { links } from "../../records/kinds/links.ts";
import type { ReadTogether } from "../../records/read-together.ts";
import type { Item } from "../../schemas/item.ts";
import { itemKey } from "../../schemas/keys.ts";
import { eventually } from "../harness/eventually.ts";
import { ownSystem } from "../harness/own.ts";
import { PATIENT_MS } from "../harness/patience.ts";
import { changesJob } from "../harness/worker.ts";

/** The resources of every process, and how they are built. */
const own = ownSystem();
const STORE = "t/demo/s/main";
const item: Item = { itemId: "milk", price: "1.10", sics: [], properties: [], stamps: {}, created: 1 };
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ itemId: `${index}` }));
const valuesOf = async (name: string) =>
  (await own.system.metrics.takeSnapshot()).find((metric) => metric.name === name)?.values ?? [];

/** Opens a separate system for a test on the same servers. */
const openAnother = () =>
  openSystem(
    {
      ...{
        REDIS_URL: own.databases.redis.url,
        MONGODB_URL: own.databases.mongoUrl,
        MONGODB_DATABASE: own.databases.database,
      },
      ...{ QUEUE_PARTITIONS: 1, RESULT_TTL: 3_600, SWEEP_EVERY: 86_400, LOG_LEVEL: "silent" },
    },
    pino({ level: "silent" }),
    PATIENT_MS,
    undefined,
    PATIENT_MS,
  );

test.serial("accepted rows are counted for their tenant across all chunks", async (t) => {
  await own.system.accept({ store: STORE, operation: "patch-items", rows: rows(1_500), ordered: false });
  t.deepEqual(
    (await valuesOf("shelfwire_rows_accepted_total")).map(({ labels, value }) => [labels, value]),
    [[{ tenant: "demo" }, 1_500]],
  );
});

test.serial("a request with at most a hundred rows is interactive work, and bulk work waits for it", async (t) => {
  const { redis } = own.system;
  const { set } = redis;
  const notes: unknown[] = [];
  t.teardown(() => Object.assign(redis, { set }));
  Object.assign(redis, {
    set(key: string, ...rest: unknown[]) {
      notes.push(key);
      return Reflect.apply(set, redis, [key, ...rest]);
    },
  });
  const noted = async (count: number) => {
    notes.length = 0;
    // Longer than the interval between two announcements.
    await new Promise((resolve) => setTimeout(resolve, 60));
    await own.system.accept({ store: STORE, operation: "patch-items", rows: rows(count), ordered: false });
    return notes.includes(NOTE_KEY);
  };
  t.deepEqual([await noted(100), await noted(101)], [true, false]);
});

test.serial("while Redis is full, a queue's waiting, prioritized and delayed jobs all count", async (t) => {
  const { redis, publisher } = own.system;
  await redis.flushall();
  const queue = publisher.queue("merger");
  const add = (count: number, options: object) =>
    queue.addBulk(
      Array.from({ length: count }, () => ({ name: "renderedimage.v1", data: { changes: [] }, opts: options })),
    );
  await add(20, {});
  await add(20, { priority: 1 });
  await add(9, { delay: 3_600_000 });
  const another = openAnother();
  t.teardown(another.close);
  await another.whenReady();
  const used = Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1]);
  await redis.config("SET", "maxmemory", String(Math.ceil(used * 1.3)));
  t.teardown(() => redis.config("SET", "maxmemory", "0"));
  const job = changesJob("renderedimage.v1", [`${STORE}/links/A-0`], "bulk");
  t.true(await another.publisher.enqueue("merger", [job]), "with 49 jobs the queue is nearly empty");
  t.false(await another.publisher.enqueue("merger", [job]), "with 50 jobs it is not");
  t.true(await another.publisher.enqueue("item", [{ ...job, name: "patch-items" }]), "another queue");
});

test.serial("a system waits for Redis and closes everything it opened", async (t) => {
  const another = openAnother();
  t.not(another.redis.status, "ready");
  await another.whenReady();
  t.is(another.redis.status, "ready");
  await another.whenReady();
  await another.close();
  await eventually("the connection is closed", async () => another.redis.status === "end");
  await t.throwsAsync(another.db.command({ ping: 1 }));
});

test.serial("commands to both databases are measured", async (t) => {
  await own.system.redis.ping();
  await own.system.db.command({ ping: 1 });
  for (const name of ["shelfwire_mongodb_command_seconds", "shelfwire_redis_command_seconds"])
    t.true(
      (await valuesOf(name)).some(({ value }) => value > 0),
      name,
    );
});

test.serial("a worker's system changes and derives only records of its own topics", async (t) => {
  const worker = publishing(own.system, ["link.v2"]);
  const key = itemKey(STORE, "milk");
  await t.throwsAsync(
    worker.commit.change(items, [key], () => item, "bulk"),
    { message: /may not change/ },
  );
  const derivation = {
    kind: items,
    from: [links],
    keepsInputs: true,
    async load(keys: readonly string[], read: ReadTogether) {
      const key = `${STORE}/links/A-0`;
      const [found] = await read([{ kind: links, keys: [key] }]);
      return new Map(keys.map((one) => [one, { facts: undefined, sources: [sourceOf(links, key, found.get(key))] }]));
    },
    decide: async (cases: readonly unknown[]) => cases.map(() => item),
  };
  await t.throwsAsync(worker.derive(derivation, [key], "bulk"), { message: /may not change/ });
  t.deepEqual(await worker.findStale(derivation, [key]), [key]);
  await publishing(own.system, ["storeitemvalues.v1"]).derive(derivation, [key], "bulk");
  t.deepEqual(await createDerive(own.system).findStale(derivation, [key]), []);
});
