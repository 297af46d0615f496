import type { Walk } from "../../records/kinds/work.ts";
import type { Stored } from "../../schemas/record.ts";
import type { QueueName } from "../topology.ts";
import { isAudit } from "./audit-key.ts";

/** Number of batches that a walk runs before it is the next walk's turn. */
const BATCHES_PER_TURN = 2;
/** The reason of an audit that starts on schedule, which walks in the background. */
export const INTERVAL_IS_OVER = "it is due";

/**
 * Returns the walks of a round, in order, each with its number of batches. Users wait for the walks that follow changes to
 * packs and designs, so these come first, and an audit gets one additional batch. Among walks of equal rank, the walk that has
 * waited longest comes first. Background walks share one batch, if the budget allows it.
 */
export function turnsOf(
  walks: readonly Stored<Walk>[],
  queue: QueueName,
  hasBudget: boolean,
): { walk: Stored<Walk>; batches: number }[] {
  const isOfAudit = (walk: Stored<Walk>) => isAudit(walk, queue);
  const byAge = walks.toSorted((a, b) => a.changedAt.getTime() - b.changedAt.getTime());
  const following = byAge.filter((walk) => !isOfAudit(walk));
  const audits = byAge.filter((walk) => isOfAudit(walk) && !walk.background);
  const isOfStore = ({ _id }: Stored<Walk>) => _id.includes("/s/");
  // Walks of single stores are started manually, or because a store is suspect.
  const storesFirst = (of: readonly Stored<Walk>[]) => [...of.filter(isOfStore), ...of.filter((w) => !isOfStore(w))];
  const background = hasBudget ? storesFirst(byAge.filter((walk) => isOfAudit(walk) && walk.background)) : [];
  const besides = following.length > 0 ? storesFirst(audits).slice(0, 1) : storesFirst(audits);
  return [
    ...following.map((walk) => ({ walk, batches: BATCHES_PER_TURN })),
    ...besides.map((walk) => ({ walk, batches: following.length > 0 ? 1 : BATCHES_PER_TURN })),
    ...background.slice(0, 1).map((walk) => ({ walk, batches: 1 })),
  ];
}

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
  /** Interval from the start of one audit to the start of the next. */
  intervalMs: number;
}

/** Why an audit must start now, in addition to the last one; undefined if none must (docs/architecture/queues.md#audits). */
export function reasonToBegin(last: Walk | undefined, { partitions, now, intervalMs }: Present): string | undefined {
  if (last === undefined) return "the queue is new";
  // The process that began the last audit may have a different number of partitions: new ones have no sentinel yet.
  const runs = (last.runId ?? "").split(" ");
  if (partitions.some(({ runId }, index) => runId !== (runs[index] ?? runId))) return "Redis has a new run id";
  if (partitions.some(({ sentinel }) => sentinel !== String(last.epoch))) return "the queue's sentinel is gone";
  const isOver = last.finishedAt !== undefined && now.getTime() - last.startedAt.getTime() >= intervalMs;
  return isOver ? INTERVAL_IS_OVER : undefined;
}

/** Returns the partitions' run ids as an audit stores them. */
export const runsText = (partitions: readonly PresentPartition[]): string =>
  partitions.map(({ runId }) => runId).join(" ");
