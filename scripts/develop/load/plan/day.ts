/**
 * How many prices change in each hour of a store's day, relative to the other hours: few at night, most before the doors open,
 * and many again before the evening's trade.
 */
const CHANGES_BY_HOUR = [1, 1, 1, 1, 2, 4, 8, 10, 7, 5, 5, 6, 6, 5, 5, 6, 7, 8, 6, 4, 3, 2, 1, 1];

const ALL_CHANGES = CHANGES_BY_HOUR.reduce((sum, changes) => sum + changes, 0);

/**
 * Returns the time of the day, from 0 to 1, by which the given share of the day's changes has happened. It turns evenly
 * spread changes into changes that follow the day.
 */
export function timeOfShare(share: number): number {
  let left = share * ALL_CHANGES;
  for (const [hour, changes] of CHANGES_BY_HOUR.entries()) {
    if (left < changes) return (hour + left / changes) / CHANGES_BY_HOUR.length;
    left -= changes;
  }
  return 1;
}
