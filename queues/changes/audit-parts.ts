import type { Db } from "mongodb";
import { failures, type Walk } from "../../records/kinds/work.ts";
import { openOutbox } from "../../records/outbox/outbox.ts";
import { keysUnder, ownerOf, tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { QueuePartition } from "../queue-partitions.ts";
import { prefixOf } from "../redis.ts";
import type { QueueName } from "../topology.ts";
import { type Walker, walkCollection } from "../walks/walk.ts";
import { auditKey } from "./audit-key.ts";
import type { Stage } from "./stage.ts";

export const sentinelKey = (partition: QueuePartition): string => `${prefixOf(partition)}:sentinel`;

interface Dependencies {
  queue: QueueName;
  stages: readonly Stage[];
  walker: Walker;
  db: Db;
  now(): Date;
}

const MAX_SUSPECT_STORES = 100;
/** An outbox entry at least this old was left behind by its process. */
const LEFT_AFTER_MS = 5_000;

/**
 * Divides an audit into one walk per tenant, so that several processes share it, and also begins walks over suspect stores.
 * Idempotent: if a process is killed in between, the next process repeats it.
 */
export async function divideAudit(dependencies: Dependencies, audit: Stored<Walk>): Promise<void> {
  const { queue, walker } = dependencies;
  const held = await walker.advance(audit, {});
  if (held === undefined) return;
  const { reason, epoch: generation, background } = audit;
  const start = { reason, ...(background && { background }) };
  const tenants = await findTenants(dependencies);
  for (const store of await findSuspectStores(dependencies))
    await walker.begin(auditKey(queue, store), `${store}/`, start, (walk) => walk.finishedAt === undefined);
  for (const tenant of tenants)
    await walker.begin(
      auditKey(queue, tenant),
      `${tenant}/`,
      { ...start, audit: generation },
      (walk) => walk.audit === generation,
    );
  await walker.advance(held, { parts: tenants.length, heldUntil: new Date(0) });
}

/** Ends an audit whose tenants' walks have all ended, and stores the sums of their counts. */
export async function endAudit({ queue, walker, db, now }: Dependencies, audit: Stored<Walk>): Promise<void> {
  const parts = await walkCollection(db)
    .find({ queue, audit: audit.epoch, finishedAt: { $exists: true } })
    .toArray();
  const sum = (count: (walk: Walk) => number) => parts.reduce((total, part) => total + count(part), 0);
  const checked = sum((part) => part.checked);
  await walker.advance(audit, { checked, stale: sum((part) => part.stale), total: checked, finishedAt: now() });
}

/** Finds the tenants with records that the stages check, using one read per tenant and kind. */
async function findTenants({ stages, db }: Dependencies): Promise<string[]> {
  const tenants = new Set<string>();
  for (const name of new Set(stages.map(({ over }) => over.name))) {
    const keys = db.collection<{ _id: string }>(name);
    let { $gte: from, $lt: end } = keysUnder("t/");
    for (;;) {
      const first = await keys.findOne({ _id: { $gte: from, $lt: end } }, { projection: { _id: 1 }, sort: { _id: 1 } });
      if (first === null) break;
      const tenant = tenantOf(first._id);
      tenants.add(tenant);
      from = keysUnder(`${tenant}/`).$lt;
    }
  }
  return [...tenants].sort();
}

/** Finds stores with failures in this queue, or with changes that a process left unpublished: faults are likely there. */
async function findSuspectStores({ queue, db, now }: Dependencies): Promise<string[]> {
  const stores = new Set<string>();
  const failed = db.collection<{ _id: string; queue: string }>(failures.name);
  for await (const { _id } of failed.find({ queue }, { projection: { _id: 1 } }).limit(MAX_SUSPECT_STORES))
    stores.add(ownerOf(_id));
  const before = new Date(now().getTime() - LEFT_AFTER_MS);
  for await (const entries of openOutbox(db).scan(before)) {
    for (const { changes } of entries) for (const { key } of changes) stores.add(ownerOf(key));
    if (stores.size >= MAX_SUSPECT_STORES) break;
  }
  return [...stores].filter((owner) => owner.includes("/s/")).slice(0, MAX_SUSPECT_STORES);
}
