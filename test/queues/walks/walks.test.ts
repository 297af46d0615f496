import test from "ava";
import { auditKey } from "../../../queues/changes/audit-key.ts";
import { MAX_CHANGE_JOBS, MAX_CHANGE_KEYS } from "../../../queues/tenant-windows.ts";
import { walkKey } from "../../../schemas/keys.ts";
import { ownSystem } from "../../harness/own.ts";
import { jobsOf, later } from "../../harness/system.ts";
import { changesJob } from "../../harness/worker.ts";
import { BATCH, queue, RECORDS, recorder, TENANTS, walksOf } from "./walks-of-tenants.ts";

const world = ownSystem();
const { addJob, clear, fill, finished, follow, readWalk, startAnAuditor, walkerOf } = walksOf(world);
test.before(() => fill());
test.beforeEach(() => clear());

test.serial("if changes arrive faster than a walk ends, every key is still checked", async (t) => {
  const { batches, stages } = recorder();
  const walker = walkerOf(stages);
  for (let change = 1; change <= 4; change += 1) {
    const walk = await follow(walker, "t/one", `change ${change}`);
    if (walk) await walker.walk(walk, () => true);
  }
  t.is(new Set(batches.flat()).size, RECORDS);
});

test.serial("the latest change causes each key to be checked once, from the previous walk's position", async (t) => {
  const { batches, stages } = recorder();
  const walker = walkerOf(stages);
  const first = await follow(walker, "t/one");
  if (first) await walker.walk(first, () => true);
  const checkedBefore = batches.length;
  const second = await follow(walker, "t/one", "a newer change");
  t.like(second, { checked: 0, stale: 0 });
  if (second) await walker.walk(second, () => false);
  const checked = batches.slice(checkedBefore).flat();
  t.deepEqual([checked.length, new Set(checked).size], [RECORDS, RECORDS]);
  t.true(
    batches.every((batch) => batch.length > 0),
    "no batch is empty",
  );
  t.is(checked[0], batches[0]?.at(-1)?.replace(/\d+$/, `${10_000 + BATCH}`));
  t.like(await finished(walkKey("t/one", queue)), { reason: "a newer change", checked: RECORDS, total: RECORDS });
});

test.serial("a walk has no total until a walk of its key has ended, and then has that walk's total", async (t) => {
  const { stages } = recorder();
  const walker = walkerOf(stages);
  const first = await follow(walker, "t/one");
  t.is(first?.total, undefined);
  if (first) await walker.walk(first, () => false);
  t.is((await follow(walker, "t/one"))?.total, RECORDS);
});

test.serial(
  "a walk without stale keys proves the state at its beginning, and a later walk does not revoke the proof",
  async (t) => {
    let stale: string[] = [];
    const walker = walkerOf(recorder(() => stale).stages);
    const walkOnce = async () => {
      const walk = await follow(walker, "t/one");
      t.is(
        (await readWalk(walkKey("t/one", queue))).provenAt?.getTime(),
        proven?.getTime(),
        "while the walk is under way",
      );
      if (walk) await walker.walk(walk, () => false);
      return finished(walkKey("t/one", queue));
    };
    let proven: Date | undefined;
    const first = await walkOnce();
    proven = first.startedAt;
    t.deepEqual(first.provenAt, proven);
    stale = ["t/one/s/main/counters/10000"];
    t.deepEqual((await walkOnce()).provenAt, proven);
    stale = [];
    t.true(((await walkOnce()).provenAt?.getTime() ?? 0) > proven.getTime());
  },
);

test.serial("walks of several tenants take turns on a worker", async (t) => {
  const { stages, tenants } = recorder();
  for (const tenant of TENANTS) await follow(walkerOf(stages), tenant);
  startAnAuditor(t, stages, { clock: () => 0 });
  for (const tenant of TENANTS) await finished(walkKey(tenant, queue));
  const followed = tenants();
  t.true(followed.indexOf("t/two") < followed.lastIndexOf("t/one"), followed.join(" "));
  t.true(followed.indexOf("t/one") < followed.lastIndexOf("t/two"), followed.join(" "));
});

/** The keys that an audit enqueued. They have no rev, since no write announces them. */
const repairs = async () =>
  (await jobsOf(world.system, queue)).flatMap(({ data }) => data.changes).filter(({ rev }) => rev === 0);

test.serial("a stale record whose key may be in the queue is checked again before it counts as stale", async (t) => {
  const late = "t/one/s/main/counters/10007";
  let stale = [late, "t/one/s/main/counters/12007"];
  const { stages } = recorder((keys) => stale.filter((key) => keys.includes(key)));
  const walker = walkerOf(stages);
  const key = auditKey(queue, "t/one");
  await addJob();
  const begun = await walker.begin(key, "t/one/", { reason: "it is due", background: true });
  if (begun) await walker.walk(begun, () => false);
  t.like(await readWalk(key), { checked: RECORDS, stale: 0, suspects: stale, finishedAt: undefined });
  t.is(await walker.walk(await readWalk(key), () => false), 0, "it waits");
  t.deepEqual(await repairs(), []);

  await world.system.publisher.queue(queue).drain();
  stale = [late];
  await walker.walk(await readWalk(key), () => false);
  t.like(await finished(key), { stale: 1, suspects: undefined });
  t.deepEqual(
    (await repairs()).map((change) => change.key),
    [late],
  );
});

test.serial("the second check also waits for the outbox, but only for a limited time", async (t) => {
  const stale = "t/one/s/main/counters/10007";
  const { stages } = recorder((keys) => keys.filter((key) => key === stale));
  const key = auditKey(queue, "t/one");
  await world.system.db
    .collection<{ _id: string; [field: string]: unknown }>("outbox")
    .insertOne({ _id: "left", kind: "x", since: new Date(), changes: "[]" });
  const walker = walkerOf(stages);
  const begun = await walker.begin(key, "t/one/", { reason: "it is due", background: true });
  if (begun) await walker.walk(begun, () => false);
  t.deepEqual((await readWalk(key)).suspects, [stale]);
  await walkerOf(stages, "this process", later(600_000)).walk(await readWalk(key), () => false);
  t.is((await finished(key)).stale, 1);
});

test.serial(
  "a walk waits while its tenant's workers have many pending changes, and another tenant's walk continues",
  async (t) => {
    const { batches, stages, tenants } = recorder((keys) => keys.slice(0, 1));
    const jobs = Array.from({ length: MAX_CHANGE_JOBS }, (_, index) => ({
      ...changesJob("designerlink.v1", Array(MAX_CHANGE_KEYS / MAX_CHANGE_JOBS).fill("t/one/s/main/links/a")),
      id: `job-${index}`,
    }));
    await world.system.publisher.enqueue(queue, jobs);
    const walker = walkerOf(stages);
    for (const tenant of TENANTS) {
      const walk = await follow(walker, tenant);
      if (walk) await walker.walk(walk, () => false);
    }
    t.deepEqual([...new Set(tenants())], ["t/two"]);
    t.true(
      walkerOf(stages, "another process").isFree(await readWalk(walkKey("t/one", queue))),
      "any process may continue the walk",
    );
    batches.length = 0;
    await world.system.bulkJobs.leave(jobs.map((job) => ({ ...job, queue })));
    await walker.walk(await readWalk(walkKey("t/one", queue)), () => false);
    t.is(batches.flat().length, RECORDS);
  },
);
