import type { Logger } from "pino";
import type { Leases } from "../../records/leases/leases.ts";
import type { Outbox } from "../../records/outbox/outbox.ts";
import { type Journal, jobOf } from "../../records/requests/journal.ts";
import type { Numbers } from "../../records/requests/numbers.ts";
import { topics } from "../../schemas/topics.ts";
import type { Publisher } from "../publish/publisher.ts";
import { queueOfJob } from "../topology.ts";

export interface Sweeper {
  /** Asks for a sweep soon: Redis was away, or has forgotten. */
  request(): void;
  stop(): void;
}

interface Dependencies {
  outbox: Outbox;
  journal: Journal;
  numbers: Numbers;
  leases: Leases;
  publisher: Publisher;
  now(): Date;
  everyMs: number;
  log: Logger;
}

const BATCHES_PER_PASS = 200;
const CHUNKS_PER_PASS = 1000;
/** A change or a chunk younger than this is on its way to Redis by the process that wrote it. */
const GRACE_MS = 5000;
const LEASE_MS = 10_000;
const REQUESTED_DELAY_MS = 1000;

/** The id of a chunk's job. A kept job would silently block another of its id, so each generation has its own. */
export const chunkJobId = (key: string, generation: number): string => `${key}~${generation}`;

/**
 * Publishes changes that stayed unpublished, and enqueues journaled chunks that no job carries: what
 * a killed process or an absent Redis left behind. A process timer, never a job: it must survive a flush.
 */
export function startSweeper(dependencies: Dependencies): Sweeper {
  const { leases, publisher, everyMs, log } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let requested = true;
  let running = false;
  let stopped = false;

  const schedule = (milliseconds: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(run, milliseconds);
  };

  /** Whether something was left behind, so that there may be more. */
  async function sweep(): Promise<boolean> {
    const swept = (await publishOutbox(dependencies)) + (await enqueueOpenChunks(dependencies));
    if (swept > 0) log.info({ swept }, "swept what was left behind");
    return swept > 0;
  }

  async function run(): Promise<void> {
    running = true;
    try {
      // Nothing can be told while Redis is away; the request stays.
      if (publisher.isReady() && (await leases.hold("sweep", LEASE_MS))) requested = await sweep();
    } catch (error) {
      log.warn({ error: (error as Error).message }, "the sweep will be tried again");
    }
    running = false;
    schedule(requested ? REQUESTED_DELAY_MS : everyMs);
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

async function publishOutbox({ outbox, publisher, now }: Dependencies): Promise<number> {
  const batches = await outbox.find(new Date(now().getTime() - GRACE_MS), BATCHES_PER_PASS);
  let published = 0;
  for (const { _id, kind, changes } of batches) {
    const topic = topics.find((one) => one === kind);
    if (topic !== undefined && !(await publisher.publish(topic, changes))) continue;
    await outbox.remove(_id);
    published += changes.length;
  }
  return published;
}

async function enqueueOpenChunks({ journal, numbers, publisher, now }: Dependencies): Promise<number> {
  const before = now().getTime() - GRACE_MS;
  const open = (await numbers.openChunks(CHUNKS_PER_PASS)).filter(({ journaledAt }) => journaledAt.getTime() < before);
  const carried = new Set(["waiting", "prioritized", "delayed", "active"]);
  const enqueued = open.map(async (chunk) => {
    const queue = queueOfJob(chunk.operation);
    const state = await publisher.queue(queue).getJobState(chunkJobId(chunk._id, chunk.generation));
    if (carried.has(state) || !(await journal.nextGeneration(chunk))) return false;
    const id = chunkJobId(chunk._id, chunk.generation + 1);
    return publisher.enqueue(queue, [{ name: chunk.operation, data: jobOf(chunk), urgency: chunk.urgency, id }]);
  });
  return (await Promise.all(enqueued)).filter(Boolean).length;
}
