import { Temporal } from "temporal-polyfill";
import { type Period, weekdays } from "../../schemas/price-guards.ts";

/** Returns the local time of a store at an instant. */
export const localTime = (at: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

/**
 * Returns when the current period ends, by the store's clock: on a day on which clocks change, the period is an hour longer or
 * shorter. Undefined outside the period.
 */
export function endOf(period: Period, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const today = now.toPlainDate();
  const found = [today.subtract({ days: 1 }), today].find((day) => {
    if (!beginsOn(period, day)) return false;
    const { from, to } = boundsOn(period, day);
    const local = now.toPlainDateTime();
    return !isBefore(local, from) && isBefore(local, to);
  });
  if (found === undefined) return undefined;
  const end = boundsOn(period, found).to.toZonedDateTime(now.timeZoneId);
  // When clocks are set back, the end may occur twice, and its first occurrence may have passed.
  const next = now.add({ milliseconds: 1 });
  return Temporal.ZonedDateTime.compare(end, next) < 0 ? next : end;
}

/** Returns when the next of these periods begins. Undefined if none begins within a year. */
export function nextBegin(periods: readonly Period[], now: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const begins = periods.flatMap((period) => nextOf(period, now) ?? []);
  return begins.sort(Temporal.ZonedDateTime.compare)[0];
}

/** Formats a time as in a scheduled change: `YYYY-MM-DD hh:mm`, by the store's clock. */
export const timeText = (at: Temporal.ZonedDateTime): string =>
  at.toPlainDateTime().toString({ smallestUnit: "minute" }).replace("T", " ");

const DAYS_AHEAD = 366;

function nextOf(period: Period, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime | undefined {
  const today = now.toPlainDate();
  const first = period.firstDate === undefined ? today : Temporal.PlainDate.from(period.firstDate);
  const from = Temporal.PlainDate.compare(first, today) > 0 ? first : today;
  const last = today.add({ days: DAYS_AHEAD });
  for (let day = from; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    if (!beginsOn(period, day)) continue;
    const begin = boundsOn(period, day).from.toZonedDateTime(now.timeZoneId);
    if (Temporal.ZonedDateTime.compare(begin, now) > 0) return begin;
  }
  return undefined;
}

function beginsOn({ days, firstDate, lastDate }: Period, day: Temporal.PlainDate): boolean {
  const text = day.toString();
  const isOfWeek = days === undefined || days.some((name) => weekdays.indexOf(name) + 1 === day.dayOfWeek);
  return isOfWeek && (firstDate === undefined || text >= firstDate) && (lastDate === undefined || text <= lastDate);
}

function boundsOn(period: Period, day: Temporal.PlainDate) {
  const from = day.toPlainDateTime(Temporal.PlainTime.from(period.from));
  const to = day.toPlainDateTime(Temporal.PlainTime.from(period.to));
  return { from, to: isBefore(from, to) ? to : to.add({ days: 1 }) };
}

const isBefore = (one: Temporal.PlainDateTime, other: Temporal.PlainDateTime): boolean =>
  Temporal.PlainDateTime.compare(one, other) < 0;
