import type { Waiting } from "./waiting.ts";

/** A period in which no label became correct. */
export interface Lull {
  ms: number;
  /** Milliseconds from the start of the watch. */
  afterMs: number;
  /** The work that was waiting meanwhile, if it was recorded. */
  waiting: Waiting | undefined;
}

/**
 * Returns the lulls after `since`: intervals of at least `leastMs` in which no label became correct. `times` are the times at
 * which each label became correct, and `notes` are records of what was waiting. All times are milliseconds of one clock.
 */
export function lullsOf({
  times,
  since,
  notes,
  leastMs,
}: {
  times: readonly number[];
  since: number;
  notes: readonly { at: number; waiting: Waiting }[];
  leastMs: number;
}): Lull[] {
  const sorted = [since, ...times.filter((time) => time > since).toSorted((a, b) => a - b)];
  return sorted.flatMap((end, index) => {
    const begin = sorted[index - 1];
    if (begin === undefined || end - begin < leastMs) return [];
    const { waiting } = notes.findLast(({ at }) => at > begin && at < end) ?? {};
    return { ms: end - begin, afterMs: begin - since, waiting };
  });
}
