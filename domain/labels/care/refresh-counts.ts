import {
  type Care,
  type CountedDay,
  DAY_MS,
  dayOf,
  REFRESH_DAYS,
  type RefreshCounts,
  type RefreshDay,
} from "../../../schemas/care.ts";

/**
 * Returns the days of a label that still count: the last 31. A report may be older, and a label may have been silent for a long
 * time.
 */
export const recentDays = (care: Care | undefined, now: Date): RefreshDay[] =>
  (care?.days ?? []).filter(({ day }) => day > dayOf(now) - REFRESH_DAYS);

/** Returns the mean per day since the first refresh, over at most 31 days; less than a day counts as one day. */
export function refreshesPerDay(care: Care | undefined, now: Date): number {
  if (care === undefined) return 0;
  const { link, price, design, repeat } = sumOf(recentDays(care, now));
  const days = Math.min(REFRESH_DAYS, Math.max(1, (now.getTime() - care.since) / DAY_MS));
  return (link + price + design + repeat) / days;
}

/** Returns the sums of the days' counts by kind of change. */
export const sumOf = (days: readonly Omit<RefreshDay, "day">[]): RefreshCounts => ({
  link: sumOfKind(days, "link"),
  price: sumOfKind(days, "price"),
  design: sumOfKind(days, "design"),
  repeat: sumOfKind(days, "repeat"),
  full: sumOfKind(days, "full"),
});

const sumOfKind = (days: readonly Omit<RefreshDay, "day">[], kind: keyof RefreshCounts): number =>
  days.reduce((sum, day) => sum + (day[kind] ?? 0), 0);

/** Adds up the days of many labels, without keeping the labels. */
export function addUpDays() {
  const sums = new Map<number, RefreshCounts>();
  return {
    add(days: readonly RefreshDay[]): void {
      for (const counted of days) sums.set(counted.day, sumOf([sums.get(counted.day) ?? {}, counted]));
    },
    /** The days with their totals, newest first. */
    days: (): CountedDay[] => datedDays([...sums].map(([day, counts]) => ({ day, ...counts }))),
  };
}

/** Returns days as they are shown, newest first. */
export const datedDays = (days: readonly RefreshDay[]): CountedDay[] =>
  days
    .toSorted((a, b) => b.day - a.day)
    .map(({ day, ...counts }) => ({ date: new Date(day * DAY_MS).toISOString().slice(0, 10), ...sumOf([counts]) }));
