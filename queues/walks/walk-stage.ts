import type { Db } from "mongodb";
import type { Logger } from "pino";
import type { Walk } from "../../records/kinds/work.ts";
import type { Records } from "../../records/records.ts";
import { tenantOf } from "../../schemas/keys.ts";
import type { Stored } from "../../schemas/record.ts";
import { isRepair } from "../changes/audit-key.ts";
import { hasPassed } from "../changes/second-look.ts";
import { enqueueStale, type Stage } from "../changes/stage.ts";
import type { BulkJobs } from "../publish/bulk-jobs.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { QueueName } from "../topology.ts";
import { released, type WalkHold } from "./walk-hold.ts";
import { keysThrough, lastKeyOf, positionAfterStage } from "./walk-position.ts";

/** What the walk over a stage needs from the world. */
export interface StageWalkWorld {
  queue: QueueName;
  stages: readonly Stage[];
  db: Db;
  records: Pick<Records, "scanKeys">;
  publisher: Publisher;
  bulkJobs: Pick<BulkJobs, "isBusy">;
  now(): Date;
  log: Logger;
}

/** Maximum number of stale keys that wait for their second check; they are stored in the walk's record. */
export const MAX_SUSPECTS = 1_000;

/** Walks a stage from the cursor; undefined if the walk has ended, has stopped or must wait. */
export async function walkStage(
  world: StageWalkWorld,
  hold: WalkHold,
  walk: Stored<Walk>,
  stage: Stage,
  stopAfter: (checked: number) => Promise<boolean>,
): Promise<Stored<Walk> | undefined> {
  const { queue, stages, records, bulkJobs } = world;
  const last = lastKeyOf(walk);
  let present = walk;
  for await (const read of records.scanKeys(stage.over, walk.scope, walk.cursor)) {
    const keys = keysThrough(read, last);
    if (keys.length === 0) break;
    // Stale keys would only wait behind the tenant's existing work. Work that Redis lost is still enqueued, one batch per round.
    // That batch is not counted, so the next round does not follow immediately.
    const isBehind = await bulkJobs.isBusy(tenantOf(walk.scope));
    if (isBehind && !isRepair(walk, queue)) {
      await hold.step(released);
      return undefined;
    }
    const ready =
      (present.suspects?.length ?? 0) >= MAX_SUSPECTS ? await lookAgain(world, hold, present, stage) : present;
    const step = ready && (await check(world, ready, stage, keys));
    if (ready === undefined || step === undefined) return undefined;
    const isStopping = isBehind || (await stopAfter(keys.length));
    const stepped = await hold.step({ ...step, ...(isStopping && released) });
    if (stepped === undefined || isStopping) return undefined;
    present = stepped;
    if (keys.length < read.length) break;
  }
  const checked = await lookAgain(world, hold, present, stage);
  const next = checked && positionAfterStage(checked, stages.length);
  return checked && (next ? hold.step(next) : endWalk(world, hold, checked));
}

/** Checks the suspects a second time; undefined if the walk must wait before that. */
async function lookAgain(
  world: StageWalkWorld,
  hold: WalkHold,
  walk: Stored<Walk>,
  stage: Stage,
): Promise<Stored<Walk> | undefined> {
  const { queue, db, publisher, now } = world;
  const { suspects = [], suspectedAt } = walk;
  if (suspects.length === 0 || suspectedAt === undefined) return walk;
  const stale = (await hasPassed(publisher.partitions(queue), db, suspectedAt, now()))
    ? await stage.findStale(suspects)
    : undefined;
  if (stale !== undefined && (await enqueueStale(world, queue, stage, stale)))
    return hold.step({ stale: walk.stale + stale.length, suspects: undefined, suspectedAt: undefined });
  await hold.step(released);
  return undefined;
}

/** Checks a batch of keys; returns the progress to store, or undefined if Redis did not accept the stale keys. */
async function check(
  world: StageWalkWorld,
  walk: Stored<Walk>,
  stage: Stage,
  keys: readonly string[],
): Promise<Partial<Walk> | undefined> {
  const stale = await stage.findStale(keys);
  const checked = { checked: walk.checked + keys.length, cursor: keys.at(-1) };
  if (!walk.background)
    return (await enqueueStale(world, world.queue, stage, stale))
      ? { ...checked, stale: walk.stale + stale.length }
      : undefined;
  return stale.length === 0
    ? checked
    : { ...checked, suspects: [...(walk.suspects ?? []), ...stale], suspectedAt: world.now() };
}

/** Marks a walk as finished, and as proven if it found no stale key. */
export async function endWalk(
  { queue, now, log }: Pick<StageWalkWorld, "queue" | "now" | "log">,
  hold: WalkHold,
  walk: Stored<Walk>,
): Promise<undefined> {
  const { epoch: generation, scope, checked, stale, startedAt } = walk;
  const proven = stale === 0 && { provenAt: startedAt };
  const begun = { began: undefined, wrapped: undefined };
  const ended = await hold.step({ finishedAt: now(), ...proven, total: checked, ...begun, ...released });
  if (ended === undefined) return undefined;
  log[stale > 0 ? "info" : "debug"]({ queue, scope, generation, checked, stale }, "a walk has ended");
  return undefined;
}
