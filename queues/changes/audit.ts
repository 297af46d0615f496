import type { Redis } from "ioredis";
import type { Db } from "mongodb";
import type { Logger } from "pino";
import type { Walk } from "../../records/kinds/work.ts";
import type { Records } from "../../records/records.ts";
import type { Journal } from "../../records/requests/journal.ts";
import { pauseInStep } from "../../runtime/keep-step.ts";
import type { Stored } from "../../schemas/record.ts";
import type { Publisher } from "../publish/publisher.ts";
import { partitionsOfQueue } from "../queue-partitions.ts";
import type { QueueName } from "../topology.ts";
import type { Walker } from "../walks/walk.ts";
import { auditKey, isAudit, isRepair } from "./audit-key.ts";
import { divideAudit, endAudit, sentinelKey } from "./audit-parts.ts";
import type { ReadSentinels } from "./read-partition-sentinels.ts";
import { repairRecent } from "./repair-recent.ts";
import type { Stage } from "./stage.ts";
import { turnsOf } from "./walk-turns.ts";
import { INTERVAL_IS_OVER, reasonToBegin, runsText } from "./why-audit.ts";

export interface Auditor {
  stop(): Promise<void>;
}

interface Dependencies {
  queue: QueueName;
  stages: readonly Stage[];
  walker: Walker;
  redis: Redis;
  readSentinels: ReadSentinels;
  /** QUEUE_PARTITIONS. */
  queuePartitions: number;
  db: Db;
  journal: Pick<Journal, "readOutcomes">;
  records: Records;
  publisher: Publisher;
  now(): Date;
  /** A monotonic clock, in milliseconds. */
  clock(): number;
  /** Interval from the start of one audit to the start of the next. */
  intervalMs: number;
  /** Interval between checks for lost data and for new walks while there is nothing to walk. */
  pollIntervalMs?: number;
  /** Called when Redis has lost its data, because a sweep is then needed as well. */
  onDataLoss(): void;
  /** Whether a walk that follows a change must wait for other work. Without this function, no walk waits. */
  mustWait?(walk: Stored<Walk>): Promise<boolean>;
  /** What went wrong, worded for the log. */
  reasonOf(error: Error): string;
  log: Logger;
}

const POLL_INTERVAL_MS = 1000;
/** A round of turns ends after this time, so that lost data is noticed within about a second. */
const ROUND_MS = 500;
/** A process's budget for scheduled audits, which must not slow down live work. */
const BACKGROUND_RECORDS_PER_SECOND = 2000;
const RECORDS_OF_WAITING = 1000;
/** What an auditor remembers between rounds. */
interface Memory {
  /** The time, by `clock`, until which the budget is spent. */
  backgroundFrom: number;
}

/**
 * Starts audits of a queue, each of which walks over every tenant. An audit starts immediately if Redis has lost its data (the
 * sentinel of a partition is gone, or the server has a different run id), and otherwise every `intervalMs`
 * (docs/architecture/queues.md#audits). The auditor also continues the queue's unfinished walks, which take turns.
 */
export function startAuditor(dependencies: Dependencies): Auditor {
  const { queue, clock, reasonOf, log, pollIntervalMs = POLL_INTERVAL_MS } = dependencies;
  const memory: Memory = { backgroundFrom: Number.NEGATIVE_INFINITY };
  let stopped = false;
  let endPause = () => {};

  async function loop(): Promise<void> {
    while (!stopped) {
      const beganAt = clock();
      const pauseMs = await runRound(dependencies, memory, () => stopped).catch((error: Error) => {
        log.warn({ queue, error: reasonOf(error) }, "the audit will be retried");
        return pollIntervalMs;
      });
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const most = pauseInStep(pollIntervalMs, clock() - beganAt, clock());
        const timer = setTimeout(resolve, Math.min(pauseMs ?? most, most));
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const running = loop();
  return {
    async stop() {
      stopped = true;
      endPause();
      await running;
    },
  };
}

/**
 * Begins an audit if one is needed, then continues each unfinished walk for one turn. Returns the milliseconds until there is
 * more to walk; undefined if nothing is left.
 */
async function runRound(
  dependencies: Dependencies,
  memory: Memory,
  isStopped: () => boolean,
): Promise<number | undefined> {
  const { queue, walker, publisher, clock } = dependencies;
  if (!publisher.isReady()) return undefined;
  const deadline = clock() + ROUND_MS;
  const { audit, unfinished } = await lookForAudit(dependencies);
  if (audit !== undefined && audit.finishedAt === undefined && walker.isFree(audit)) {
    const isUnderWay = unfinished.some((walk) => walk.audit === audit.epoch && walk._id !== audit._id);
    if (audit.parts === undefined) {
      if (isRepair(audit, queue)) await repairRecent(dependencies, audit.startedAt);
      await divideAudit(dependencies, audit);
      return 0;
    }
    if (!isUnderWay) await endAudit(dependencies, audit);
  }
  const open = unfinished.filter((walk) => walk._id !== auditKey(queue) && walker.isFree(walk));
  const free = await withoutWaiting(dependencies, open);
  let checked = 0;
  for (const { walk, batches } of turnsOf(free, queue, memory.backgroundFrom <= clock())) {
    if (isStopped() || clock() > deadline) break;
    let left = batches;
    const began = clock();
    const records = await walker.walk(walk, () => {
      left -= 1;
      return left <= 0 || isStopped() || clock() > deadline;
    });
    // A walk waiting for its second check reads nothing, but must not be run again immediately.
    const spent = records || RECORDS_OF_WAITING;
    if (walk.background) memory.backgroundFrom = began + (spent / BACKGROUND_RECORDS_PER_SECOND) * 1000;
    else checked += records;
  }
  if (checked > 0) return 0;
  return free.some(({ background }) => background) ? Math.max(0, memory.backgroundFrom - clock()) : undefined;
}

/** Removes the walks that must wait for other work. */
async function withoutWaiting(
  { queue, mustWait }: Dependencies,
  open: readonly Stored<Walk>[],
): Promise<Stored<Walk>[]> {
  const waits = await Promise.all(open.map(async (walk) => !isAudit(walk, queue) && (await mustWait?.(walk)) === true));
  return open.filter((_, index) => !waits[index]);
}

/** Returns the queue's audit, which it begins if necessary, and all unfinished walks. */
async function lookForAudit(
  dependencies: Dependencies,
): Promise<{ audit: Stored<Walk> | undefined; unfinished: Stored<Walk>[] }> {
  const { queue, walker, readSentinels, now, intervalMs } = dependencies;
  const { walk: audit, unfinished } = await walker.look(auditKey(queue));
  const partitions = await readSentinels(sentinelsOf(dependencies));
  const reason = reasonToBegin(audit, { partitions, now: now(), intervalMs });
  if (reason === undefined) return { audit, unfinished };
  return { audit: await beginAudit(dependencies, audit, reason, runsText(partitions)), unfinished };
}

const sentinelsOf = ({ queue, queuePartitions }: Dependencies): string[] =>
  partitionsOfQueue(queue, queuePartitions).map(sentinelKey);

async function beginAudit(
  dependencies: Dependencies,
  present: Walk | undefined,
  reason: string,
  runId: string,
): Promise<Stored<Walk> | undefined> {
  const { queue, walker, redis, onDataLoss } = dependencies;
  const background = reason === INTERVAL_IS_OVER;
  const isBegun = ({ epoch: generation }: Walk) => generation !== (present?.epoch ?? 0);
  const start = { reason, runId, ...(background && { background }) };
  const audit = await walker.begin(auditKey(queue), "t/", start, isBegun);
  if (audit === undefined) return undefined;
  await Promise.all(sentinelsOf(dependencies).map((key) => redis.set(key, String(audit.epoch))));
  if (!background) onDataLoss();
  return audit;
}
