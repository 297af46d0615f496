import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { openImageFiles } from "../../records/files/image-files.ts";
import { openUploads } from "../../records/files/uploads.ts";
import type { Environment } from "../../schemas/environment.ts";
import type { Topic } from "../../schemas/topics.ts";
import { startAuditor } from "../changes/audit.ts";
import { CLEAN_UP_INTERVAL_MS, cleanUp } from "../changes/clean-up.ts";
import { openFailures } from "../changes/failures.ts";
import type { Stage } from "../changes/stage.ts";
import { createWalker, type Walker } from "../changes/walk.ts";
import { openRedis, openWorkerRedis } from "../redis.ts";
import { openSystem, type System, systemSettings } from "../system.ts";
import { type Handlers, type ProcessName, publishedBy, type QueueName, type QueueOf, queuesOf } from "../topology.ts";
import { startWatchdog } from "./watchdog.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

/** What a worker is made of. */
export interface WorkerParts<P extends ProcessName> {
  /** Of each queue that its process serves. */
  handlers: { [Q in QueueOf<P>]: Handlers<Q> };
  /** What the audit of its own queue walks. */
  stages: readonly Stage[];
  /** What it does at intervals of its own, beside its queue. */
  timers?: readonly Timer[];
  /** Opens another way by which changes come in, to the same handlers as its queues'. */
  open?(queues: Readonly<Record<QueueOf<P>, Pick<RunningWorker, "handle">>>): Promise<Entrance>;
}

interface Entrance {
  timers?: readonly Timer[];
  close(): Promise<void>;
}

interface Timer {
  everyMs: number;
  run(): Promise<void>;
}

export type WorkerSystem = System & { walker: Walker };

export const workerSettings = [...systemSettings, "AUDIT_EVERY"] as const;
export type WorkerSettings = Environment<(typeof workerSettings)[number]>;

const DATABASE_TIMEOUT_MS = 20_000;
const FAILURES_PER_PASS = 100;

/** Opens a worker with all that keeps it honest: its auditor, its watchdogs and the retries of its failures. */
export async function openWorker<P extends ProcessName>(
  name: P,
  settings: WorkerSettings,
  log: Logger,
  build: (system: WorkerSystem) => WorkerParts<P>,
): Promise<{ close(): Promise<void> }> {
  const system = openSystem(settings, log, DATABASE_TIMEOUT_MS, publishedBy(name));
  // Filled below: what a worker is made of may begin walks over its own stages.
  const stages: Stage[] = [];
  const walker = createWalker({ ...system, queue: name, stages });
  const parts = build({ ...system, walker });
  stages.push(...parts.stages);

  const redis = { worker: openWorkerRedis(settings.REDIS_URL), watchdog: openRedis(settings.REDIS_URL) };
  redis.worker.on("error", system.onError("worker"));
  redis.watchdog.on("error", system.onError("watchdog"));
  const served = queuesOf(name).map((queue) =>
    serve(queue, parts.handlers[queue] as Handlers<typeof queue>, redis, system),
  );
  const byQueue = Object.fromEntries(served.map(({ queue, worker }) => [queue, worker]));
  const entrance = await parts.open?.(byQueue as Record<QueueOf<P>, RunningWorker>);
  const auditor = startAuditor({
    ...system,
    queue: name,
    walker,
    everyMs: settings.AUDIT_EVERY * 1000,
    onForgotten: system.sweeper.request,
  });
  const retry = {
    everyMs: settings.SWEEP_EVERY * 1000,
    run: async () => {
      for (const { worker, failures } of served) await retryFailures(worker, failures);
    },
  };
  const tidy = {
    everyMs: CLEAN_UP_INTERVAL_MS,
    run: () =>
      cleanUp({
        ...system,
        imageFiles: openImageFiles(system.db, system.now),
        uploads: openUploads(system.db, system.now),
        resultTtl: settings.RESULT_TTL,
      }),
  };
  const timers = [retry, tidy, ...(parts.timers ?? []), ...(entrance?.timers ?? [])].map((timer) =>
    startTimer(timer, log),
  );

  return {
    async close() {
      for (const { watchdog } of served) watchdog.stop();
      for (const stop of timers) stop();
      await entrance?.close();
      await Promise.all([...served.map(({ worker }) => worker.close()), auditor.stop()]);
      redis.worker.disconnect();
      redis.watchdog.disconnect();
      await system.close();
    },
  };
}

/** Starts to take the jobs of one of the process's queues. */
function serve<Q extends QueueName>(
  queue: Q,
  handlers: Handlers<Q>,
  redis: { worker: Redis; watchdog: Redis },
  system: System,
) {
  const failures = openFailures(queue, system);
  const worker = startWorker(queue, handlers, {
    ...system,
    redis: redis.worker,
    failures,
    onRedisError: system.onError("worker"),
    random: Math.random,
  });
  const watchdog = startWatchdog({
    queue,
    redis: redis.watchdog,
    progress: worker.progress,
    end: () => process.exit(1),
    log: system.log,
  });
  return { queue, worker, failures, watchdog };
}

/** A key that fails again is recorded again by the worker, with a later time. */
async function retryFailures(worker: RunningWorker, failures: ReturnType<typeof openFailures>): Promise<void> {
  for (const failure of await failures.due(FAILURES_PER_PASS)) {
    const { failed } = await worker.handle(failure.topic as Topic, [failure.change]);
    if (failed.length === 0) await failures.forget([failure]);
  }
}

/** Runs again and again, `everyMs` after the last run has ended. A run that fails is logged and tried again. */
function startTimer({ everyMs, run }: Timer, log: Logger): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const schedule = () => {
    if (!stopped) timer = setTimeout(tick, everyMs);
  };
  const tick = () =>
    run()
      .catch((error: Error) => log.warn({ error: error.message }, "a timer's work will be tried again"))
      .finally(schedule);
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
