import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { openActivityLog } from "../../records/activity/activity-log.ts";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openUploads } from "../../records/files/uploads.ts";
import { openGlassLog } from "../../records/glass-log.ts";
import type { Walk } from "../../records/kinds/work.ts";
import { pauseInStep } from "../../runtime/keep-step.ts";
import { connectionNameOf } from "../../runtime/log.ts";
import type { Environment } from "../../schemas/environment.ts";
import type { Stored } from "../../schemas/record.ts";
import { startAuditor } from "../changes/audit.ts";
import { openFailures } from "../changes/failures.ts";
import type { Stage } from "../changes/stage.ts";
import { CLEAN_UP_INTERVAL_MS, cleanUp } from "../clean-up/clean-up.ts";
import { reportProcess } from "../metrics/report-process.ts";
import { partitionsOfQueue } from "../queue-partitions.ts";
import { openWorkerRedis } from "../redis.ts";
import { openSystem, publishing, type System, type SystemSettings, systemSettings } from "../system.ts";
import { type Handlers, type ProcessName, publishedBy, type QueueName, type QueueOf, queuesOf } from "../topology.ts";
import { openTracing } from "../tracing/open-tracing.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { createWalker, type Walker } from "../walks/walk.ts";
import { retryFailures } from "./retry-failures.ts";
import { startWatchdog } from "./watchdog.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

/** The parts supplied by a worker's process. */
export interface WorkerParts<P extends ProcessName> {
  /** The handlers of each queue that the process serves. */
  handlers: { [Q in QueueOf<P>]: Handlers<Q> };
  /** The stages that the audit of the process's own queue checks. */
  stages: readonly Stage[];
  /** Whether a walk over the stages must wait for other work. */
  mustWait?(walk: Stored<Walk>): Promise<boolean>;
  /** Work at fixed intervals, in addition to the queues. */
  timers?: readonly Timer[];
  /** Called to end the process if a watchdog finds that a queue has stalled; if absent, the process exits. */
  end?(): void;
  /** Called when the last job has ended. */
  close?(): void;
  /**
   * Opens another source of work, such as the inbox or HTTP, with the queues' handlers. `redis` is the workers' connection,
   * which code that blocks on Redis must duplicate.
   */
  open?(queues: Readonly<Record<QueueOf<P>, Pick<RunningWorker, "handle">>>, redis: Redis): Promise<ChangeSource>;
}

interface ChangeSource {
  timers?: readonly Timer[];
  close(): Promise<void>;
}

interface Timer {
  /** Maximum time from the end of a run to the next run. */
  intervalMs: number;
  run(): Promise<void>;
}

export type WorkerSystem = System & { walker: Walker };

export const workerSettings = [
  ...systemSettings,
  "AUDIT_EVERY",
  "GLASS_HISTORY",
  "ACTIVITY_DAYS",
  "UNDO_DAYS",
] as const;
export type WorkerSettings = SystemSettings &
  Environment<"AUDIT_EVERY" | "GLASS_HISTORY" | "ACTIVITY_DAYS" | "UNDO_DAYS">;

/** Resources that the workers of one process share; a worker in a separate process opens its own. */
interface SharedByWorkers {
  system: System;
  /** For BullMQ, whose workers each open an additional connection for the blocking call. */
  redis: Redis;
  close(): Promise<void>;
}

const DATABASE_TIMEOUT_MS = 20_000;

/** Opens the shared resources. */
export function openShared(settings: WorkerSettings, log: Logger, tracing: Tracing): SharedByWorkers {
  const system = openSystem(settings, log, DATABASE_TIMEOUT_MS, tracing);
  const redis = openWorkerRedis(settings, connectionNameOf(log));
  redis.on("error", system.onError("worker"));
  return {
    system,
    redis,
    async close() {
      redis.disconnect();
      await system.close();
    },
  };
}

/**
 * Opens a worker: BullMQ workers and watchdogs of its queues, the auditor, and timers for retries and clean-up. Shared
 * resources stay open when it closes.
 */
export async function openWorker<P extends ProcessName>(
  name: P,
  settings: WorkerSettings,
  log: Logger,
  build: (system: WorkerSystem) => WorkerParts<P>,
  given?: SharedByWorkers,
): Promise<{ close(): Promise<void> }> {
  const shared = given ?? openShared(settings, log, await openTracing(settings, name));
  const system = publishing({ ...shared.system, log }, publishedBy(name));
  // If the resources are shared, the process that shares them reports its figures.
  const reporter = given === undefined ? reportProcess(system, name) : undefined;
  // Filled below, since `build` needs the walker: parts may begin walks over their own stages.
  const stages: Stage[] = [];
  // Walks are distinguished by their start times, so all processes use one clock for them.
  const byDatabase = { ...system, now: system.databaseNow };
  const walker = createWalker({ ...byDatabase, queue: name, stages });
  const parts = build({ ...system, walker });
  stages.push(...parts.stages);

  const served = queuesOf(name).map((queue) =>
    serve(queue, parts.handlers[queue] as Handlers<typeof queue>, shared.redis, system, parts.end),
  );
  const byQueue = Object.fromEntries(served.map(({ queue, worker }) => [queue, worker]));
  const changeSource = await parts.open?.(byQueue as Record<QueueOf<P>, RunningWorker>, shared.redis);
  const auditor = startAuditor({
    ...byDatabase,
    queue: name,
    stages,
    walker,
    intervalMs: settings.AUDIT_EVERY * 1000,
    onDataLoss: system.sweeper.request,
    ...(parts.mustWait && { mustWait: parts.mustWait }),
  });
  const retryTimer = {
    intervalMs: settings.SWEEP_EVERY * 1000,
    run: async () => {
      await Promise.all(served.map(({ worker, failures }) => retryFailures(worker, failures, system.isUnavailable)));
    },
  };
  const timers = [retryTimer, ...(parts.timers ?? []), ...(changeSource?.timers ?? [])];
  const stopTimers = timers.map((timer) => startTimer(timer, system));
  // Not awaited: a clean-up takes minutes, and the next process continues it.
  const stopCleanUp = startTimer(cleanUpTimer(system, settings), system);

  return {
    async close() {
      for (const watchdog of served.flatMap(({ watchdogs }) => watchdogs)) watchdog.stop();
      void stopCleanUp();
      // All close at the same time, so that none accepts new work while another completes a long call.
      await Promise.all([
        ...served.map(({ worker }) => worker.close()),
        ...stopTimers.map((stop) => stop()),
        changeSource?.close(),
        auditor.stop(),
      ]);
      parts.close?.();
      await reporter?.stop();
      if (given === undefined) await shared.close();
    },
  };
}

const cleanUpTimer = (
  system: System,
  { RESULT_TTL, GLASS_HISTORY, ACTIVITY_DAYS, UNDO_DAYS }: WorkerSettings,
): Timer => ({
  intervalMs: CLEAN_UP_INTERVAL_MS,
  run: () =>
    cleanUp({
      ...system,
      imageFiles: openImageFiles(system.db, system.now),
      uploads: openUploads(system.db, system.now),
      glassLog: openGlassLog(system.db),
      activityLog: openActivityLog(system.db),
      resultTtl: RESULT_TTL,
      glassHistory: GLASS_HISTORY,
      activityDays: ACTIVITY_DAYS,
      undoDays: UNDO_DAYS,
    }),
});

/** Starts the worker of one of the process's queues, and a watchdog for each partition. */
function serve<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  redis: Redis,
  system: System,
  end: () => void = () => process.exit(1),
) {
  const failures = openFailures(queue, { ...system, now: system.databaseNow });
  const worker = startWorker(queue, handlers, {
    ...system,
    redis,
    failures,
    onRedisError: system.onError("worker"),
    random: Math.random,
  });
  const watchdogs = partitionsOfQueue(queue, system.queuePartitions).map((partition) =>
    startWatchdog({
      queue: partition,
      redis: system.redis,
      progress: () => worker.progress(partition),
      end,
      clock: system.clock,
      log: system.log,
    }),
  );
  return { queue, worker, failures, watchdogs };
}

/**
 * Starts a timer that runs in step with the others, at most `intervalMs` after its last run has ended. A failed run is logged,
 * and the timer continues. Returns a function that stops the timer and resolves once no run is under way.
 */
function startTimer(
  { intervalMs, run }: Timer,
  { clock, reasonOf, log }: Pick<System, "clock" | "reasonOf" | "log">,
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let stopped = false;
  let present = Promise.resolve();
  let beganAt = clock();
  const schedule = () => {
    if (!stopped) timer = setTimeout(tick, pauseInStep(intervalMs, clock() - beganAt, clock()));
  };
  const tick = () => {
    beganAt = clock();
    present = run()
      .catch((error: Error) => log.warn({ error: reasonOf(error) }, "a scheduled run failed and will be retried"))
      .finally(schedule);
  };
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
    return present;
  };
}
