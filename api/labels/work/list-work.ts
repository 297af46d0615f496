import { rankOf, troubles } from "../../../domain/labels/work/work-cause.ts";
import { type WorkCount, type WorkEntry, type WorkList, workCauseNames } from "../../../schemas/work-list.ts";
import type { Place } from "../../query/cursor.ts";
import { collectFirst, orderBy } from "../sort-labels.ts";
import type { WorkPart } from "./read-work.ts";

/** Which labels a page of the list contains. */
interface Listing {
  isListed(entry: WorkEntry): boolean;
  /** The last label of the previous page. */
  after: Place | undefined;
  limit: number;
}

/** A page of the list: its entries, the counts for the whole list, and the position of its last entry if more entries follow. */
type ListedWork = Omit<WorkList, "next"> & { next: Place | undefined };

const order = orderBy(false);

/** Counts all labels that need attention, and collects those on a page: memory is bounded by the page. */
export async function listWork(
  parts: AsyncIterable<WorkPart>,
  { isListed, after, limit }: Listing,
): Promise<ListedWork> {
  const counts = new Map(
    workCauseNames.map((cause): [string, WorkCount] => [cause, { cause, labels: 0, assigned: 0, done: 0 }]),
  );
  const from = after && { barcode: after.id, value: after.value ?? null };
  const first = collectFirst<WorkEntry & { value: string }>(limit + 1, order);
  let [labels, isCut] = [0, false];
  for await (const part of parts) {
    labels += part.labels;
    isCut ||= part.isCut;
    for (const { cause, assignment } of part.rows) {
      const count = counts.get(cause);
      if (count === undefined) continue;
      count.labels += 1;
      if (assignment?.state === "ASSIGNED") count.assigned += 1;
      if (assignment?.state === "DONE") count.done += 1;
    }
    const listed = part.rows.filter(isListed).map((entry) => ({ ...entry, value: placeText(entry) }));
    first.add(from ? listed.filter((entry) => order(entry, from) > 0) : listed);
  }
  const causes = [...counts.values()];
  const sum = (some: readonly WorkCount[]) => some.reduce((total, count) => total + count.labels, 0);
  const found = first.end();
  const entries = found.slice(0, limit);
  const last = found.length > limit ? entries.at(-1) : undefined;
  return {
    ...{ labels, work: sum(causes), troubled: sum(causes.filter(({ cause }) => troubles.has(cause))), isCut, causes },
    entries: entries.map(({ value: _, ...entry }) => entry),
    next: last && { id: last.barcode, value: last.value },
  };
}

/** Sorts entries by cause, then by location; labels without a location come last. */
const placeText = ({ cause, plLocation }: Pick<WorkEntry, "cause" | "plLocation">): string =>
  `${rankOf(cause)} ${plLocation === null ? "1" : `0${plLocation}`}`;
