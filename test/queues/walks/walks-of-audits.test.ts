import test from "ava";
import { auditKey } from "../../../queues/changes/audit-key.ts";
import { divideAudit } from "../../../queues/changes/audit-parts.ts";
import type { Stage } from "../../../queues/changes/stage.ts";
import { tenantOf } from "../../../schemas/keys.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { later } from "../../harness/system.ts";
import { BATCH, queue, RECORDS, recorder, TENANTS, walksOf } from "./walks-of-tenants.ts";

const world = ownSystem();
const { addJob, clear, fill, finished, readWalk, startAnAuditor, walkerOf } = walksOf(world);
test.before(() => fill());
test.beforeEach(() => clear());

test.serial("an audit has a walk for each tenant, and its counts are their sums", async (t) => {
  const { stages, batches } = recorder();
  startAnAuditor(t, stages);
  const audit = await finished(auditKey(queue));
  t.like(audit, { scope: "t/", reason: "the queue is new", checked: 2 * RECORDS, stale: 0, parts: 2 });
  for (const tenant of TENANTS)
    t.like(await readWalk(auditKey(queue, tenant)), { checked: RECORDS, audit: audit.epoch });
  t.is(batches.flat().length, 2 * RECORDS);
});

test.serial(
  "two processes share an audit: while one process walks one tenant, the other walks another tenant",
  async (t) => {
    const { stages } = recorder();
    // By the other's clock, each lease has an hour left, however long this test takes.
    const [one, other] = [walkerOf(stages, "one"), walkerOf(stages, "other", later(-3_600_000))];
    const audit = await one.begin(auditKey(queue), "t/", { reason: "a test asks" });
    if (audit) await divideAudit({ ...world.system, queue, stages, walker: one }, audit);
    const { unfinished } = await one.look(auditKey(queue));
    const [first, second] = TENANTS.map((tenant) => unfinished.find(({ _id }) => _id === auditKey(queue, tenant)));
    if (!first || !second) throw new Error("each tenant has a walk");
    await one.walk(first, async () => {
      const held = await readWalk(first._id);
      t.deepEqual([one.isFree(held), other.isFree(held)], [true, false]);
      t.is(await other.walk(second, () => true), BATCH);
      return true;
    });
    t.true(other.isFree(await readWalk(first._id)), "after its turn any process may continue the walk");
  },
);

test.serial("an audit starts with suspect stores, which have failures or changes left in the outbox", async (t) => {
  const { db } = world.system;
  const { stages, batches } = recorder();
  const suspect = "t/two/s/main";
  await db
    .collection<{ _id: string; [field: string]: unknown }>("failure")
    .insertOne({ _id: `${suspect}/links/1/failures/${queue}/x`, queue });
  t.teardown(() => db.collection("failure").deleteMany({}));
  startAnAuditor(t, stages);
  await finished(auditKey(queue));
  t.is(tenantOf(batches[0]?.[0] ?? ""), "t/two");
  t.is((await finished(auditKey(queue, suspect))).checked, RECORDS);
});

test.serial("an audit begins once, even if two processes detect the same loss", async (t) => {
  const { stages } = recorder();
  let looks = 0;
  const bothLooked = Promise.withResolvers<void>();
  for (const holder of ["one", "other"]) {
    const walker = walkerOf(stages, holder);
    const look = async (key: string) => {
      const found = await walker.look(key);
      looks += 1;
      if (looks === 2) bothLooked.resolve();
      await bothLooked.promise;
      return found;
    };
    startAnAuditor(t, stages, { walker: { ...walker, look } });
  }
  t.is((await finished(auditKey(queue))).epoch, 1);
});

test.serial("an audit that restarts continues from its cursors", async (t) => {
  const { stages, batches } = recorder();
  const walker = walkerOf(stages);
  const begin = async () => {
    const audit = await walker.begin(auditKey(queue), "t/", { reason: "a test asks" });
    if (audit) await divideAudit({ ...world.system, queue, stages, walker }, audit);
    return readWalk(auditKey(queue, "t/one"));
  };
  await walker.walk(await begin(), () => true);
  const again = await begin();
  t.is(again.cursor, batches[0]?.at(-1));
  await walker.walk(again, () => false);
  t.is((await readWalk(again._id)).checked, RECORDS);
});

test.serial("an audit begins on schedule even if the queue has waiting jobs", async (t) => {
  const { stages } = recorder();
  let now = world.system.now;
  startAnAuditor(t, stages, { now: () => now() });
  await finished(auditKey(queue));
  await addJob();
  // A fixed time: if the clock ran an hour ahead of the walks' clock, each audit would follow the last one immediately.
  const anHourLater = later(3_600_001)();
  now = () => anHourLater;
  const audit = await eventually("the audit has begun and ended", async () => {
    const walk = await readWalk(auditKey(queue));
    return walk.reason === "it is due" && walk.finishedAt !== undefined && walk;
  });
  t.like(audit, { background: true, checked: 2 * RECORDS });
});

/** A walker that counts the auditor's rounds, each of which begins with a read of the walks. */
function countingLooks(stages: readonly Stage[]) {
  const walker = walkerOf(stages);
  let looks = 0;
  const look: typeof walker.look = (key) => {
    looks += 1;
    return walker.look(key);
  };
  const untilRounds = async (rounds: number) => {
    const enough = looks + rounds;
    await eventually("another round has begun", async () => looks >= enough);
  };
  return { walker: { ...walker, look }, untilRounds, looks: () => looks };
}

test.serial("a periodic audit stays within its budget, and an audit after data loss has none", async (t) => {
  const { stages, batches } = recorder();
  const { walker, untilRounds } = countingLooks(stages);
  let clock = 0;
  let now = world.system.now;
  startAnAuditor(t, stages, { walker, now: () => now(), clock: () => clock });
  await finished(auditKey(queue));
  batches.length = 0;
  const anHourLater = later(3_600_001)();
  now = () => anHourLater;
  await eventually("it has begun", async () => batches.length > 0);
  for (const passed of [0, 499]) {
    clock = passed;
    await untilRounds(3);
    t.is(batches.length, 1, `a batch of ${BATCH} records uses up the budget of 500 ms, and ${passed} ms have passed`);
  }
  clock = 500;
  await eventually("the audit has continued", async () => batches.length > 1);
});

test.serial("an idle poll queries Redis once and MongoDB once", async (t) => {
  const { stages } = recorder();
  const { walker, untilRounds, looks } = countingLooks(stages);
  startAnAuditor(t, stages, { walker });
  await finished(auditKey(queue));
  const calls = async (command: string) => {
    const stats = await world.system.redis.info("commandstats");
    return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, "m").exec(stats)?.[1] ?? 0);
  };
  const [looked, asked] = [looks(), await calls("eval")];
  await untilRounds(10);
  t.true((await calls("eval")) - asked <= looks() - looked + 1);
});
