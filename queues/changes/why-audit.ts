import type { Walk } from "../../records/kinds/work.ts";

/** The reason for an audit that starts on schedule and walks in the background. */
export const INTERVAL_IS_OVER = "it is due";

/** The current sentinel of a partition in Redis, and the current run id of its server. */
export interface PresentPartition {
  sentinel: string | null;
  runId: string;
}

/** The facts that decide whether an audit is needed. */
interface Present {
  /** The queue's partitions, in order. */
  partitions: readonly PresentPartition[];
  now: Date;
  /** Interval from the start of one audit to the start of the next (`AUDIT_EVERY`). */
  intervalMs: number;
}

/** Returns why another audit must start now; undefined if none must (docs/architecture/queues.md#audits). */
export function reasonToBegin(last: Walk | undefined, { partitions, now, intervalMs }: Present): string | undefined {
  if (last === undefined) return "the queue is new";
  // The process that began the last audit may have a different number of partitions: new partitions have no sentinel yet.
  const runs = (last.runId ?? "").split(" ");
  if (partitions.some(({ runId }, index) => runId !== (runs[index] ?? runId))) return "Redis has a new run id";
  if (partitions.some(({ sentinel }) => sentinel !== String(last.epoch))) return "the queue's sentinel is gone";
  const isOver = last.finishedAt !== undefined && now.getTime() - last.startedAt.getTime() >= intervalMs;
  return isOver ? INTERVAL_IS_OVER : undefined;
}

/** Returns the partitions' run ids as an audit stores them. */
export const runsText = (partitions: readonly PresentPartition[]): string =>
  partitions.map(({ runId }) => runId).join(" ");
