import type { Waiting } from "./waiting.ts";

/** A time in which no label became correct. */
export interface Lull {
  ms: number;
  /** From the beginning of the watch. */
  afterMs: number;
  /** The work that waited in it, if that was recorded. */
  waiting: Waiting | undefined;
}

/**
 * The times between labels that became right, from `since` on, of at least `leastMs`. `times` are when each label became
 * right, `notes` what waited at moments; all by one clock in milliseconds.
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
