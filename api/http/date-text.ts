import { Temporal } from "temporal-polyfill";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Formats dates in a store's time zone: ISO 8601 with milliseconds and offset, or `YYYY-MM-DD hh:mm:ss`. A long list has
 * hundreds of thousands of dates, so the zone's offset is computed once per UTC day; on a day on which the offset changes
 * it is computed for each date.
 */
export function createDateText(timeZone: string, isIso: boolean): (date: Date) => string {
  const offsets = new Map<number, number | undefined>();

  function offsetAt(time: number): number {
    const day = Math.floor(time / DAY_MS);
    if (!offsets.has(day)) {
      const first = readOffset(timeZone, day * DAY_MS);
      offsets.set(day, first === readOffset(timeZone, (day + 1) * DAY_MS) ? first : undefined);
    }
    return offsets.get(day) ?? readOffset(timeZone, time);
  }

  return (date) => {
    const offset = offsetAt(date.getTime());
    const local = new Date(date.getTime() + offset).toISOString();
    return isIso ? `${local.slice(0, -1)}${offsetText(offset)}` : local.slice(0, -5).replace("T", " ");
  };
}

const readOffset = (timeZone: string, time: number): number =>
  Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
