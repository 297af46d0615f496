import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { auditKey } from "../../../../queues/changes/audit-key.ts";
import { type ProcessName, processNames } from "../../../../queues/topology.ts";
import { createWalker, type Walker, walkCollection } from "../../../../queues/walks/walk.ts";
import { readWalks } from "../../../../queues/walks/walk-progress.ts";
import { items } from "../../../../records/kinds/items.ts";
import { links, studioLinks } from "../../../../records/kinds/links.ts";
import { type Walk, walks } from "../../../../records/kinds/work.ts";
import { itemKey, linkIdOf, linkKey, tenantOf } from "../../../../schemas/keys.ts";
import type { Stored } from "../../../../schemas/record.ts";
import { startRedis } from "../../../../scripts/start/servers.ts";
import { auditStore, nothingBehind } from "../../../harness/audits/audit.ts";
import { eventually } from "../../../harness/eventually.ts";
import { DEMO_STORE, glassOf, labelFor, labelOutcomes } from "../../../harness/glass.ts";
import { ownStack } from "../../../harness/own.ts";

const COUNT = 12;
const NEVER = new Date("2200-01-01");
const names = Array.from({ length: COUNT }, (_, index) => `audited-${index}`);

const shelfwire = ownStack();
test.before(async () => {
  const { client } = shelfwire;
  await client.patchItems(names.map((itemId) => ({ itemId, itemName: itemId, price: "1.10" })));
  const rows = names.map((itemId) => ({ barcode: labelFor(itemId), links: [{ itemId }] }));
  await labelOutcomes(shelfwire, await client.patchLabels(rows));
  for (const name of names) await glassOf(shelfwire, labelFor(name));
});

const readWalk = async (key: string): Promise<Stored<Walk> | undefined> =>
  (await shelfwire.system.records.read(walks, [key])).get(key);

const finished = (key: string, epoch: number) =>
  eventually(`the walk ${key} has ended`, async () => {
    const walk = await readWalk(key);
    return walk !== undefined && walk.epoch >= epoch && walk.finishedAt !== undefined && walk;
  });

const epochs = () =>
  Promise.all(
    processNames.map(
      async (queue): Promise<[ProcessName, number]> => [queue, (await finished(auditKey(queue), 1)).epoch],
    ),
  );

/** The links' keys, in order. */
function linkKeys(): string[] {
  return names.map((name) => linkKey(DEMO_STORE, linkIdOf(labelFor(name), 0))).toSorted();
}

test.serial("a queue that was never audited is audited automatically", async (t) => {
  for (const queue of processNames) t.is((await finished(auditKey(queue), 1)).scope, "t/", queue);
});

test.serial("when Redis has lost its data, every queue is audited again", async (t) => {
  const before = await epochs();
  await shelfwire.system.redis.flushall();
  for (const [queue, epoch] of before) {
    const walk = await finished(auditKey(queue), epoch + 1);
    t.is(walk.reason, "the queue's sentinel is gone", queue);
    t.is(walk.stale, 0, queue);
  }
});

test.serial("after a restart of Redis, all queues are audited, even without data loss", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "shelfwire-audit-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const port = Number(new URL(shelfwire.databases.redis.url).port);
  await shelfwire.databases.redis.kill();
  let before = await epochs();
  for (const _ of ["the first server has no data yet", "the second server has the first one's data"]) {
    shelfwire.databases.redis = await startRedis(port, folder);
    for (const [queue, epoch] of before)
      t.is((await finished(auditKey(queue), epoch + 1)).reason, "Redis has a new run id", queue);
    before = await epochs();
    await shelfwire.databases.redis.stop();
  }
  shelfwire.databases.redis = await startRedis(port);
});

/** Stores a walk as if another process had left it. */
async function storeWalk(key: string, fields: Partial<Walk>): Promise<Stored<Walk>> {
  const begun = { reason: "a test asks", epoch: 1, startedAt: new Date(), stage: 0, checked: 0, stale: 0 };
  const walk = {
    ...begun,
    queue: "evaluator",
    scope: `${DEMO_STORE}/`,
    holder: "another",
    heldUntil: NEVER,
    ...fields,
  };
  await shelfwire.system.commit.change(walks, [key], () => walk, "bulk");
  return (await readWalk(key)) as Stored<Walk>;
}

test.serial("another process finishes a walk from its cursor if its process was killed", async (t) => {
  const cursor = linkKeys()[COUNT / 2 - 1];
  const key = auditKey("evaluator", `${DEMO_STORE}/killed`);
  const killed = await storeWalk(key, { epoch: 5, cursor, checked: COUNT / 2, heldUntil: new Date(0) });
  const walk = await finished(key, 5);
  t.not(walk.holder, killed.holder);
  t.like(walk, { epoch: 5, reason: killed.reason, startedAt: killed.startedAt });
  t.is(walk.checked, COUNT, "keys that the killed process had checked are not checked again");
});

test.serial("a walk that another process holds is not touched until its lease expires", async (t) => {
  const { system } = shelfwire;
  const key = auditKey("evaluator", `${DEMO_STORE}/held`);
  // No process walks this queue, so no process takes the walk, even if the test is slow.
  const queue = "sizes";
  const held = await storeWalk(key, { queue, heldUntil: new Date(Date.now() + 600_000) });
  const walkerAt = (now: () => Date) => createWalker({ ...system, queue, stages: [], now });
  const finds = async (walker: Walker) =>
    (await walker.look(key)).unfinished.some((walk) => walk._id === key && walker.isFree(walk));
  t.false(await finds(walkerAt(system.now)));
  await walkerAt(system.now).walk(held, async () => false);
  t.deepEqual(await readWalk(key), held);
  const late = walkerAt(() => new Date(Date.now() + 700_000));
  t.true(await finds(late));
  await late.walk(held, async () => false);
  t.truthy((await readWalk(key))?.finishedAt);
});

test.serial("a newer walk with the same key ends the current one", async (t) => {
  const key = auditKey("evaluator", `${DEMO_STORE}/newer`);
  const old = await storeWalk(key, { epoch: 3, heldUntil: NEVER });
  const walker = createWalker({ ...shelfwire.system, queue: "evaluator", stages: [], holder: old.holder });
  await walker.begin(key, `${DEMO_STORE}/`, { reason: "the newer" });
  await walker.walk(old, async () => false);
  const walk = await finished(key, 4);
  t.is(walk.reason, "the newer");
  t.is(walk.checked, COUNT);
});

test.serial("a walk that follows a change precedes an audit, which continues after it", async (t) => {
  const audit = auditKey("evaluator", `${DEMO_STORE}/meanwhile`);
  const change = `${tenantOf(DEMO_STORE)}/walks/evaluator`;
  // Both leases end at the same time, but the audit was stored first.
  const heldUntil = new Date(Date.now() + 600_000);
  const epoch = ((await readWalk(change))?.epoch ?? 0) + 1;
  await storeWalk(audit, { epoch: 1, heldUntil });
  await storeWalk(change, { epoch, heldUntil });
  await walkCollection(shelfwire.system.db).updateMany(
    { _id: { $in: [change, audit] } },
    { $set: { heldUntil: new Date(0) } },
  );
  const [followed, audited] = [await finished(change, epoch), await finished(audit, 1)];
  t.true((followed.finishedAt ?? NEVER) < (audited.finishedAt ?? new Date(0)));
  t.is(audited.checked, COUNT);
});

test.serial("a walk shows how many records it has to check and how many it has checked", async (t) => {
  const [progress] = (await readWalks(shelfwire.system.db, tenantOf(DEMO_STORE))).filter(
    ({ queue }) => queue === "evaluator",
  );
  t.like(progress, { reason: "a test asks", checked: COUNT, total: COUNT, stale: 0 });
  t.truthy(progress?.finishedAt);
  t.is((await readWalk(auditKey("evaluator", `${DEMO_STORE}/killed`)))?.total, COUNT);
});

test.serial("an audit finds a stale record that no change announces, and the record is derived again", async (t) => {
  const { system } = shelfwire;
  const [key = ""] = linkKeys();
  // A walk that an earlier test left running would find the record first.
  await eventually("no walk is under way", async () => {
    const all = await walkCollection(system.db).find().toArray();
    return all.every(({ finishedAt }) => finishedAt !== undefined);
  });
  const before = (await system.records.readRevs(studioLinks, [key])).get(key) ?? 0;
  await system.records.remove(studioLinks, [{ key, rev: before }]);
  const found = await auditStore(shelfwire);
  t.is(found.evaluator, 1);
  await eventually("the record is derived again", async () =>
    (await system.records.readRevs(studioLinks, [key])).has(key),
  );
  await eventually("nothing is stale", async () =>
    Object.values(await auditStore(shelfwire)).every((stale) => stale === 0),
  );
  t.deepEqual(await auditStore(shelfwire), nothingBehind);
  t.is(
    (
      await system.records.readRevs(
        items,
        names.map((name) => itemKey(DEMO_STORE, name)),
      )
    ).size,
    COUNT,
  );
  t.is((await system.records.readRevs(links, linkKeys())).size, COUNT);
});
