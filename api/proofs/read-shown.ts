import { type ShownAt, shownAt } from "../../domain/labels/proof/shown-at.ts";
import type { GlassLog } from "../../records/glass-log.ts";
import { labelStates } from "../../records/kinds/labels.ts";
import type { Records } from "../../records/records.ts";

/** A page of a label, given by the label's key. */
export interface PageOfLabel {
  label: string;
  page: number;
}

/** Number of acknowledgements that are read before and after a time; a run of the same picture is followed this far. */
const ENTRIES_AROUND = 16;

/** Reads what pages of labels showed at a given time. Entries older than `keptSince` have been deleted. */
export type ReadShown = (
  pages: readonly PageOfLabel[],
  at: Date,
  keptSince: Date,
  entriesAround?: number,
) => Promise<(PageOfLabel & ShownAt)[]>;

export const createReadShown =
  (records: Pick<Records, "readFields">, glassLog: Pick<GlassLog, "readAround">): ReadShown =>
  async (pages, at, keptSince, entriesAround = ENTRIES_AROUND) => {
    const entries = await glassLog.readAround(pages, at, entriesAround);
    // Read after the entries, so that a state contains everything that its label's entries say.
    const states = await records.readFields(
      labelStates,
      [...new Set(pages.map(({ label }) => label))],
      ["shown", "sent", "later"],
    );
    return pages.map(({ label, page }) => {
      const ofPage = entries.filter((entry) => entry.label === label && entry.page === page);
      const state = states.get(label);
      return { label, page, ...shownAt({ page, entries: ofPage, state }, at, keptSince) };
    });
  };
