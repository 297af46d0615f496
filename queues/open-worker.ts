import type { Logger } from "pino";
import { openImageFiles } from "../records/image-files.ts";
import type { Environment } from "../schemas/environment.ts";
import type { Topic } from "../schemas/topics.ts";
import { startAuditor } from "./audit.ts";
import { CLEAN_UP_EVERY_MS, cleanUp } from "./clean-up.ts";
import { openFailures } from "./failures.ts";
import { openRedis, openWorkerRedis } from "./redis.ts";
import type { Stage } from "./stage.ts";
import { openSystem, type System, systemSettings } from "./system.ts";
import type { Handlers, QueueName } from "./topology.ts";
import { createWalker, type Walker } from "./walk.ts";
import { startWatchdog } from "./watchdog.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

/** What a worker is made of. */
export interface WorkerParts<Q extends QueueName> {
  handlers: Handlers<Q>;
  /** What its audit walks. */
  stages: readonly Stage[];
  /** What it does at intervals of its own, beside its queue. */
  timers?: readonly { everyMs: number; run(): Promise<void> }[];
}

export type WorkerSystem = System & { walker: Walker };

export const workerSettings = [...systemSettings, "AUDIT_EVERY"] as const;
export type WorkerSettings = Environment<(typeof workerSettings)[number]>;

const DATABASE_TIMEOUT_MS = 20_000;
const FAILURES_A_PASS = 100;

/** Opens a worker with all that keeps it honest: its auditor, its watchdog and the retries of its failures. */
export async function openWorker<Q extends QueueName>(
  queue: Q,
  settings: WorkerSettings,
  log: Logger,
  build: (system: WorkerSystem) => WorkerParts<Q>,
): Promise<{ close(): Promise<void> }> {
  const system = openSystem(settings, log, DATABASE_TIMEOUT_MS);
  // Filled below: what a worker is made of may begin walks over its own stages.
  const stages: Stage[] = [];
  const walker = createWalker({ ...system, queue, stages });
  const parts = build({ ...system, walker });
  stages.push(...parts.stages);

  const workerRedis = openWorkerRedis(settings.REDIS_URL);
  const watchdogRedis = openRedis(settings.REDIS_URL);
  workerRedis.on("error", system.onError("worker"));
  watchdogRedis.on("error", system.onError("watchdog"));
  const failures = openFailures(queue, system);
  const worker = startWorker(queue, parts.handlers, {
    ...system,
    redis: workerRedis,
    failures,
    onRedisError: system.onError("worker"),
    random: Math.random,
  });
  const auditor = startAuditor({
    ...system,
    queue,
    walker,
    everyMs: settings.AUDIT_EVERY * 1000,
    onForgotten: system.sweeper.request,
  });
  const watchdog = startWatchdog({
    queue,
    redis: watchdogRedis,
    progress: worker.progress,
    end: () => process.exit(1),
    log,
  });
  const retry = { everyMs: settings.SWEEP_EVERY * 1000, run: () => retryFailures(worker, failures) };
  const tidy = {
    everyMs: CLEAN_UP_EVERY_MS,
    run: () =>
      cleanUp({ ...system, imageFiles: openImageFiles(system.db, system.now), resultTtl: settings.RESULT_TTL }),
  };
  const timers = [retry, tidy, ...(parts.timers ?? [])].map((timer) => startTimer(timer, log));

  return {
    async close() {
      watchdog.stop();
      for (const stop of timers) stop();
      await Promise.all([worker.close(), auditor.stop()]);
      workerRedis.disconnect();
      watchdogRedis.disconnect();
      await system.close();
    },
  };
}

/** A key that fails again is recorded again by the worker, with a later time. */
async function retryFailures(worker: RunningWorker, failures: ReturnType<typeof openFailures>): Promise<void> {
  for (const failure of await failures.due(FAILURES_A_PASS)) {
    const { failed } = await worker.handle(failure.topic as Topic, [failure.change]);
    if (failed.length === 0) await failures.forget([failure]);
  }
}

/** Runs again and again, `everyMs` after the last run has ended. A run that fails is logged and tried again. */
function startTimer({ everyMs, run }: { everyMs: number; run(): Promise<void> }, log: Logger): () => void {
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
