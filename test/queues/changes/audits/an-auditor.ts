import { setTimeout } from "node:timers/promises";
import type { ExecutionContext } from "ava";
import { type Logger, pino } from "pino";
import { startAuditor } from "../../../../queues/changes/audit.ts";
import { auditKey } from "../../../../queues/changes/audit-key.ts";
import { createReadSentinels } from "../../../../queues/changes/read-partition-sentinels.ts";
import type { Stage } from "../../../../queues/changes/stage.ts";
import type { Walker } from "../../../../queues/walks/walk.ts";
import type { Walk } from "../../../../records/kinds/work.ts";
import type { Stored } from "../../../../schemas/record.ts";
import { eventually } from "../../../harness/eventually.ts";
import type { ASystem } from "../../../harness/system.ts";

export const QUEUE = "renderer";
export const KEY = auditKey(QUEUE);
/** The epoch of the last audit. */
export const EPOCH = 7;
export const HOUR_MS = 3_600_000;
/** The initial time of the auditor's clock. */
export const NOON_MS = 43_200_000;
const STARTED = new Date(Date.UTC(2026, 0, 1));

const walkOf = (_id: string, more: Partial<Walk> = {}): Stored<Walk> => ({
  ...{ _id, rev: 1, store: "", writeId: "", changedAt: STARTED, queue: QUEUE, scope: "t/one/", reason: "a change" },
  ...{ epoch: 1, startedAt: STARTED, stage: 0, checked: 0, stale: 0, holder: "", heldUntil: new Date(0) },
  ...more,
});
/** A walk that follows a change. */
export const follows = (name: string, more?: Partial<Walk>) => walkOf(`t/one/walks/${name}`, more);
/** A tenant's part of an audit. */
export const partOf = (tenant: string, more?: Partial<Walk>) => walkOf(auditKey(QUEUE, `t/${tenant}`), more);

export interface Given {
  stages?: readonly Stage[];
  /** The queue's audit. By default, a finished audit that began now. */
  audit?: Partial<Walk> | "none";
  unfinished?: readonly Stored<Walk>[];
  /** What is left of a walk: the number of batches, and each batch's records and milliseconds. */
  left?: { batches: number; records: number; ms: number };
  /** Milliseconds since the last audit began. */
  since?: number;
  isBegunElsewhere?: boolean;
  isReady?: boolean;
  pollIntervalMs?: number;
  /** The error that the first round throws. */
  fails?: string;
  redis?: ASystem["system"]["redis"];
  queuePartitions?: number;
  /** Called within each batch. */
  during?: () => unknown;
}

const nothingSeen = () => ({
  rounds: 0,
  /** The walk of each turn and the number of batches checked in that turn, in order. */
  turns: [] as [string, number][],
  begun: [] as unknown[],
  advanced: [] as [string, Partial<Walk>][],
  losses: 0,
  lines: [] as Record<string, unknown>[],
});
type Seen = ReturnType<typeof nothingSeen>;

/** Waits long enough for a loop without pauses to make many rounds. */
export const aMoment = () => setTimeout(40);

export const runIdOf = async ({ system }: ASystem): Promise<string> =>
  /run_id:(\S+)/.exec(await system.redis.info("server"))?.[1] ?? "Redis does not report its run";

/** Starts an auditor on a real Redis with the given walks and a clock that only batches move. */
export async function startAnAuditor(t: ExecutionContext, own: ASystem, given: Given = {}) {
  const { since = 0, pollIntervalMs = HOUR_MS, redis = own.system.redis } = given;
  const seen = nothingSeen();
  const clock = { ms: NOON_MS };
  const log: Logger = pino({}, { write: (line) => void seen.lines.push(JSON.parse(line)) });
  const auditor = startAuditor({
    ...{ queue: QUEUE, stages: given.stages ?? [], db: own.system.db, pollIntervalMs, intervalMs: HOUR_MS, log },
    ...{ journal: own.system.journal, records: own.system.records, reasonOf: ({ message }: Error) => message },
    walker: writtenWalks(given, await runIdOf(own), seen, clock),
    ...{ redis, readSentinels: createReadSentinels(redis) },
    queuePartitions: given.queuePartitions ?? 1,
    publisher: { ...own.system.publisher, isReady: () => given.isReady ?? true },
    now: () => new Date(STARTED.getTime() + since),
    clock: () => clock.ms,
    onDataLoss: () => {
      seen.losses += 1;
    },
  });
  t.teardown(() => auditor.stop());
  const untilRound = (count: number) => eventually(`round ${count} begins`, async () => seen.rounds >= count);
  const untilTurns = (count: number) => eventually(`turn ${count} is over`, async () => seen.turns.length >= count);
  /** Waits for two more rounds, in which every due walk gets its turn. */
  const untilSettled = () => untilRound(seen.rounds + 2);
  return { ...auditor, seen, clock, untilRound, untilTurns, untilSettled };
}

function writtenWalks(given: Given, runId: string, seen: Seen, clock: { ms: number }): Walker {
  const { unfinished = [], left = { batches: 9, records: 4, ms: 0 }, during, fails, isBegunElsewhere } = given;
  const finished = { finishedAt: STARTED, runId, epoch: EPOCH, scope: "t/" };
  return {
    async look(key) {
      seen.rounds += 1;
      if (fails !== undefined && seen.rounds === 1) throw new Error(fails);
      const audit = given.audit === "none" ? undefined : walkOf(key, { ...finished, ...given.audit });
      const isUnfinished = audit !== undefined && audit.finishedAt === undefined;
      return { walk: audit, unfinished: isUnfinished ? [audit, ...unfinished] : [...unfinished] };
    },
    isFree: ({ holder }) => holder !== "another",
    async begin(key, scope, start, isBegun) {
      const epochs = [0, 1, EPOCH, EPOCH + 1].filter((epoch) => isBegun?.(walkOf(key, { epoch })));
      seen.begun.push({ key, scope, ...start, leavesEpochs: epochs });
      return isBegunElsewhere ? undefined : walkOf(key, { ...start, epoch: EPOCH + 1, parts: 0 });
    },
    async walk({ _id }, shouldStop) {
      let batches = 0;
      for (let isOver = false; !isOver && batches < left.batches; isOver = await shouldStop()) {
        batches += 1;
        clock.ms += left.ms;
        await during?.();
      }
      seen.turns.push([_id, batches]);
      return batches * left.records;
    },
    async advance(walk, step) {
      seen.advanced.push([walk._id, step]);
      return walk;
    },
  };
}
