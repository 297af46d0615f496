import { Temporal } from "temporal-polyfill";

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Returns the instant of RFC 3339 text, to the millisecond. Undefined for any other text, such as a time without a zone. */
export function instantOf(text: string): Date | undefined {
  const [, year, month, day] = RFC3339.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // Days that do not exist, such as 30 February, would roll over to the next month.
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const instant = new Date(text.toUpperCase());
  return exists && isWithinYears(instant) ? instant : undefined;
}

/** CEL timestamps are in the years 1 to 9999. */
const isWithinYears = (date: Date): boolean =>
  date.getTime() >= -62_135_596_800_000 && date.getTime() <= 253_402_300_799_999;

const fields: Readonly<Record<string, (utc: Date) => number>> = {
  getFullYear: (utc) => utc.getUTCFullYear(),
  getMonth: (utc) => utc.getUTCMonth(),
  getDate: (utc) => utc.getUTCDate(),
  getDayOfMonth: (utc) => utc.getUTCDate() - 1,
  getDayOfWeek: (utc) => utc.getUTCDay(),
  getDayOfYear: (utc) =>
    (Date.UTC(2000, utc.getUTCMonth(), utc.getUTCDate()) - Date.UTC(2000, 0, 1)) / 86_400_000 - leapDay(utc),
  getHours: (utc) => utc.getUTCHours(),
  getMinutes: (utc) => utc.getUTCMinutes(),
  getSeconds: (utc) => utc.getUTCSeconds(),
  getMilliseconds: (utc) => utc.getUTCMilliseconds(),
};

/** Returns 1 after February in a year without a 29 February, because the day of the year is computed in 2000, a leap year. */
const leapDay = (utc: Date): number => {
  const year = utc.getUTCFullYear();
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return !isLeap && utc.getUTCMonth() > 1 ? 1 : 0;
};

/** Names of the functions that read a field of a timestamp. */
export const timestampFields = Object.keys(fields);

/**
 * Returns a field of a timestamp in UTC, or in a zone such as `Europe/Zagreb`, `+02:00` or `02:00`. Replaces the library's
 * function, which depends on the machine's time zone. Throws for an unknown zone.
 */
export function timestampField(name: string, instant: Date, zone?: string): bigint {
  const shift = zone === undefined ? 0 : offsetOf(instant, /^\d/.test(zone) ? `+${zone}` : zone);
  return BigInt((fields[name] as (utc: Date) => number)(new Date(instant.getTime() + shift)));
}

/** Maximum length of a time zone. The longest name is shorter. */
const MAX_ZONE = 64;

function offsetOf(instant: Date, zone: string): number {
  if (zone.length > MAX_ZONE)
    throw new Error(`a time zone can have at most ${MAX_ZONE} characters, not ${zone.length}`);
  try {
    return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
  } catch {
    throw new Error(`"${zone}" is not a time zone`);
  }
}
