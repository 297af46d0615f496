import { instantOfStoreTime } from "../../domain/times/store-time.ts";
import type { JournaledRow } from "../../queues/requests/stamped-rows.ts";
import type { ItemPatch } from "../../schemas/item.ts";

export type Dated = Pick<ItemPatch, "itemId" | "validFrom">;

/**
 * Returns the due times of the rows that take effect later. A due time is compared with the time at which the row was accepted,
 * not applied: a chunk that is applied again after the due time must have the same result.
 */
export function dueTimes<Row extends Dated>(
  rows: readonly JournaledRow<Row>[],
  timeZone: string,
): Map<JournaledRow<Row>, Date> {
  return new Map(
    rows.flatMap((row): [JournaledRow<Row>, Date][] => {
      const at = row.row.validFrom ? new Date(instantOfStoreTime(row.row.validFrom, timeZone)) : undefined;
      return at !== undefined && at > row.acceptedAt ? [[row, at]] : [];
    }),
  );
}
