import { Temporal } from "temporal-polyfill";
import type { Notification } from "../../schemas/notification.ts";

const MONDAY = 1;
const HOUR = 7;
/** Seven o'clock on one Monday differs by less than this between two time zones; Mondays of different weeks differ by more. */
const SAME_WEEK_MS = 2 * 24 * 3_600_000;

/** Returns the last Monday at seven in the morning, in a time zone, that is not after the given time. */
export function lastMonday(now: Date, timeZone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const monday = local
    .subtract({ days: local.dayOfWeek - MONDAY })
    .with({ hour: HOUR, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  const last = Temporal.ZonedDateTime.compare(monday, local) <= 0 ? monday : monday.subtract({ days: 7 });
  return new Date(last.epochMilliseconds);
}

/**
 * Whether a Monday's summary was made, or the person did not yet want one. Also correct after the store has moved to a
 * different time zone.
 */
export const isSummed = (monday: Date, { batteriesAt, since }: Pick<Notification, "batteriesAt" | "since">): boolean =>
  batteriesAt === undefined ? monday <= since : monday.getTime() - batteriesAt.getTime() < SAME_WEEK_MS;
