import test from "ava";
import { pino } from "pino";
import { startAuditor } from "../../../queues/changes/audit.ts";
import { auditKey } from "../../../queues/changes/audit-key.ts";
import { divideAudit } from "../../../queues/changes/audit-parts.ts";
import type { Stage } from "../../../queues/changes/stage.ts";
import { createWalker } from "../../../queues/walks/walk.ts";
import { MAX_CHANGE_JOBS, MAX_CHANGE_KEYS } from "../../../queues/windows.ts";
import { type Walk, walks } from "../../../records/kinds/work.ts";
import { tenantOf, walkKey } from "../../../schemas/keys.ts";
import type { Stored } from "../../../schemas/record.ts";
import { counters } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { ownSystem } from "../../harness/own.ts";
import { jobsOf, later } from "../../harness/system.ts";
import { changesJob } from "../../harness/worker.ts";

/** Walks over records of two tenants, of three batches each, without a worker: a test sees who has which turn. */
const TENANTS = ["t/one", "t/two"];
const RECORDS = 2_500;
const BATCH = 1_000;
const queue = "renderer";

const world = ownSystem();
test.before(async () => {
  for (const tenant of TENANTS) {
    const keys = Array.from({ length: RECORDS }, (_, index) => `${tenant}/s/main/counters/${10_000 + index}`);
    await world.system.commit.change(counters, keys, () => ({ count: 1 }), "bulk");
  }
});
test.beforeEach(async () => {
  await world.system.db.collection(walks.name).deleteMany({});
  await world.system.db.collection("outbox").deleteMany({});
  await world.system.redis.flushall();
});

/** A stage of one kind, and the keys that it had to check, batch by batch. */
function recorder(findStale: (keys: readonly string[]) => string[] = () => []) {
  const batches: string[][] = [];
  const stage: Stage = {
    name: "counters",
    over: counters,
    topic: "designerlink.v1",
    async findStale(keys) {
      batches.push([...keys]);
      return findStale(keys);
    },
  };
  return { batches, stages: [stage], tenants: () => batches.map(([key = ""]) => tenantOf(key)) };
}

const log = pino({ level: "silent" });
const walkerOf = (stages: readonly Stage[], holder = "this process", now = world.system.now) =>
  createWalker({
    ...world.system,
    queue,
    stages,
    holder,
    now,
    log,
  });
const readWalk = async (key: string): Promise<Stored<Walk>> => {
  const walk = (await world.system.records.read(walks, [key])).get(key);
  if (walk === undefined) throw new Error(`there is no walk ${key}`);
  return walk;
};
const finished = (key: string) =>
  eventually(`the walk ${key} has ended`, async () => {
    const walk = (await world.system.records.read(walks, [key])).get(key);
    return walk?.finishedAt !== undefined && walk;
  });

/** Begins the walk that follows a change of a tenant. */
const follow = (walker: ReturnType<typeof walkerOf>, tenant: string, reason = "a change") =>
  walker.begin(walkKey(tenant, queue), `${tenant}/`, { reason });

type Settings = Partial<Parameters<typeof startAuditor>[0]>;
function startAnAuditor(
  t: { teardown(end: () => Promise<void>): void },
  stages: readonly Stage[],
  settings: Settings = {},
) {
  const auditor = startAuditor({
    ...world.system,
    queue,
    stages,
    walker: walkerOf(stages),
    intervalMs: 3_600_000,
    pollIntervalMs: 20,
    onDataLoss: () => {},
    log,
    ...settings,
  });
  t.teardown(auditor.stop);
  return auditor;
}

test.serial("changes more frequent than a walk still have every key checked", async (t) => {
  const { batches, stages } = recorder();
  const walker = walkerOf(stages);
  for (let change = 1; change <= 4; change += 1) {
    const walk = await follow(walker, "t/one", `change ${change}`);
    if (walk) await walker.walk(walk, () => true);
  }
  t.is(new Set(batches.flat()).size, RECORDS);
});

test.serial("the latest change has each key checked once, from the previous walk's position", async (t) => {
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
    "a batch beyond the end is none",
  );
  t.is(checked[0], batches[0]?.at(-1)?.replace(/\d+$/, `${10_000 + BATCH}`));
  t.like(await finished(walkKey("t/one", queue)), { reason: "a newer change", checked: RECORDS, total: RECORDS });
});

test.serial("a walk has no total before one of its key has ended, and then that walk's total", async (t) => {
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
      t.is((await readWalk(walkKey("t/one", queue))).provenAt?.getTime(), proven?.getTime(), "while it is under way");
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

test.serial("walks of several tenants share a worker in turns", async (t) => {
  const { stages, tenants } = recorder();
  for (const tenant of TENANTS) await follow(walkerOf(stages), tenant);
  startAnAuditor(t, stages, { clock: () => 0 });
  for (const tenant of TENANTS) await finished(walkKey(tenant, queue));
  const followed = tenants();
  t.true(followed.indexOf("t/two") < followed.lastIndexOf("t/one"), followed.join(" "));
  t.true(followed.indexOf("t/one") < followed.lastIndexOf("t/two"), followed.join(" "));
});

test.serial("an audit is a walk for each tenant, and its counts are their sums", async (t) => {
  const { stages, batches } = recorder();
  startAnAuditor(t, stages);
  const audit = await finished(auditKey(queue));
  t.like(audit, { scope: "t/", reason: "the queue is new", checked: 2 * RECORDS, stale: 0, parts: 2 });
  for (const tenant of TENANTS)
    t.like(await readWalk(auditKey(queue, tenant)), { checked: RECORDS, audit: audit.epoch });
  t.is(batches.flat().length, 2 * RECORDS);
});

test.serial(
  "two processes share an audit: while one has a tenant's turn, the other has another tenant's",
  async (t) => {
    const { stages } = recorder();
    const [one, other] = [walkerOf(stages, "one"), walkerOf(stages, "other")];
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
    t.true(other.isFree(await readWalk(first._id)), "after its turn any process may go on");
  },
);

test.serial(
  "an audit starts with suspect stores: those with failures or with changes left in the outbox",
  async (t) => {
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
  },
);

test.serial("an audit begins once, even if two processes find the same loss", async (t) => {
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

const addJob = () =>
  world.system.publisher.enqueue(queue, [changesJob("designerlink.v1", ["t/one/s/main/links/waiting"])]);
/** The keys that an audit enqueued: without a rev, since no write announces them. */
const repairs = async () =>
  (await jobsOf(world.system, queue)).flatMap(({ data }) => data.changes).filter(({ rev }) => rev === 0);

test.serial("an audit begins on schedule even if the queue has waiting jobs", async (t) => {
  const { stages } = recorder();
  let now = world.system.now;
  startAnAuditor(t, stages, { now: () => now() });
  await finished(auditKey(queue));
  await addJob();
  // A fixed moment: with a running clock an hour ahead of the walks' own, each audit would follow immediately.
  const anHourLater = later(3_600_001)();
  now = () => anHourLater;
  const audit = await eventually("it has begun and ended", async () => {
    const walk = await readWalk(auditKey(queue));
    return walk.reason === "it is due" && walk.finishedAt !== undefined && walk;
  });
  t.like(audit, { background: true, checked: 2 * RECORDS });
});

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

test.serial("the second look also waits for the outbox, and for no job forever", async (t) => {
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

/** A walker whose looks are counted: each round of an auditor begins with one. */
function countingLooks(stages: readonly Stage[]) {
  const walker = walkerOf(stages);
  let looks = 0;
  const look: typeof walker.look = (key) => {
    looks += 1;
    return walker.look(key);
  };
  const untilRounds = async (rounds: number) => {
    const enough = looks + rounds;
    await eventually("it has looked again", async () => looks >= enough);
  };
  return { walker: { ...walker, look }, untilRounds, looks: () => looks };
}

test.serial("a periodic audit keeps to its budget, and an audit after data loss does not", async (t) => {
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
    t.is(batches.length, 1, `a batch of ${BATCH} records is the budget of 500 ms, ${passed} have passed`);
  }
  clock = 500;
  await eventually("it has gone on", async () => batches.length > 1);
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

test.serial(
  "a walk waits while its tenant's workers have many pending changes, and another tenant's continues",
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
    t.true(walkerOf(stages, "another process").isFree(await readWalk(walkKey("t/one", queue))), "any process goes on");
    batches.length = 0;
    await world.system.bulkJobs.leave(jobs.map((job) => ({ ...job, queue })));
    await walker.walk(await readWalk(walkKey("t/one", queue)), () => false);
    t.is(batches.flat().length, RECORDS);
  },
);
