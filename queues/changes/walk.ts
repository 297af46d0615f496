import type { Db } from "mongodb";
import type { Logger } from "pino";
import type { Stored } from "../../records/kind.ts";
import { type Walk, walks } from "../../records/kinds/walk.ts";
import type { Records } from "../../records/records.ts";
import type { Change } from "../../schemas/topics.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { QueueName } from "../topology.ts";
import type { Commit } from "./commit.ts";
import type { Stage } from "./stage.ts";

export interface Walker {
  /**
   * Begins a walk over all keys of a scope, from its first stage, and ends a walk of this key that is under way.
   * Undefined where `isBegun` finds that another process has begun the same walk.
   */
  begin(
    key: string,
    scope: string,
    start: { reason: string; runId?: string },
    isBegun?: (walk: Walk) => boolean,
  ): Promise<Walk | undefined>;
  /** Unfinished walks of this queue whose lease no other process holds. */
  findUnfinished(): Promise<Stored<Walk>[]>;
  /** Walks to the end, or until `shouldStop` gives true; it is called after each batch. */
  walk(walk: Stored<Walk>, shouldStop: () => Promise<boolean>): Promise<void>;
}

interface Dependencies {
  queue: QueueName;
  stages: readonly Stage[];
  db: Db;
  records: Records;
  commit: Commit;
  publisher: Publisher;
  /** Unique to this process. */
  holder: string;
  now(): Date;
  log: Logger;
}

const LEASE_MS = 15_000;
/** The lease of a new walk: expired, so that any process may take it. */
const expiredLease = { holder: "", heldUntil: new Date(0) };

/**
 * Checks every record of a queue's stages in batches and enqueues the stale keys. Its cursor is stored in MongoDB, so
 * another process continues a walk whose process was killed.
 */
export function createWalker(dependencies: Dependencies): Walker {
  const { queue, stages, db, records, commit, publisher, holder, now, log } = dependencies;
  const lease = () => ({ holder, heldUntil: new Date(now().getTime() + LEASE_MS) });

  /** Stores a step and renews the lease; undefined where another process or a newer walk has taken over. */
  async function advance(walk: Stored<Walk>, step: Partial<Walk>): Promise<Stored<Walk> | undefined> {
    const stepped = await commit.change(
      walks,
      [walk._id],
      (_, current) => {
        const isOurs = current?.epoch === walk.epoch && (current.holder === holder || current.heldUntil < now());
        return isOurs ? { ...current, ...step, ...lease() } : undefined;
      },
      "bulk",
    );
    return stepped.get(walk._id);
  }

  /** How many records the walk has to check. */
  async function count({ scope }: Walk): Promise<number> {
    const counts = stages.map(({ over }) => records.count(over, scope));
    return (await Promise.all(counts)).reduce((sum, ofStage) => sum + ofStage, 0);
  }

  /** Enqueues stale keys as changes without fields. False: Redis did not take them. */
  async function enqueue({ name, topic }: Stage, staleKeys: readonly string[]): Promise<boolean> {
    if (staleKeys.length === 0) return true;
    log.warn({ queue, stage: name, stale: staleKeys.length, first: staleKeys[0] }, "a walk found stale keys");
    const changes = staleKeys.map(
      (key): Change => ({ key, rev: 0, operation: "UPDATED", changed: [], urgency: "bulk" }),
    );
    return publisher.enqueue(queue, [{ name: topic, data: { changes }, urgency: "bulk" }]);
  }

  async function walkStage(
    walk: Stored<Walk>,
    stage: Stage,
    shouldStop: () => Promise<boolean>,
  ): Promise<Stored<Walk> | undefined> {
    let present: Stored<Walk> | undefined = walk;
    for await (const batch of records.scan(stage.over, walk.scope, walk.cursor)) {
      const stale = await stage.findStale(batch.map(({ _id }) => _id));
      if (!(await enqueue(stage, stale)) || (await shouldStop())) return undefined;
      const counted = { checked: present.checked + batch.length, stale: present.stale + stale.length };
      present = await advance(present, { ...counted, cursor: batch.at(-1)?._id });
      if (present === undefined) return undefined;
    }
    return advance(present, { stage: walk.stage + 1, cursor: undefined });
  }

  return {
    async begin(key, scope, start, isBegun = () => false) {
      const fresh = { ...start, queue, scope, startedAt: now(), stage: 0, checked: 0, stale: 0, ...expiredLease };
      const begun = await commit.change(
        walks,
        [key],
        (_, current) => (current && isBegun(current) ? undefined : { ...fresh, epoch: (current?.epoch ?? 0) + 1 }),
        "bulk",
      );
      const walk = begun.get(key);
      if (walk) log.debug({ queue, scope, reason: walk.reason, epoch: walk.epoch }, "a walk begins");
      return walk;
    },

    async findUnfinished() {
      const unfinished = await db
        .collection<Stored<Walk>>(walks.name)
        .find({ queue, finishedAt: { $exists: false } })
        .toArray();
      return unfinished.filter((walk) => walk.holder === holder || walk.heldUntil < now());
    },

    async walk(unfinished, shouldStop) {
      let walk = await advance(unfinished, unfinished.total === undefined ? { total: await count(unfinished) } : {});
      while (walk !== undefined) {
        const stage = stages[walk.stage];
        if (stage === undefined) {
          const { epoch, scope, checked, stale } = walk;
          await advance(walk, { finishedAt: now() });
          log[stale > 0 ? "info" : "debug"]({ queue, scope, epoch, checked, stale }, "a walk has ended");
          return;
        }
        walk = await walkStage(walk, stage, shouldStop);
      }
    },
  };
}
