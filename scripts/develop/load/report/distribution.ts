/** The distribution of durations, in milliseconds. */
export interface Distribution {
  count: number;
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  max: number;
}

/**
 * Returns the smallest of the sorted values such that at least this share of them is no larger (nearest rank). 0 if there are
 * none.
 */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;

/** Returns the percentiles of durations, to a tenth of a millisecond. Undefined if there are none. */
export function distributionOf(durations: readonly number[]): Distribution | undefined {
  if (durations.length === 0) return undefined;
  const sorted = durations.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(percentile(sorted, share) * 10) / 10;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) };
}

export interface Bucket {
  /** Lower bound of the durations, in milliseconds, inclusive. */
  from: number;
  /** Upper bound of the durations, exclusive. */
  to: number;
  count: number;
}

/** Each bucket ends at this multiple of its beginning, so ten buckets are one order of magnitude. */
const BUCKET_RATIO = 10 ** 0.1;

/**
 * Counts durations in buckets of equal ratio, without a gap from the shortest to the longest. Durations below 1 ms are in the
 * first bucket.
 */
export function histogramOf(durations: readonly number[]): Bucket[] {
  const counts = new Map<number, number>();
  for (const duration of durations) {
    const index = Math.max(0, Math.floor(Math.log(Math.max(duration, 1)) / Math.log(BUCKET_RATIO)));
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const indexes = [...counts.keys()].sort((one, other) => one - other);
  const [first = 0] = indexes;
  const last = indexes.at(-1) ?? -1;
  return Array.from({ length: last - first + 1 }, (_, offset) => {
    const index = first + offset;
    const from = index === 0 ? 0 : BUCKET_RATIO ** index;
    return { from, to: BUCKET_RATIO ** (index + 1), count: counts.get(index) ?? 0 };
  });
}

/** A duration in milliseconds, and the call's planned time, in milliseconds after the start. */
export interface Timed {
  at: number;
  ms: number;
}

export interface Interval {
  /** The middle of the interval, in milliseconds after the start. */
  at: number;
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/**
 * Returns the percentiles of the durations in each of this many equal intervals of a run. Intervals without calls are left
 * out.
 */
export function overTime(timed: readonly Timed[], runMs: number, intervals: number): Interval[] {
  const length = runMs / intervals;
  const indexOf = ({ at }: Timed) => Math.min(intervals - 1, Math.floor(at / length));
  return [...Map.groupBy(timed, indexOf)]
    .sort(([one], [other]) => one - other)
    .map(([index, group]) => {
      const sorted = group.map(({ ms }) => ms).sort((one, other) => one - other);
      const at = (share: number) => percentile(sorted, share);
      return { at: (index + 0.5) * length, count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
    });
}
