import { randomUUID } from "node:crypto";
import test from "ava";
import { publishOutbox } from "../../../queues/changes/publish-outbox.ts";
import { hasPassed } from "../../../queues/changes/second-look.ts";
import type { QueueName } from "../../../queues/topology.ts";
import { openOutbox } from "../../../records/outbox/outbox.ts";
import { labelKey } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { change, changesJob } from "../../harness/worker.ts";

const own = ownSystem();
const SKEW_MS = 10_000;
const LONGEST_MS = 300_000;

/** A queue without a worker, with the times of its jobs. */
async function aQueue(name: QueueName) {
  const { publisher, db } = own.system;
  const queue = publisher.queue(name);
  await queue.obliterate({ force: true });
  const jobs = async () => (await queue.getJobs()).toSorted((a, b) => a.timestamp - b.timestamp);
  return {
    ...{ queue, jobs },
    add: (urgency: "bulk" | "interactive", topic = "renderedimage.v1") =>
      publisher.enqueue(name, [changesJob(topic, [labelKey("t/demo/s/main", randomUUID())], urgency)]),
    hasPassed: (since: number, now = since) => hasPassed([queue], db, new Date(since), new Date(now)),
  };
}

test.serial("a queue without waiting jobs counts as passed", async (t) => {
  const { hasPassed: passed } = await aQueue("merger");
  t.true(await passed(Date.now()));
});

test.serial("earlier jobs must finish first, allowing ten seconds of clock skew", async (t) => {
  for (const urgency of ["bulk", "interactive"] as const) {
    const { add, jobs, hasPassed: passed } = await aQueue("merger");
    await add(urgency);
    const [{ timestamp = 0 } = {}] = await jobs();
    t.false(await passed(timestamp + 1));
    t.false(await passed(timestamp - SKEW_MS));
    t.true(await passed(timestamp - SKEW_MS - 1));
  }
});

test.serial("the oldest job of each urgency is checked, even after younger ones", async (t) => {
  const { add, jobs, queue, hasPassed: passed } = await aQueue("merger");
  for (const urgency of ["bulk", "bulk", "interactive", "interactive"] as const) {
    await add(urgency);
    const addedAt = Date.now();
    await eventually("the next job is younger", async () => Date.now() > addedAt);
  }
  const all = await jobs();
  const oldest = all[0]?.timestamp ?? 0;
  t.is((await queue.getJobCounts("prioritized")).prioritized, 4);
  t.false(await passed(oldest - SKEW_MS));
  // The oldest job, which is bulk, is done: the next jobs are younger.
  for (const job of all.filter(({ timestamp }) => timestamp === oldest)) await job.remove();
  const next = (await jobs())[0]?.timestamp ?? 0;
  t.true(next > oldest);
  t.true(await passed(next - SKEW_MS - 1));
  t.false(await passed(next - SKEW_MS));
});

test.serial(
  "a delayed change job counts, but a delayed chunk does not, since it has changed nothing yet",
  async (t) => {
    const { queue, hasPassed: passed } = await aQueue("item");
    await queue.add("patch-items", {}, { delay: 3_600_000 });
    t.true(await passed(Date.now()));
    const job = await queue.add("storeitemvalues.v1", {}, { delay: 3_600_000 });
    t.false(await passed(job.timestamp));
    t.true(await passed(job.timestamp - SKEW_MS - 1));
  },
);

test.serial("a waiting job without an urgency counts as well", async (t) => {
  const { queue, hasPassed: passed } = await aQueue("link");
  const job = await queue.add("storelink.v1", {});
  t.is(await job.getState(), "waiting");
  t.false(await passed(job.timestamp));
  t.true(await passed(job.timestamp - SKEW_MS - 1));
});

test.serial("a job delays the check for at most five minutes", async (t) => {
  const { add, jobs, hasPassed: passed } = await aQueue("merger");
  await add("bulk");
  const [{ timestamp = 0 } = {}] = await jobs();
  t.false(await passed(timestamp, timestamp + LONGEST_MS));
  t.true(await passed(timestamp, timestamp + LONGEST_MS + 1));
});

test.serial("changes in the outbox must be published first", async (t) => {
  const { hasPassed: passed } = await aQueue("merger");
  const outbox = own.system.db.collection<{ _id: string }>("outbox");
  const since = new Date();
  await outbox.insertOne({ _id: randomUUID(), ...{ kind: "items", since, changes: "[]" } });
  t.false(await passed(since.getTime()));
  t.false(await passed(since.getTime() - SKEW_MS));
  t.true(await passed(since.getTime() - SKEW_MS - 1));
  await outbox.deleteMany({});
  t.true(await passed(since.getTime()));
});

test.serial("changes whose writes have not happened delay no walk, however long they stay in the outbox", async (t) => {
  const { hasPassed: passed } = await aQueue("merger");
  const { db, records, publisher } = own.system;
  const [outbox, since] = [openOutbox(db), new Date()];
  const neverWritten = { ...change(labelKey("t/demo/s/main", randomUUID())), rev: since.getTime() };
  await outbox.add({ _id: "killed", kind: "renderedimage.v1", since, changes: [neverWritten] });
  t.false(await passed(since.getTime()), "its writer may be about to write it");
  const now = () => new Date(since.getTime() + 30_000);
  t.is(await publishOutbox({ outbox, records, publisher, now, graceMs: 5_000 }), 0);
  t.true(await passed(since.getTime()));
  t.is(await db.collection("outbox").countDocuments(), 1, "the write may still happen");
  await outbox.remove("killed");
});

test.serial("every partition must have passed", async (t) => {
  const { queue, add, jobs } = await aQueue("merger");
  const { queue: other } = await aQueue("link");
  await add("bulk");
  const [{ timestamp = 0 } = {}] = await jobs();
  t.false(await hasPassed([other, queue], own.system.db, new Date(timestamp), new Date(timestamp)));
  t.true(await hasPassed([other], own.system.db, new Date(timestamp), new Date(timestamp)));
});
