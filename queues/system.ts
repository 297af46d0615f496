import type { Logger } from "pino";
import { openEpoch } from "../records/epoch.ts";
import { openIdempotencyKeys } from "../records/leases/idempotency-keys.ts";
import { openLeases } from "../records/leases/leases.ts";
import { createFirstTogether } from "../records/mongodb/find-first-together.ts";
import { isUnavailable } from "../records/mongodb/unavailable.ts";
import { openInbox } from "../records/outbox/inbox.ts";
import { openOutbox } from "../records/outbox/outbox.ts";
import { openRecords } from "../records/records.ts";
import { createAcceptance } from "../records/requests/accept.ts";
import { openHoldMarks } from "../records/requests/held/hold-marks.ts";
import { openHolds } from "../records/requests/held/holds.ts";
import { openJournal } from "../records/requests/journal.ts";
import { openNumbers } from "../records/requests/numbers.ts";
import { openOpenChunks } from "../records/requests/open-chunks.ts";
import { createBackground } from "../runtime/background.ts";
import type { Environment } from "../schemas/environment.ts";
import type { Topic } from "../schemas/topics.ts";
import { openPrecedence } from "./batch/precedence.ts";
import { createCommit } from "./changes/commit.ts";
import { createDerive } from "./changes/derive.ts";
import { createReadSentinels } from "./changes/read-partition-sentinels.ts";
import { startSweeper } from "./changes/sweep.ts";
import { openConnections } from "./connections.ts";
import { openPublishing } from "./publish/open-publishing.ts";
import { databaseFault } from "./reach-databases.ts";
import { onceReady, onReached, type RedisSettings } from "./redis.ts";
import { createAccept } from "./requests/accept.ts";
import { createAdmitChunks } from "./requests/admit-chunks.ts";
import { createCarryOutHold } from "./requests/carry-out-hold.ts";
import { createEnqueueChunks } from "./requests/enqueue-chunks.ts";
import { createPromoteNext } from "./requests/promote-next.ts";
import { openResults } from "./requests/results.ts";
import { openPartitions } from "./store-partitions.ts";
import { tracingSettings } from "./tracing/open-tracing.ts";
import { createSteps } from "./tracing/steps.ts";
import { type Tracing, untraced } from "./tracing/tracing.ts";

/** Settings that every process needs. */
export const systemSettings = [
  ...tracingSettings,
  "REDIS_URL",
  "REDIS_TLS",
  "REDIS_MODE",
  "REDIS_SENTINELS",
  "REDIS_SENTINEL_MASTER",
  "REDIS_SENTINEL_PASSWORD",
  "QUEUE_PARTITIONS",
  "MONGODB_URL",
  "MONGODB_DATABASE",
  "RESULT_TTL",
  "SWEEP_EVERY",
  "LOG_LEVEL",
] as const;

export type SystemSettings = Omit<Environment<(typeof systemSettings)[number]>, keyof RedisSettings> & RedisSettings;

/**
 * The common parts of every process: connections, records, journal, `commit` to change records and `publisher` to
 * publish.
 */
export type System = ReturnType<typeof openSystem>;

/**
 * Opens the system. A database operation fails after `databaseTimeoutMs` without a response, as does a step of an acceptance. A
 * Redis command fails after `redisPatienceMs`, if that is set.
 */
export function openSystem(
  settings: Omit<SystemSettings, (typeof tracingSettings)[number]>,
  log: Logger,
  databaseTimeoutMs: number,
  tracing: Tracing = untraced,
  redisPatienceMs?: number,
) {
  const { closeDatabase, ...connections } = openConnections(settings, log, databaseTimeoutMs, redisPatienceMs);
  const stored = openStored(connections, settings);
  const queuePartitions = settings.QUEUE_PARTITIONS;
  const { isFull, ...publishing } = openPublishing({ ...connections, ...stored, queuePartitions });
  const opened = { ...connections, ...stored, ...publishing, queuePartitions, log };
  const requests = openRequests({ ...opened, isFull }, settings, databaseTimeoutMs);
  const changes = openChanges({ ...opened, ...requests }, settings);
  const background = createBackground();
  return {
    ...opened,
    ...requests,
    ...changes,
    background,
    isUnavailable,
    /** Returns what went wrong, worded for the log, if a database is at fault; otherwise undefined. */
    databaseFault: (error: unknown) => databaseFault(error, settings),
    ...createSteps({ tracing, log, now: opened.now }),
    tracing,
    /** Waits until Redis is ready; a command that is sent earlier fails. */
    whenReady: () => onceReady(opened.redis),
    async close() {
      changes.sweeper.stop();
      await background.finished();
      await opened.publisher.close();
      opened.redis.disconnect();
      await closeDatabase();
      // Limited by the exporter's timeout; an unreachable collector delays nothing else.
      await tracing.flush().catch(opened.onError("traces"));
    },
  };
}

type Connections = Omit<ReturnType<typeof openConnections>, "closeDatabase">;
type Stored = ReturnType<typeof openStored>;
type Publishing = ReturnType<typeof openPublishing>;
type Requests = ReturnType<typeof openRequests>;

/** Opens the parts that read and write in MongoDB. */
function openStored(
  { db, redis, holder, now, clock, databaseNow, onError }: Connections,
  { RESULT_TTL }: Pick<SystemSettings, "RESULT_TTL">,
) {
  const precedence = openPrecedence({ redis, clock, onError: onError("precedence") });
  const firstTogether = createFirstTogether(db);
  return {
    precedence,
    firstTogether,
    readSentinels: createReadSentinels(redis),
    records: openRecords(db, precedence.beforeStep),
    outbox: openOutbox(db),
    inbox: openInbox(db, databaseNow),
    journal: openJournal(db, now),
    numbers: openNumbers(db, clock),
    epoch: openEpoch(db),
    openChunks: openOpenChunks(db),
    holds: openHolds(db),
    holdMarks: openHoldMarks(db, databaseNow),
    leases: openLeases({ db, firstTogether, holder, now, clock }),
    partitions: openPartitions({ db, holder, now: databaseNow, clock }),
    idempotencyKeys: openIdempotencyKeys(db, now, RESULT_TTL),
  };
}

/** Opens the parts that handle requests: they accept them, admit and enqueue their chunks, and read their results. */
function openRequests(
  opened: Connections & Stored & Publishing,
  { RESULT_TTL }: Pick<SystemSettings, "RESULT_TTL">,
  databaseTimeoutMs: number,
) {
  const { db, clock, onError } = opened;
  const admitChunks = createAdmitChunks(opened);
  const chunks = { ...opened, admitChunks };
  const enqueueChunks = createEnqueueChunks({ ...chunks, onError: onError("chunks") });
  return {
    accept: createAccept({
      ...opened,
      journalRequest: createAcceptance(db, clock, databaseTimeoutMs, onError("acceptance")),
    }),
    admitChunks,
    enqueueChunks,
    carryOutHold: createCarryOutHold({ ...opened, enqueueChunks, now: opened.databaseNow }),
    promoteNext: createPromoteNext({ ...chunks, onError: onError("promotion") }),
    results: openResults({ ...opened, resultTtl: RESULT_TTL, onError: onError("results") }),
  };
}

/** Opens the parts that handle changes to records: they commit, derive, and publish what a killed process left behind. */
function openChanges(
  opened: Connections & Stored & Omit<Publishing, "isFull"> & Requests & { log: Logger },
  { SWEEP_EVERY }: Pick<SystemSettings, "SWEEP_EVERY">,
) {
  const commit = createCommit(opened);
  const sweeper = startSweeper({ ...opened, intervalMs: SWEEP_EVERY * 1000 });
  onReached(opened.redis, sweeper.request);
  return { commit, ...createDerive({ records: opened.records, commit }), sweeper };
}

/** Returns the system for one worker, whose commits of records with other topics are rejected. */
export function publishing(system: System, publishes: readonly Topic[]): System {
  const commit = createCommit({ ...system, publishes });
  return { ...system, commit, ...createDerive({ records: system.records, commit }) };
}
