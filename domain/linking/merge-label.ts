import { type ClearableField, type Label, type LabelPatch, labelTexts } from "../../schemas/label.ts";

/**
 * Returns a label after a row. For each field, the larger stamp wins; a field that is absent or empty in the row stays
 * unchanged. `made` has the fields of a new label.
 *
 * `isLatest`: all smaller numbers are applied, so an unchanged value needs no new stamp.
 */
export function mergeLabel(
  current: Label | undefined,
  patch: LabelPatch,
  stamp: number,
  isLatest: boolean,
  made: Pick<Label, "type" | "modelName">,
): Label {
  const label = current ?? { barcode: patch.barcode, ...made, stamps: {} };
  const stamps = { ...label.stamps };
  const wins = (field: string, same: boolean): boolean => {
    if (stamp < (stamps[field] ?? 0) || (same && isLatest)) return false;
    stamps[field] = stamp;
    return true;
  };
  const texts = labelTexts.flatMap((field) => {
    const value = patch[field];
    return value && wins(field, value === label[field]) ? [[field, value]] : [];
  });
  const clears = patch.clears !== undefined && wins(patch.clears, label[patch.clears] === undefined);
  const manual = patch.positions?.manual;
  const { x, y, floor } = label.manualPosition ?? {};
  const moves = manual && wins("manualPosition", manual.x === x && manual.y === y && manual.floor === floor);
  return {
    ...(clears ? without(label, patch.clears) : label),
    ...Object.fromEntries(texts),
    ...(moves && { manualPosition: { x: manual.x, y: manual.y, floor: manual.floor } }),
    stamps,
  };
}

const without = (label: Label, field: ClearableField | undefined): Label =>
  Object.fromEntries(Object.entries(label).filter(([name]) => name !== field)) as Label;

/** Returns a label after it was linked at this time. */
export const linkedLabel = (label: Label, linkedAt: Date): Label => ({
  ...label,
  firstLinked: label.firstLinked ?? linkedAt,
  lastLinked: linkedAt,
});
