import type { GlassEntry } from "../../../schemas/glass.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Urgency } from "../../../schemas/urgency.ts";

/**
 * Returns the times, in seconds, from the acceptance of a call to the acknowledgement of its pictures. Pictures that the page
 * already showed, and pictures not caused by a call, are left out.
 */
export const timesFromCall = (
  landed: readonly Pick<GlassEntry, "transmission" | "tookMs">[],
  state: Pick<LabelState, "sent"> | undefined,
  now: Date,
): { urgency: Urgency; seconds: number }[] =>
  landed.flatMap(({ transmission, tookMs }) => {
    const { acceptedAt, urgency } = state?.sent.find(({ number }) => number === transmission)?.cause ?? {};
    if (tookMs === undefined || acceptedAt === undefined || urgency === undefined) return [];
    return [{ urgency, seconds: Math.max(0, now.getTime() - acceptedAt) / 1000 }];
  });
