import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { Stored } from "../../records/kind.ts";
import { type Walk, walks } from "../../records/kinds/walk.ts";
import type { Records } from "../../records/records.ts";
import type { Publisher } from "../publish/publisher.ts";
import { prefixOf } from "../redis.ts";
import type { QueueName } from "../topology.ts";
import type { Walker } from "./walk.ts";

export interface Auditor {
  stop(): Promise<void>;
}

interface Dependencies {
  queue: QueueName;
  walker: Walker;
  redis: Redis;
  records: Records;
  publisher: Publisher;
  now(): Date;
  intervalMs: number;
  /** Called when Redis has lost its data: a sweep is needed as well. */
  onDataLoss(): void;
  log: Logger;
}

const POLL_INTERVAL_MS = 1000;
/** Key of the walk that audits a queue: over all stores, or over one. */
export const auditKey = (queue: QueueName, store?: string): string => `${store ? `${store}/` : ""}audits/${queue}`;
const sentinelKey = (queue: QueueName): string => `${prefixOf(queue)}:sentinel`;
const INTERVAL_IS_OVER = "it is time";

/**
 * Begins an audit of a queue, a walk over all stores: at once where Redis has lost its data (the queue's
 * sentinel is gone, or the server has another run id), and otherwise every `intervalMs`
 * (docs/architecture.md#audits). It also continues every unfinished walk of the queue.
 */
export function startAuditor(dependencies: Dependencies): Auditor {
  const { queue, log } = dependencies;
  let stopped = false;
  let endPause = () => {};

  async function loop(): Promise<void> {
    while (!stopped) {
      await poll(dependencies, () => stopped).catch((error: Error) =>
        log.warn({ queue, error: error.message }, "the audit will be tried again"),
      );
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_INTERVAL_MS);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  const running = loop();
  return {
    async stop() {
      stopped = true;
      endPause();
      await running;
    },
  };
}

/** Begins an audit where one is needed, then continues the unfinished walks. */
async function poll(dependencies: Dependencies, isStopped: () => boolean): Promise<void> {
  const { queue, walker, redis, records, publisher } = dependencies;
  if (!publisher.isReady()) return;
  const present = (await records.read(walks, [auditKey(queue)])).get(auditKey(queue));
  const [sentinel, server] = await Promise.all([redis.get(sentinelKey(queue)), redis.info("server")]);
  const runId = /^run_id:(\w+)/m.exec(server)?.[1] ?? "";
  const reason = await reasonToBegin(dependencies, present, sentinel, runId);
  if (reason !== undefined) await beginAudit(dependencies, reason, runId);
  const isAudit = ({ _id }: Stored<Walk>) => _id.endsWith(auditKey(queue));
  const hasChangeToFollow = async () => (await walker.findUnfinished()).some((walk) => !isAudit(walk));
  // Users wait for the walk that follows a change of a pack or a design, so an audit goes on after it.
  const unfinished = (await walker.findUnfinished()).sort((a, b) => Number(isAudit(a)) - Number(isAudit(b)));
  for (const walk of unfinished) {
    await walker.walk(walk, async () => {
      const hasLostData = walk._id === auditKey(queue) && (await redis.get(sentinelKey(queue))) !== String(walk.epoch);
      return hasLostData || isStopped() || (isAudit(walk) && (await hasChangeToFollow()));
    });
  }
}

/** Why an audit must begin now; undefined where none must. */
async function reasonToBegin(
  { queue, now, publisher, intervalMs }: Dependencies,
  present: Walk | undefined,
  sentinel: string | null,
  runId: string,
): Promise<string | undefined> {
  if (present === undefined) return "the queue is new";
  if (present.runId !== runId) return "another run of Redis";
  if (sentinel !== String(present.epoch)) return "the queue's sentinel is gone";
  if (present.finishedAt === undefined || now().getTime() - present.startedAt.getTime() < intervalMs) return undefined;
  // A record whose key waits in the queue is not stale by a fault: its job will derive it.
  const counts = Object.values(
    await publisher.queue(queue).getJobCounts("active", "waiting", "prioritized", "delayed"),
  );
  return counts.some((count) => count > 0) ? undefined : INTERVAL_IS_OVER;
}

async function beginAudit(
  { queue, walker, redis, now, onDataLoss }: Dependencies,
  reason: string,
  runId: string,
): Promise<void> {
  const isBegun = (walk: Walk) =>
    walk.runId === runId && walk.reason === reason && now().getTime() - walk.startedAt.getTime() < 2 * POLL_INTERVAL_MS;
  const audit = await walker.begin(auditKey(queue), "t/", { reason, runId }, isBegun);
  if (audit === undefined) return;
  await redis.set(sentinelKey(queue), String(audit.epoch));
  if (reason !== INTERVAL_IS_OVER) onDataLoss();
}
