import type { Logger } from "pino";
import type { Leases } from "../../records/leases/leases.ts";
import type { Outbox } from "../../records/outbox/outbox.ts";
import type { Records } from "../../records/records.ts";
import type { Journal } from "../../records/requests/journal.ts";
import type { OpenChunks } from "../../records/requests/open-chunks.ts";
import type { BulkJobs } from "../publish/bulk-jobs.ts";
import type { Publisher } from "../publish/publisher.ts";
import { createEnqueueLostChunks } from "../requests/enqueue-lost-chunks.ts";
import type { LetIn } from "../requests/let-in.ts";
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
  openChunks: OpenChunks;
  leases: Leases;
  publisher: Publisher;
  bulkJobs: BulkJobs;
  letIn: LetIn;
  now(): Date;
  clock(): number;
  intervalMs: number;
  log: Logger;
}

/** The process that wrote a change younger than this is still about to publish it. */
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
  const enqueueLostChunks = createEnqueueLostChunks(dependencies);
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
    const published = await publishOutbox({ ...dependencies, graceMs: GRACE_MS });
    const { enqueued, isCut } = await enqueueLostChunks();
    const swept = published + enqueued;
    if (swept > 0) log.info({ swept }, "published changes and enqueued chunks that were left");
    return swept > 0 || isCut;
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
