import type { Label, Position } from "../../schemas/label.ts";
import { noted } from "../../schemas/label-history.ts";
import type { LabelState } from "../../schemas/label-state.ts";

/** A row of a request for manual positions; without a position, it removes the current one. */
export interface PositionRow {
  barcode: string;
  position?: Position;
}

/**
 * Returns a label after a row for its manual position. The larger stamp wins. A removal keeps its stamp, so that an older
 * request that is applied later does not set a position.
 */
export function mergePosition(label: Label, { position }: PositionRow, stamp: number): Label {
  if (stamp < (label.stamps.manualPosition ?? 0)) return label;
  const { manualPosition: _, ...rest } = label;
  return {
    ...rest,
    ...(position && { manualPosition: { x: position.x, y: position.y, floor: position.floor } }),
    stamps: { ...label.stamps, manualPosition: stamp },
  };
}

/**
 * Returns a label's state after the same row: a new position requests a measurement of the signal, and a removal cancels a
 * waiting measurement. Idempotent: a row whose stamp is not larger than the last one changes nothing.
 */
export function askForFingerprint(state: LabelState, { position }: PositionRow, stamp: number, now: Date): LabelState {
  const { fingerprint } = state;
  if (fingerprint !== undefined && stamp <= fingerprint.stamp) return state;
  const asked = { ...state, fingerprint: { stamp, ...(position && { due: now }) } };
  const entry = { at: now.getTime(), event: "fingerprint" } as const;
  if (position) return noted(asked, { ...entry, result: "asked" });
  return fingerprint?.due === undefined ? asked : noted(asked, { ...entry, result: "removed" });
}
