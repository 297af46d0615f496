import type { ActivityLog } from "../../records/activity/activity-log.ts";
import type { Partition } from "../store-partitions.ts";
import type { TimeSlice } from "./time-slice.ts";

/** Deletes activity log entries that are older than `before`; returns their number. */
export async function forgetActivity(
  { activityLog }: { activityLog: Pick<ActivityLog, "scanEnds" | "forget"> },
  before: Date,
  partition: Partition,
  slice: TimeSlice,
): Promise<number> {
  let forgotten = 0;
  for await (const ends of activityLog.scanEnds(partition))
    for (const end of ends) {
      forgotten += await activityLog.forget(end, before, slice.goOn);
      if (!(await slice.goOn())) return forgotten;
    }
  return forgotten;
}
