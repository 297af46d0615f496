import type { Walk } from "../../records/kinds/work.ts";
import type { Stored } from "../../schemas/record.ts";
import type { QueueName } from "../topology.ts";
import { isAudit } from "./audit-key.ts";

/** Number of batches of one walk before it is the next walk's turn. */
const BATCHES_PER_TURN = 2;
/** The reason of an audit that begins by time: it walks in the background. */
export const INTERVAL_IS_OVER = "it is due";

/**
 * The walks of a round, in order, each with its number of batches. Users wait for the walks that follow changes of
 * packs and designs, so these come first, and an audit gets one additional batch. Among walks of one rank, the one that
 * has waited longest is first; background walks share one batch, if the budget allows it.
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

/** The sentinel of a partition in Redis, and the run id of the server that has it, in their current state. */
export interface PresentPartition {
  sentinel: string | null;
  runId: string;
}

/** The facts that decide about an audit. */
interface Present {
  /** The partitions of its queue, in their order. */
  partitions: readonly PresentPartition[];
  now: Date;
  /** Interval from the start of an audit to the start of the next. */
  intervalMs: number;
}

/** Why an audit must start now, in addition to the last one; undefined if none must (docs/architecture/queues.md#audits). */
export function reasonToBegin(last: Walk | undefined, { partitions, now, intervalMs }: Present): string | undefined {
  if (last === undefined) return "the queue is new";
  // Another process may have begun it that knows more partitions, or fewer: those have no sentinel yet.
  const runs = (last.runId ?? "").split(" ");
  if (partitions.some(({ runId }, index) => runId !== (runs[index] ?? runId))) return "another run of Redis";
  if (partitions.some(({ sentinel }) => sentinel !== String(last.epoch))) return "the queue's sentinel is gone";
  const isOver = last.finishedAt !== undefined && now.getTime() - last.startedAt.getTime() >= intervalMs;
  return isOver ? INTERVAL_IS_OVER : undefined;
}

/** The run ids of partitions as an audit records them. */
export const runsText = (partitions: readonly PresentPartition[]): string =>
  partitions.map(({ runId }) => runId).join(" ");
