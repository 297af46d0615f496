import { type RowNotice, rowNotice } from "../../schemas/row-notice.ts";

/** Returns why a label's model has no place for a link at this position; undefined if it has one. Positions count from 0. */
export const positionFault = (
  model: { name: string; linkPositions: number },
  position: number,
): RowNotice | undefined =>
  position < model.linkPositions
    ? undefined
    : rowNotice("POSITION_UNKNOWN", { model: model.name, positions: model.linkPositions, position });

/** Returns why a link that becomes ACTIVE, or gets a different item, no longer has a place on its label. */
export const positionGone = (positions: number | undefined, position: number): RowNotice | undefined =>
  positions !== undefined && position >= positions ? rowNotice("POSITION_GONE", { positions, position }) : undefined;

/** Returns why a label cannot get this model: one of its links is at a position that the model lacks. */
export function modelTooSmall(
  { name, linkPositions: positions }: { name: string; linkPositions: number },
  occupied: readonly number[] = [],
): RowNotice | undefined {
  const beyond = occupied.find((position) => position >= positions);
  return beyond === undefined ? undefined : rowNotice("MODEL_TOO_SMALL", { model: name, positions, position: beyond });
}
