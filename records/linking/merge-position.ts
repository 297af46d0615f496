import { noted } from "../../schemas/history.ts";
import type { Label, Position } from "../../schemas/label.ts";
import type { LabelState } from "../../schemas/label-state.ts";

/** A row of a request on manual positions: none takes the present one away. */
export interface PositionRow {
  barcode: string;
  position?: Position;
}

/**
 * A label as a word on its manual position leaves it. The later stamp wins, and a position that was taken away keeps the
 * stamp of that: an older request that is applied later does not bring it back.
 */
export function mergePosition(label: Label, { position }: PositionRow, stamp: number): Label {
  if (stamp < (label.stamps.manualPosition ?? 0)) return label;
  const { manualPosition: _, ...others } = label;
  return {
    ...others,
    ...(position && { manualPosition: { x: position.x, y: position.y, floor: position.floor } }),
    stamps: { ...label.stamps, manualPosition: stamp },
  };
}

/**
 * A label's state after the same word: a new position is to be measured, and one that was taken away no more, if it was
 * not yet. A word that comes again, or after a later one, asks for nothing new.
 */
export function askForFingerprint(state: LabelState, { position }: PositionRow, stamp: number, now: Date): LabelState {
  const { fingerprint } = state;
  if (fingerprint !== undefined && stamp <= fingerprint.stamp) return state;
  const asked = { ...state, fingerprint: { stamp, ...(position && { due: now }) } };
  const entry = { at: now.getTime(), event: "fingerprint" } as const;
  if (position) return noted(asked, { ...entry, result: "asked" });
  return fingerprint?.due === undefined ? asked : noted(asked, { ...entry, result: "removed" });
}
