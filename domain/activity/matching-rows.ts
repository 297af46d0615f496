import type { ActivityContent, ActivityRow } from "../../schemas/activity.ts";

/** Returns the rows of an entry that are about an item or a label, or all rows if neither is given. */
export function matchingRows(
  { rows }: Pick<ActivityContent, "rows">,
  { item, label }: { item?: string | undefined; label?: string | undefined },
): ActivityRow[] {
  const all = JSON.parse(rows) as ActivityRow[];
  if (item === undefined && label === undefined) return all;
  return all.filter(
    ({ itemId, barcode, links = [] }) =>
      (item === undefined || itemId === item || links.includes(item)) && (label === undefined || barcode === label),
  );
}
