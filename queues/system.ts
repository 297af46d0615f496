import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { isUnavailable, openDatabase } from "../records/client.ts";
import { openDatabaseClock } from "../records/database-clock.ts";
import { openEpoch } from "../records/epoch.ts";
import { openIdempotencyKeys } from "../records/leases/idempotency-keys.ts";
import { openLeases } from "../records/leases/leases.ts";
import { openInbox } from "../records/outbox/inbox.ts";
import { openOutbox } from "../records/outbox/outbox.ts";
import { openRecords } from "../records/records.ts";
import { createAcceptance } from "../records/requests/accept.ts";
import { type AcceptedRequest, type JournaledChunk, sizeOf } from "../records/requests/chunks.ts";
import { openJournal } from "../records/requests/journal.ts";
import { openNumbers } from "../records/requests/numbers.ts";
import { openOpenChunks } from "../records/requests/open-chunks.ts";
import { createBackground } from "../runtime/background.ts";
import type { Environment } from "../schemas/environment.ts";
import { tenantOf } from "../schemas/keys.ts";
import type { Topic } from "../schemas/topics.ts";
import type { Urgency } from "../schemas/urgency.ts";
import { openPrecedence } from "./batch/precedence.ts";
import { createCommit } from "./changes/commit.ts";
import { createDerive } from "./changes/derive.ts";
import { startSweeper } from "./changes/sweep.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { watchDatabase, watchRedis } from "./metrics/watch-databases.ts";
import { createBackpressure, createFill, createFullness } from "./publish/backpressure.ts";
import { openBulkJobs } from "./publish/bulk-jobs.ts";
import { openInteractiveRows } from "./publish/interactive-rows.ts";
import { createObservers } from "./publish/observers.ts";
import { priorities, urgencyOfJob } from "./publish/priority.ts";
import { createPublisher, type Publisher } from "./publish/publisher.ts";
import { createSubscriptionMatcher } from "./publish/subscription-matcher.ts";
import { databaseFault } from "./reach-databases.ts";
import { logCalmly, nodesOf, onceReady, onReached, openRedis, type RedisSettings } from "./redis.ts";
import { createAdmitChunks } from "./requests/admit-chunks.ts";
import { createEnqueueChunks } from "./requests/enqueue-chunks.ts";
import { countLinks } from "./requests/operations.ts";
import { createPromoteNext } from "./requests/promote-next.ts";
import { openResults } from "./requests/results.ts";
import type { QueueName } from "./topology.ts";
import { tracingSettings } from "./tracing/open-tracing.ts";
import { createSteps } from "./tracing/steps.ts";
import { type Tracing, untraced } from "./tracing/tracing.ts";

/** Settings that every process needs. */
export const systemSettings = [
  ...tracingSettings,
  "REDIS_URL",
  "REDIS_TLS",
  "REDIS_MODE",
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
 * Opens it. An operation of the database without an answer, or a step of an acceptance, fails after `databaseTimeoutMs`.
 */
export function openSystem(
  settings: Omit<SystemSettings, (typeof tracingSettings)[number]>,
  log: Logger,
  databaseTimeoutMs: number,
  tracing: Tracing = untraced,
) {
  const now = () => new Date();
  const clock = () => performance.now();
  const holder = randomUUID();
  const reasonOf = (error: Error) => databaseFault(error, settings) ?? error.message;
  const onError = logCalmly(log, clock, reasonOf);
  const { db, close: closeDatabase } = openDatabase(settings.MONGODB_URL, settings.MONGODB_DATABASE, databaseTimeoutMs);
  const redis = openRedis(settings);
  redis.on("error", onError("redis"));
  const metrics = createMetrics();
  watchDatabase(db.client, metrics, clock);
  watchRedis(redis, metrics, clock);

  const precedence = openPrecedence({ redis, clock, onError: onError("precedence") });
  const records = openRecords(db, precedence.beforeStep);
  const journal = openJournal(db, now);
  const numbers = openNumbers(db, clock);
  const epoch = openEpoch(db);
  const openChunks = openOpenChunks(db);
  const databaseClock = openDatabaseClock(db, now, clock, onError("clock"));
  const { now: databaseNow } = databaseClock;
  void databaseClock.synchronize().catch(onError("clock"));
  const inbox = openInbox(db, databaseNow);
  const subscriptionMatcher = createSubscriptionMatcher(records, clock);
  const fill = createFill(() => nodesOf(redis), clock);
  const isFull = createFullness(fill);
  const bulkJobs = openBulkJobs(redis, now);
  const interactiveRows = openInteractiveRows({ redis, now, onError: onError("interactive rows") });
  const background = createBackground();
  const publisher: Publisher = createPublisher({
    redis,
    bulkJobs,
    interactiveRows,
    isFull: createBackpressure(fill, (queue, urgency) => depthOf(publisher, queue, urgency)),
    observers: createObservers({ redis, matcher: subscriptionMatcher, inbox, isFull, onError: onError("observers") }),
    metrics,
    onError: onError("publisher"),
  });
  const admitChunks = createAdmitChunks({ openChunks, publisher, bulkJobs });
  const leases = openLeases({ db, holder, now, clock });
  const outbox = openOutbox(db);
  const commit = createCommit({ records, outbox, publisher, now });
  const acceptRequest = createAcceptance(db, clock, databaseTimeoutMs, onError("acceptance"));
  const sweeper = startSweeper({
    records,
    outbox,
    journal,
    openChunks,
    leases,
    publisher,
    bulkJobs,
    admitChunks,
    now,
    clock,
    intervalMs: settings.SWEEP_EVERY * 1000,
    reasonOf,
    log,
  });
  onReached(redis, sweeper.request);

  return {
    db,
    redis,
    records,
    outbox,
    journal,
    numbers,
    epoch,
    openChunks,
    leases,
    idempotencyKeys: openIdempotencyKeys(db, now, settings.RESULT_TTL),
    publisher,
    background,
    precedence,
    bulkJobs,
    interactiveRows,
    admitChunks,
    enqueueChunks: createEnqueueChunks({ publisher, bulkJobs, admitChunks, onError: onError("chunks") }),
    subscriptionMatcher,
    inbox,
    commit,
    sweeper,
    now,
    /** The due time of what is due immediately, in all processes. */
    databaseNow,
    clock,
    holder,
    log,
    metrics,
    onError,
    isUnavailable,
    /** What went wrong, in words for the log: of a database with its setting, host and cure. */
    reasonOf,
    /** The same if a database is at fault, else undefined. */
    databaseFault: (error: unknown) => databaseFault(error, settings),
    ...createDerive({ records, commit }),
    ...createSteps({ tracing, log, now }),
    tracing,
    promoteNext: createPromoteNext({
      journal,
      numbers,
      openChunks,
      publisher,
      admitChunks,
      onError: onError("promotion"),
    }),
    async accept(request: AcceptedRequest): Promise<JournaledChunk[]> {
      const { urgency, release } = await interactiveRows.admit(request.store, sizeOf(request));
      const links = countLinks(request.operation, request.rows);
      const work = () => acceptRequest({ ...request, urgency, ...(links && { links }) });
      const chunks = await (urgency === "interactive" ? precedence.interactive(work) : work()).finally(release);
      const rows = chunks.reduce((sum, { size }) => sum + size, 0);
      metrics.count("shelfwire_rows_accepted_total", { tenant: tenantOf(request.store) }, rows);
      return chunks;
    },
    results: openResults({
      redis,
      isFull,
      journal,
      epoch,
      now,
      resultTtl: settings.RESULT_TTL,
      onError: onError("results"),
    }),
    /** Waits for Redis: a command that is sent earlier fails. */
    whenReady: () => onceReady(redis),
    async close() {
      sweeper.stop();
      await background.finished();
      await publisher.close();
      redis.disconnect();
      await closeDatabase();
      // Bounded by the exporter's own timeout; a collector that is away holds up nothing else.
      await tracing.flush().catch(onError("traces"));
    },
  };
}

/** The same system for one of its workers, whose commits of records with other topics are rejected. */
export function publishing(system: System, publishes: readonly Topic[]): System {
  const commit = createCommit({ ...system, publishes });
  return { ...system, commit, ...createDerive({ records: system.records, commit }) };
}

/** How many jobs of a queue wait: all of them, or the interactive ones, which go before the others. */
async function depthOf(publisher: Publisher, name: QueueName, urgency: Urgency): Promise<number> {
  const queue = publisher.queue(name);
  const counts = await (urgency === "bulk"
    ? queue.getJobCounts("waiting", "prioritized", "delayed")
    : queue.getCountsPerPriority(priorities.filter((priority) => urgencyOfJob({ priority }) === urgency)));
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
