import type { GlassEntry } from "../../../schemas/glass.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Urgency } from "../../../schemas/urgency.ts";

/**
 * The times in seconds from the acceptance of a call until the pictures that it caused were acknowledged. Pictures that
 * their page showed already, and those without a causing call, are omitted.
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
