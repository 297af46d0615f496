import { resendAll } from "../../domain/labels/resend-pages.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import type { Records } from "../../records/records.ts";
import type { Commit } from "../changes/commit.ts";

/**
 * Requests that every page of every label be sent again, at `perSecond` labels per second from now on. Returns the number of
 * labels and reports `progress`. It only marks the states: transmitters send them when they are due.
 */
export async function resendLabels(
  { records, commit, now }: { records: Pick<Records, "scan">; commit: Commit; now(): Date },
  perSecond: number,
  progress: (count: number) => void = () => {},
): Promise<number> {
  const begun = now().getTime();
  let count = 0;
  for await (const batch of records.scan(labelStates, "t/")) {
    const due = new Map(batch.map(({ _id }, index) => [_id, new Date(begun + ((count + index) / perSecond) * 1000)]));
    await commit.change(
      labelStates,
      [...due.keys()],
      (key, current) => current && resendAll(current, due.get(key) ?? now()),
      "bulk",
    );
    count += batch.length;
    progress(count);
  }
  return count;
}
