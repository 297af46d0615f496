import type { Logger } from "pino";
import type { Leases } from "../../records/leases/leases.ts";
import type { Outbox } from "../../records/outbox/outbox.ts";
import type { Records } from "../../records/records.ts";
import type { Journal } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import type { Publisher } from "../publish/publisher.ts";
import { chunkJobId, enqueueChunks } from "../requests/chunk-jobs.ts";
import { queueOfJob } from "../topology.ts";
import { publishOutbox } from "./publish-outbox.ts";

export interface Sweeper {
  /** Asks for a sweep soon, because Redis was away or has lost its data. */
  request(): void;
  stop(): void;
}

interface Dependencies {
  records: Records;
  outbox: Outbox;
  journal: Journal;
  numbers: Numbers;
  leases: Leases;
  publisher: Publisher;
  now(): Date;
  intervalMs: number;
  log: Logger;
}

const CHUNKS_PER_PASS = 1000;
/** The process that wrote a change or a chunk younger than this is still about to publish it. */
const GRACE_MS = 5000;
const LEASE_MS = 10_000;
const REQUESTED_DELAY_MS = 1000;

/**
 * Publishes the changes that are still in the outbox, and enqueues open chunks that have no job: what a killed
 * process or an absent Redis left. It runs on a timer of the process and never as a job, since a flush of Redis
 * would delete the job.
 */
export function startSweeper(dependencies: Dependencies): Sweeper {
  const { leases, publisher, intervalMs, log } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let requested = true;
  let running = false;
  let stopped = false;

  const schedule = (milliseconds: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(run, milliseconds);
  };

  /** Whether something was published or enqueued, so that there may be more. */
  async function sweep(): Promise<boolean> {
    const swept =
      (await publishOutbox({ ...dependencies, graceMs: GRACE_MS })) + (await enqueueOpenChunks(dependencies));
    if (swept > 0) log.info({ swept }, "published changes and enqueued chunks that were left");
    return swept > 0;
  }

  async function run(): Promise<void> {
    running = true;
    try {
      // While Redis is away nothing can be published; the requested sweep stays requested.
      if (publisher.isReady() && (await leases.hold("sweep", LEASE_MS))) requested = await sweep();
    } catch (error) {
      log.warn({ error: (error as Error).message }, "the sweep will be tried again");
    }
    running = false;
    schedule(requested ? REQUESTED_DELAY_MS : intervalMs);
  }

  schedule(REQUESTED_DELAY_MS);
  return {
    request() {
      requested = true;
      if (!running) schedule(REQUESTED_DELAY_MS);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function enqueueOpenChunks({ journal, numbers, publisher, now }: Dependencies): Promise<number> {
  const before = now().getTime() - GRACE_MS;
  const open = (await numbers.openChunks(CHUNKS_PER_PASS)).filter(({ journaledAt }) => journaledAt.getTime() < before);
  const unfinished = new Set(["waiting", "prioritized", "delayed", "active"]);
  const enqueued = open.map(async (chunk) => {
    const state = await publisher.queue(queueOfJob(chunk.operation)).getJobState(chunkJobId(chunk));
    if (unfinished.has(state) || !(await journal.nextGeneration(chunk))) return false;
    return enqueueChunks(publisher, [{ ...chunk, generation: chunk.generation + 1 }]);
  });
  return (await Promise.all(enqueued)).filter(Boolean).length;
}
