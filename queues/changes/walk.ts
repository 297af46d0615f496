import type { Collection, Db, Filter } from "mongodb";
import type { Logger } from "pino";
import { type Walk, walks } from "../../records/kinds/work.ts";
import { createLeaseWatch } from "../../records/leases/lease-watch.ts";
import type { Records } from "../../records/records.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import type { BulkJobs } from "../publish/bulk-jobs.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { QueueName } from "../topology.ts";
import { isRepair } from "./audit-key.ts";
import type { Commit } from "./commit.ts";
import { hasPassed } from "./second-look.ts";
import { enqueueStale, type Stage } from "./stage.ts";
import { holdWalk, released, type WalkHold } from "./walk-hold.ts";
import { keysThrough, lastKeyOf, positionAfterStage, positionToBegin } from "./walk-position.ts";

export interface Walker {
  /**
   * Begins a walk over all keys of a scope. Where a walk of this key is under way it ends, and the new one begins where
   * that one is. Undefined where `isBegun` finds that another process has begun the same walk.
   */
  begin(
    key: string,
    scope: string,
    start: Pick<Walk, "reason" | "runId" | "background" | "audit">,
    isBegun?: (walk: Walk) => boolean,
  ): Promise<Stored<Walk> | undefined>;
  /** All unfinished walks of this queue, and the walk of this key, finished or not; in one read. */
  look(key: string): Promise<{ walk: Stored<Walk> | undefined; unfinished: Stored<Walk>[] }>;
  /** Whether no other process holds the lease of a walk. */
  isFree(walk: Walk): boolean;
  /**
   * Goes on with a walk to its end, or until `shouldStop` gives true, which is called after each batch; then any process
   * may go on. Gives the number of records that it checked.
   */
  walk(walk: Stored<Walk>, shouldStop: () => boolean | Promise<boolean>): Promise<number>;
  /**
   * Stores a step of a walk as it was read, and takes its lease; undefined where it was written since, or another process
   * holds it.
   */
  advance(walk: Stored<Walk>, step: Partial<Walk>): Promise<Stored<Walk> | undefined>;
}

interface Dependencies {
  queue: QueueName;
  stages: readonly Stage[];
  db: Db;
  records: Records;
  commit: Commit;
  publisher: Publisher;
  bulkJobs: Pick<BulkJobs, "isBusy">;
  /** Unique to this process. */
  holder: string;
  now(): Date;
  /** Milliseconds that only grow. */
  clock(): number;
  log: Logger;
}

/** The process that walks renews it (queues/changes/walk-hold.ts). */
const LEASE_MS = 6_000;
/** Stale keys that wait for their second look; they are stored in the walk's record. */
export const MAX_SUSPECTS = 1_000;

export const walkCollection = (db: Db): Collection<Stored<Walk>> => db.collection<Stored<Walk>>(walks.name);

/**
 * Checks every record of a queue's stages in batches and enqueues the stale keys. Its cursor is stored in MongoDB, so
 * another process continues a walk whose process was killed.
 */
export function createWalker(dependencies: Dependencies): Walker {
  const { queue, stages, db, records, commit, publisher, bulkJobs, holder, now, log } = dependencies;
  const hasEnded = createLeaseWatch(dependencies.clock);
  const isAbandoned = ({ _id, rev }: Partial<Stored<Walk>>) =>
    _id !== undefined && rev !== undefined && hasEnded(_id, rev, LEASE_MS);
  const isFree: Walker["isFree"] = (walk) => walk.holder === holder || walk.heldUntil < now() || isAbandoned(walk);

  const advance: Walker["advance"] = async (walk, step) => {
    const lease = { holder, heldUntil: new Date(now().getTime() + LEASE_MS) };
    const stepped = await commit.change(
      walks,
      [walk._id],
      (_, current) =>
        current?.rev === walk.rev && current.finishedAt === undefined && isFree(current)
          ? { ...current, ...lease, ...step }
          : undefined,
      "bulk",
    );
    return stepped.get(walk._id);
  };

  const onError = (error: Error) => log.debug({ queue, error: error.message }, "a lease was not renewed");

  const enqueue = (stage: Stage, staleKeys: readonly string[]): Promise<boolean> =>
    enqueueStale({ publisher, log }, queue, stage, staleKeys);

  /** Takes the second look at the suspects; undefined where the walk must wait for it. */
  async function lookAgain(hold: WalkHold, walk: Stored<Walk>, stage: Stage): Promise<Stored<Walk> | undefined> {
    const { suspects = [], suspectedAt } = walk;
    if (suspects.length === 0 || suspectedAt === undefined) return walk;
    const stale = (await hasPassed(publisher.queue(queue), db, suspectedAt, now()))
      ? await stage.findStale(suspects)
      : undefined;
    if (stale !== undefined && (await enqueue(stage, stale)))
      return hold.step({ stale: walk.stale + stale.length, suspects: undefined, suspectedAt: undefined });
    await hold.step(released);
    return undefined;
  }

  /** Checks a batch of keys; gives what to store of it, or undefined where Redis did not take the stale ones. */
  async function check(walk: Stored<Walk>, stage: Stage, keys: readonly string[]): Promise<Partial<Walk> | undefined> {
    const stale = await stage.findStale(keys);
    const checked = { checked: walk.checked + keys.length, cursor: keys.at(-1) };
    if (!walk.background)
      return (await enqueue(stage, stale)) ? { ...checked, stale: walk.stale + stale.length } : undefined;
    return stale.length === 0
      ? checked
      : { ...checked, suspects: [...(walk.suspects ?? []), ...stale], suspectedAt: now() };
  }

  /** Walks a stage from the cursor on; undefined where the walk ended, stopped or waits. */
  async function walkStage(
    hold: WalkHold,
    walk: Stored<Walk>,
    stage: Stage,
    stopAfter: (checked: number) => Promise<boolean>,
  ): Promise<Stored<Walk> | undefined> {
    const last = lastKeyOf(walk);
    let present = walk;
    for await (const read of records.scanKeys(stage.over, walk.scope, walk.cursor)) {
      const keys = keysThrough(read, last);
      if (keys.length === 0) break;
      // What it finds would wait behind what the tenant's workers have before them already. What Redis lost goes on beside
      // that, a batch a round, which is not counted: the next round is not at once.
      const isBehind = await bulkJobs.isBusy(tenantOf(walk.scope));
      if (isBehind && !isRepair(walk, queue)) {
        await hold.step(released);
        return undefined;
      }
      const ready = (present.suspects?.length ?? 0) >= MAX_SUSPECTS ? await lookAgain(hold, present, stage) : present;
      const step = ready && (await check(ready, stage, keys));
      if (ready === undefined || step === undefined) return undefined;
      const isStopping = isBehind || (await stopAfter(keys.length));
      const stepped = await hold.step({ ...step, ...(isStopping && released) });
      if (stepped === undefined || isStopping) return undefined;
      present = stepped;
      if (keys.length < read.length) break;
    }
    const checked = await lookAgain(hold, present, stage);
    const next = checked && positionAfterStage(checked, stages.length);
    return checked && (next ? hold.step(next) : end(hold, checked));
  }

  async function end(hold: WalkHold, walk: Stored<Walk>): Promise<undefined> {
    const { epoch, scope, checked, stale, startedAt } = walk;
    const proven = stale === 0 && { provenAt: startedAt };
    const begun = { began: undefined, wrapped: undefined };
    const ended = await hold.step({ finishedAt: now(), ...proven, total: checked, ...begun, ...released });
    if (ended === undefined) return undefined;
    log[stale > 0 ? "info" : "debug"]({ queue, scope, epoch, checked, stale }, "a walk has ended");
    return undefined;
  }

  return {
    isFree,
    advance,

    async begin(key, scope, start, isBegun = () => false) {
      const startedAt = now();
      const begun = await commit.change(
        walks,
        [key],
        (_, current): Walk | undefined => {
          if (current && isBegun(current)) return undefined;
          const epoch = (current?.epoch ?? 0) + 1;
          const { total, provenAt } = current ?? {};
          const counts = { checked: 0, stale: 0, ...(total !== undefined && { total }) };
          const kept = { ...counts, ...(provenAt && { provenAt }) };
          return { ...start, queue, scope, startedAt, epoch, ...positionToBegin(current, scope), ...kept, ...released };
        },
        "bulk",
      );
      const walk = begun.get(key);
      if (walk) log.debug({ queue, scope, reason: walk.reason, epoch: walk.epoch }, "a walk begins");
      return walk;
    },

    async look(key) {
      // Each branch has its index. Null matches an absent field, and unlike `$exists` it is found in the index.
      const filter = { $or: [{ _id: key }, { queue, finishedAt: null }] } as unknown as Filter<Stored<Walk>>;
      const found = await walkCollection(db).find(filter).toArray();
      return {
        walk: found.find(({ _id }) => _id === key),
        unfinished: found.filter(({ finishedAt }) => finishedAt === undefined),
      };
    },

    async walk(unfinished, shouldStop) {
      let checked = 0;
      const stopAfter = async (records: number) => {
        checked += records;
        return shouldStop();
      };
      let walk = await advance(unfinished, {});
      if (walk === undefined) return 0;
      const hold = holdWalk(walk, { advance, onError });
      try {
        while (walk !== undefined) {
          const stage: Stage | undefined = stages[walk.stage];
          walk = stage ? await walkStage(hold, walk, stage, stopAfter) : await end(hold, walk);
        }
      } finally {
        hold.end();
      }
      return checked;
    },
  };
}
