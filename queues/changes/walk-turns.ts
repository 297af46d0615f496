import type { Walk } from "../../records/kinds/work.ts";
import type { Stored } from "../../schemas/record.ts";
import type { QueueName } from "../topology.ts";
import { isAudit } from "./audit-key.ts";

/** Number of batches that a walk runs before the next walk gets its turn. */
const BATCHES_PER_TURN = 2;

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
