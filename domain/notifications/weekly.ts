import { Temporal } from "temporal-polyfill";

const MONDAY = 1;
const HOUR = 7;

/** The last Monday, at seven in the morning of a time zone, that is not after a time. */
export function lastMonday(now: Date, timeZone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const monday = local
    .subtract({ days: local.dayOfWeek - MONDAY })
    .with({ hour: HOUR, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  const last = Temporal.ZonedDateTime.compare(monday, local) <= 0 ? monday : monday.subtract({ days: 7 });
  return new Date(last.epochMilliseconds);
}
