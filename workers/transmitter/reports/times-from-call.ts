import type { GlassEntry } from "../../../records/glass-log.ts";
import type { LabelState } from "../../../schemas/label-state.ts";
import type { Urgency } from "../../../schemas/urgency.ts";

/**
 * How long the pictures that landed took from the acceptance of the call that they go back to, in seconds. A picture that
 * its page showed already, and one that no call led to, are left out.
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
