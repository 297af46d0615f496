import type { Logger } from "pino";
import type { Leases } from "../../records/leases/leases.ts";
import type { Outbox } from "../../records/outbox/outbox.ts";
import type { Records } from "../../records/records.ts";
import type { Journal } from "../../records/requests/journal.ts";
import type { OpenChunks } from "../../records/requests/open-chunks.ts";
import { pauseInStep } from "../../runtime/keep-step.ts";
import type { BulkJobs } from "../publish/bulk-jobs.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { AdmitChunks } from "../requests/admit-chunks.ts";
import { createEnqueueLostChunks } from "../requests/enqueue-lost-chunks.ts";
import { publishOutbox } from "./publish-outbox.ts";

export interface Sweeper {
  /** Requests a sweep soon, because Redis was unavailable or has lost its data. */
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
  admitChunks: AdmitChunks;
  now(): Date;
  clock(): number;
  intervalMs: number;
  /** What went wrong, worded for the log. */
  reasonOf(error: Error): string;
  log: Logger;
}

/** If a change is younger than this, the process that wrote it may still publish it. */
const GRACE_MS = 5000;
/**
 * A process that holds the lease for regular sweeps keeps it between sweeps. Requested sweeps have their own lease, which is
 * released after each sweep, because they must not wait for a process that swept earlier and was then killed.
 */
const leaseOf = {
  regular: { name: "sweep", milliseconds: 10_000 },
  requested: { name: "requested sweep", milliseconds: 2_000 },
};
const REQUESTED_DELAY_MS = 1000;
/**
 * After a request, sweeps run every second for this long. By then, the grace period is over for every entry and chunk that was
 * still within it when Redis lost its data.
 */
const REQUESTED_FOR_MS = 8_000;
/**
 * Grace period of a requested sweep, which only allows for a writer's clock that is ahead. A change is always published after
 * its write. If its writer publishes it at the same moment, it is published twice.
 */
const REQUESTED_GRACE_MS = -10_000;

/**
 * Publishes the changes that are still in the outbox, and enqueues open chunks that have no job, after a process was killed or
 * Redis was unavailable. It runs on a timer in the process, not as a job, since flushing Redis would delete the job.
 */
export function startSweeper(dependencies: Dependencies): Sweeper {
  const { leases, publisher, clock, intervalMs, reasonOf, log } = dependencies;
  const enqueueLostChunks = createEnqueueLostChunks(dependencies);
  let timer: NodeJS.Timeout | undefined;
  let requestedUntil = Number.NEGATIVE_INFINITY;
  // A process's first sweep comes soon, since its predecessor may have left something.
  let hasMore = true;
  let running = false;
  let stopped = false;

  const schedule = (milliseconds: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(run, milliseconds);
  };

  const isRequested = () => hasMore || clock() < requestedUntil;

  /** Returns whether there may be more to do: something was published or enqueued, or not everything was searched. */
  async function sweep(): Promise<boolean> {
    const graceMs = clock() < requestedUntil ? REQUESTED_GRACE_MS : GRACE_MS;
    const published = await publishOutbox({ ...dependencies, graceMs });
    const { enqueued, isCut } = await enqueueLostChunks();
    const swept = published + enqueued;
    if (swept > 0) log.info({ swept }, "published changes and enqueued chunks that had been left behind");
    return swept > 0 || isCut;
  }

  async function run(): Promise<void> {
    running = true;
    const beganAt = clock();
    try {
      const wasRequested = isRequested();
      const { name, milliseconds } = leaseOf[wasRequested ? "requested" : "regular"];
      // While Redis is unreachable, nothing can be published. When it is reachable again, a sweep is requested.
      if (publisher.isReady() && (await leases.hold(name, milliseconds))) {
        hasMore = await sweep();
        // Released so that another process can sweep immediately if this process is killed.
        if (wasRequested) await leases.release(name);
      }
    } catch (error) {
      log.warn({ error: reasonOf(error as Error) }, "the sweep will be retried");
    }
    running = false;
    schedule(isRequested() ? REQUESTED_DELAY_MS : pauseInStep(intervalMs, clock() - beganAt, clock()));
  }

  schedule(REQUESTED_DELAY_MS);
  return {
    request() {
      requestedUntil = clock() + REQUESTED_FOR_MS;
      if (!running) schedule(REQUESTED_DELAY_MS);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
