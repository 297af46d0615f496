import { countsFor, markAfter } from "../../../domain/labels/work/work-mark.ts";
import type { System } from "../../../queues/system.ts";
import { labels } from "../../../records/kinds/labels.ts";
import { workMarks } from "../../../records/kinds/work.ts";
import type { Records } from "../../../records/records.ts";
import type { Actor } from "../../../schemas/actor.ts";
import { idOf, labelKey, ownerOf, workMarkKey } from "../../../schemas/keys.ts";
import type { WorkCauseName, WorkMark, WorkOrder } from "../../../schemas/work-list.ts";

/** How many of the labels exist and were marked, and which are unknown. */
export interface Marked {
  marked: number;
  unknown: string[];
}

export type MarkWork = (store: string, order: WorkOrder, by: Actor) => Promise<Marked>;

/** Marks labels as assigned to somebody, or as done. */
export const createMarkWork =
  ({ records, commit, databaseNow }: Pick<System, "records" | "commit" | "databaseNow">): MarkWork =>
  async (store, order, by) => {
    const barcodes = [...new Set(order.barcodes)];
    const present = await records.readRevs(
      labels,
      barcodes.map((barcode) => labelKey(store, barcode)),
    );
    const unknown = barcodes.filter((barcode) => !present.has(labelKey(store, barcode)));
    const keys = [...present.keys()].map((key) => workMarkKey(store, idOf(key)));
    const now = databaseNow();
    await commit.change(workMarks, keys, (_, current) => markAfter(current, order, by, now), "interactive");
    return { marked: keys.length, unknown };
  };

/** Reads the marks that apply to these labels and their causes, by label key. */
export async function readMarks(
  records: Pick<Records, "read">,
  causes: ReadonlyMap<string, WorkCauseName>,
  now: Date,
): Promise<Map<string, WorkMark>> {
  const markKeyOf = (label: string) => workMarkKey(ownerOf(label), idOf(label));
  const found = await records.read(workMarks, [...causes.keys()].map(markKeyOf));
  return new Map(
    [...causes].flatMap(([label, cause]): [string, WorkMark][] => {
      const mark = found.get(markKeyOf(label));
      return countsFor(mark, cause, now) ? [[label, mark]] : [];
    }),
  );
}
