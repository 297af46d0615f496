import type { GlassEntry } from "../../../records/glass-log.ts";
import { isUploaded } from "../../../schemas/image.ts";
import { labelKey } from "../../../schemas/keys.ts";
import type { LabelReport } from "../../../schemas/label-report.ts";
import type { LabelState } from "../../../schemas/label-state.ts";

/** The entries of the pictures that landed on a label, by its state before it took these reports, in their order. */
export function glassEntries(
  state: Pick<LabelState, "sent" | "shown"> | undefined,
  reports: readonly LabelReport[],
  now: Date,
): GlassEntry[] {
  const shown = new Map(state?.shown.map(({ page, image }) => [page, image]));
  return reports.flatMap(({ kind, store, barcode, transmission, at }) => {
    const landed = state?.sent.find(({ number }) => number === transmission);
    if (kind !== "acknowledged" || landed === undefined) return [];
    const { page, image, content, fault, number } = landed;
    const isNew = shown.get(page) !== image;
    shown.set(page, image);
    return {
      label: labelKey(store, barcode),
      store,
      page,
      image,
      transmission: number,
      at: new Date(at),
      items: content?.items ?? [],
      ...(isUploaded(landed) && { uploaded: true as const }),
      ...(fault !== undefined && { fault }),
      // By this server's clock, as the change is: the label server's may be another.
      ...(isNew && content && { tookMs: Math.max(0, now.getTime() - content.changedAt) }),
    };
  });
}
