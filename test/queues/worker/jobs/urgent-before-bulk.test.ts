import test from "ava";
import type { Change } from "../../../../schemas/topics.ts";
import { eventually } from "../../../harness/eventually.ts";
import { ownSystem } from "../../../harness/own.ts";
import { jobsOf } from "../../../harness/system.ts";
import { change, changesJob, startAWorker } from "../../../harness/worker.ts";
import { IMAGES, keys, mergerOf } from "./a-merger.ts";

const world = ownSystem();
const { merger, startMerger, untilEmpty } = mergerOf(world);
test.beforeEach(async () => {
  await world.system.redis.flushall();
});

test.serial("interactive work overtakes bulk work that has waited longer", async (t) => {
  const bulk = keys(200);
  await world.system.publisher.enqueue(
    "merger",
    bulk.map((key) => changesJob(IMAGES, [key])),
  );
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, ["urgent"], "interactive")]);
  const calls = startMerger(t);
  await untilEmpty();
  t.deepEqual(calls[0], ["urgent"]);
  t.is(calls.flat().length, bulk.length + 1);
});

test.serial("interactive work gets a place however many bulk jobs hang", async (t) => {
  const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
  const calls = startMerger(t, async (changes) => {
    if (changes.some(({ urgency }) => urgency === "bulk")) await hanging;
  });
  const bulk = keys(100);
  await world.system.publisher.enqueue(
    "merger",
    bulk.map((key) => changesJob(IMAGES, [key])),
  );
  await eventually("bulk jobs fill their share", async () => (await merger().getActiveCount()) >= 48);
  await eventually("others are returned", async () => (await merger().getPrioritizedCount()) === 0);
  await world.system.publisher.enqueue("merger", [changesJob(IMAGES, ["urgent"], "interactive")]);
  await eventually("it is handled", async () => calls.flat().includes("urgent"));
  t.true(calls.flat().length < bulk.length);
  end();
  await untilEmpty();
  t.deepEqual([...new Set(calls.flat())].toSorted(), [...bulk, "urgent"].toSorted());
  t.deepEqual(await merger().getFailedCount(), 0);
});

test.serial("hanging bulk jobs of two tenants that fill their share do not block a third tenant", async (t) => {
  const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
  const calls = startMerger(t, () => hanging);
  const busy = keys(80).map((key, index) => key.replace("t/demo", index % 2 === 0 ? "t/a" : "t/b"));
  await world.system.publisher.enqueue(
    "merger",
    busy.map((key) => changesJob(IMAGES, [key])),
  );
  await eventually("the bulk share is taken", async () => (await merger().getActiveCount()) >= 48);
  await eventually("others are returned", async () => (await merger().getPrioritizedCount()) === 0);
  await world.system.publisher.enqueue("merger", [changesJob("pageimage.v1", ["t/c/s/main/items/1"])]);
  await eventually("the third tenant's job is handled", async () => calls.flat().includes("t/c/s/main/items/1"));
  t.true(calls.flat().length < busy.length);
  end();
  await untilEmpty();
  t.is(await merger().getFailedCount(), 0);
});

test.serial("every job has a priority: without one it would overtake all others", async (t) => {
  const { publisher } = world.system;
  const urgencies = ["interactive", "bulk"] as const;
  for (const urgency of urgencies) {
    await publisher.publish("storeitemvalues.v1", [change("t/demo/s/main/items/milk", urgency)]);
    await publisher.enqueue("item", [{ name: "patch-items", data: {}, urgency, id: `one-${urgency}` }]);
  }
  await publisher.publish("link.v2", [change("a", "bulk"), change("b", "interactive"), change("c", "bulk")]);
  const priorities = { interactive: 1, bulk: 10 };
  for (const queue of ["item", "link", "evaluator", "renderer"] as const) {
    const jobs = await jobsOf(world.system, queue);
    t.true(jobs.length >= 2, queue);
    for (const { priority, data, id } of jobs) {
      const urgency = data.changes?.[0]?.urgency ?? id?.replace("one-", "");
      t.is(priority, priorities[urgency as "bulk"], `${queue}: ${JSON.stringify(data)}`);
      t.true((data.changes ?? []).every((published: Change) => published.urgency === urgency));
    }
  }
});

test.serial("a job that yields to others follows the jobs of its urgency and precedes less urgent ones", async (t) => {
  const order = { store: "t/demo/s/main", number: 1, priority: "high" as const, transceivers: [] };
  const body = { duration: 4, color: "GREEN" as const, flashType: 50 as const };
  const jobs = [
    { barcode: "4", urgency: "bulk" as const, goesAfter: true as const },
    { barcode: "3", urgency: "bulk" as const },
    { barcode: "2", urgency: "interactive" as const, goesAfter: true as const },
    { barcode: "1", urgency: "interactive" as const },
  ].map(({ barcode, ...options }) => ({ name: "flash", data: { ...order, barcode, body }, ...options }));
  await world.system.publisher.enqueue("flash", jobs);
  const seen: string[] = [];
  startAWorker(t, world, "flash", {
    async flash(orders) {
      seen.push(...orders.map(({ barcode }) => barcode));
      return [];
    },
    "display-page": async () => [],
    "flashsequence.v1": async () => {},
  });
  await eventually("all are done", async () => seen.length === jobs.length);
  t.deepEqual(seen, ["1", "2", "3", "4"]);
});
