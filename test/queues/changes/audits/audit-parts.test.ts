import test from "ava";
import { auditKey } from "../../../../queues/changes/audit-key.ts";
import { divideAudit, endAudit } from "../../../../queues/changes/audit-parts.ts";
import { createWalker, walkCollection } from "../../../../queues/walks/walk.ts";
import { failures, type Walk, walks } from "../../../../records/kinds/work.ts";
import { counters } from "../../../harness/databases/database.ts";
import { ownSystem } from "../../../harness/own.ts";

/** How an audit is divided into walks over tenants and suspect stores, and ends with the last walk, on a real database. */
const own = ownSystem();
const queue = "renderer";
const KEY = auditKey(queue);

test.beforeEach(async () => {
  for (const name of [walks.name, failures.name, counters.name, "outbox"])
    await own.system.db.collection(name).deleteMany({});
});

const open = (holder = "this process") => {
  const stages = [{ name: "only", over: counters, topic: "designerlink.v1", findStale: async () => [] }] as const;
  const walker = createWalker({ ...own.system, queue, stages, holder });
  return { queue, stages, walker, db: own.system.db, now: own.system.now } as const;
};
type Dependencies = ReturnType<typeof open>;

async function begin({ walker }: Dependencies, more: Partial<Walk> = {}) {
  const audit = await walker.begin(KEY, "t/", { reason: "a test", ...more });
  if (audit === undefined) throw new Error("no audit has begun");
  return audit;
}
const readWalks = async () =>
  new Map((await walkCollection(own.system.db).find().toArray()).map((one) => [one._id, one]));
const insert = (name: string, documents: object[]) => own.system.db.collection(name).insertMany(documents);
const count = (...keys: string[]) =>
  insert(
    counters.name,
    keys.map((_id) => ({ _id, rev: 1 })),
  );
const fail = (of: string, ...keys: string[]) =>
  insert(
    failures.name,
    keys.map((key) => ({ _id: `${key}~${of}`, queue: of })),
  );
const leave = (ageMs: number, ...keys: string[]) =>
  insert("outbox", [
    {
      _id: `${keys[0]} ${ageMs}`,
      kind: "item",
      since: new Date(Date.now() - ageMs),
      changes: JSON.stringify(keys.map((key) => ({ key }))),
    },
  ]);
/** Divides an audit; returns the owners of its walks. */
async function dividedInto(dependencies: Dependencies): Promise<string[]> {
  await divideAudit(dependencies, await begin(dependencies));
  return [...(await readWalks()).keys()].filter((key) => key !== KEY).map((key) => key.slice(0, -KEY.length - 1));
}

test.serial("an audit has a walk for each tenant with records, and the walks share its epoch and reason", async (t) => {
  await count("t/b/s/main/1", "t/a/s/main/1", "t/a/s/main/2", "t/a/s/other/1", "t/a-b/s/main/1");
  const dependencies = open();
  await divideAudit(dependencies, await begin(dependencies, { background: true }));
  const divided = await readWalks();
  t.deepEqual(
    [...divided.keys()].sort(),
    ["a", "a-b", "b"]
      .map((id) => auditKey(queue, `t/${id}`))
      .concat(KEY)
      .sort(),
  );
  const part = divided.get(auditKey(queue, "t/a"));
  t.like(part, { scope: "t/a/", reason: "a test", audit: 1, background: true, queue });
  t.like(divided.get(KEY), { parts: 3, heldUntil: new Date(0) });
  const other = open();
  await divideAudit(other, await begin(other));
  const again = (await readWalks()).get(auditKey(queue, "t/a"));
  t.like(again, { audit: 2, background: undefined });
});

test.serial("dividing an audit twice creates each walk once", async (t) => {
  await count("t/a/s/main/1");
  const dependencies = open();
  const audit = await begin(dependencies);
  await divideAudit(dependencies, audit);
  await divideAudit(open("another"), audit);
  t.is((await readWalks()).get(auditKey(queue, "t/a"))?.epoch, 1);
});

test.serial("an audit that another process holds is divided only by that process", async (t) => {
  await count("t/a/s/main/1");
  const dependencies = open();
  const audit = await begin(dependencies);
  await open("another").walker.advance(audit, {});
  await divideAudit(dependencies, audit);
  t.deepEqual([...(await readWalks()).keys()], [KEY]);
});

test.serial("stores with failures in the queue have their own walks", async (t) => {
  await fail(queue, "t/a/s/main/links/A", "t/a/s/main/links/B", "t/b/packs/pack");
  await fail("evaluator", "t/a/s/other/links/A");
  t.deepEqual(await dividedInto(open()), ["t/a/s/main"]);
  t.like((await readWalks()).get(auditKey(queue, "t/a/s/main")), { scope: "t/a/s/main/", audit: undefined });
});

test.serial("stores with changes unpublished for five seconds have their own walks", async (t) => {
  const at = Date.now();
  await leave(60_000, "t/a/s/left/links/A", "t/a/s/beside/links/A");
  await leave(1_000, "t/a/s/young/links/A");
  t.deepEqual((await dividedInto({ ...open(), now: () => new Date(at) })).toSorted(), ["t/a/s/beside", "t/a/s/left"]);
});

test.serial("an active walk of a suspect store continues, and an ended walk begins again", async (t) => {
  await fail(queue, "t/a/s/main/links/A");
  const dependencies = open();
  await dependencies.walker.begin(auditKey(queue, "t/a/s/main"), "t/a/s/main/", { reason: "the one before" });
  await dividedInto(dependencies);
  t.like((await readWalks()).get(auditKey(queue, "t/a/s/main")), { reason: "the one before", epoch: 1 });
  await walkCollection(own.system.db).updateMany({}, { $set: { finishedAt: new Date() } });
  await dividedInto(dependencies);
  t.like((await readWalks()).get(auditKey(queue, "t/a/s/main")), { reason: "a test", epoch: 2 }, "an ended walk");
});

test.serial("at most a hundred suspect stores have their own walks: the tenants' walks cover the others", async (t) => {
  const keys = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `t/a/s/${from + index}/links/A`);
  await fail(queue, ...keys(0, 60));
  for (const key of keys(60, 170)) await leave(60_000, key);
  await leave(50_000, "t/a/s/0/links/A");
  t.is((await dividedInto(open())).length, 100);
  await own.system.db.collection(failures.name).deleteMany({});
  await own.system.db.collection("outbox").deleteMany({});
  await own.system.db.collection(walks.name).deleteMany({});
  for (let entry = 0; entry < 120; entry += 1) await leave(60_000 + entry, "t/a/s/one/links/A");
  await leave(50_000, "t/a/s/two/links/A");
  t.deepEqual(
    (await dividedInto(open())).toSorted(),
    ["t/a/s/one", "t/a/s/two"],
    "even after a hundred stores of another tenant",
  );
});

test.serial("an audit ends with the sums of its own walks' counts", async (t) => {
  const dependencies = open();
  const audit = await begin(dependencies);
  const finishedAt = new Date();
  const part = (owner: string, more: object) => ({
    ...audit,
    _id: auditKey(queue, owner),
    audit: audit.epoch,
    finishedAt,
    ...more,
  });
  await insert(walks.name, [
    part("t/a", { checked: 10, stale: 1 }),
    part("t/b", { checked: 20, stale: 2 }),
    part("t/under-way", { checked: 40, stale: 4, finishedAt: undefined }),
    part("t/before", { checked: 80, stale: 8, audit: audit.epoch - 1 }),
    { ...part("t/c", { checked: 160, stale: 16 }), _id: "t/c/audits/evaluator", queue: "evaluator" },
  ]);
  await endAudit(dependencies, audit);
  const ended = (await readWalks()).get(KEY);
  t.like(ended, { checked: 30, total: 30, stale: 3 });
  t.true(ended?.finishedAt !== undefined);
});
