import { LRUCache } from "lru-cache";
import { Temporal } from "temporal-polyfill";
import { notice } from "../../schemas/drawing-notice.ts";
import { ValueError } from "./value-error.ts";

const MAX_TEXTS = 5000;
const known = new LRUCache<string, string>({ max: MAX_TEXTS });

/** Letters of a pattern. Text between single quotes is copied. */
const TOKENS = /'([^']*)'|([A-Za-z])\2*/g;
const HAS_OFFSET = /(Z|[+-]\d{2}:?\d{2})(\[[^[\]]+\])?$/;
/** Maximum length of a date, with its time, offset, zone and calendar. */
const MAX_DATE = 128;
/** Maximum length of a pattern, because each letter may have its own format. */
const MAX_PATTERN = 128;

/**
 * Formats a day, or a moment in a store's zone, by its locale or by a pattern of yyyy yy MMMM MMM MM M dd d EEEE EEE HH H mm ss.
 * The text is an ISO 8601 date, such as `2026-05-31`, with or without a time. A time without an offset is in the store's zone.
 * Throws ValueError for any other text or pattern.
 */
export function dateText(text: string, locale: string, timeZone: string, pattern?: string): string {
  if (text.length > MAX_DATE) throw new ValueError(notice("DATE_TOO_LONG", { most: MAX_DATE, count: text.length }));
  if (pattern !== undefined && pattern.length > MAX_PATTERN)
    throw new ValueError(notice("PATTERN_TOO_LONG", { most: MAX_PATTERN, count: pattern.length }));
  const key = JSON.stringify([text, locale, timeZone, pattern]);
  const written = known.get(key) ?? write(localTime(text, timeZone), locale, pattern);
  known.set(key, written);
  return written;
}

/** A time with an offset is converted to the store's zone. */
function localTime(text: string, timeZone: string): Temporal.PlainDateTime {
  try {
    if (!HAS_OFFSET.test(text) || !text.includes(":")) return Temporal.PlainDateTime.from(text);
    return Temporal.Instant.from(text).toZonedDateTimeISO(timeZone).toPlainDateTime();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ValueError(notice("NOT_A_DATE", { text }));
  }
}

function write(time: Temporal.PlainDateTime, locale: string, pattern: string | undefined): string {
  if (pattern === undefined) return intl(time, locale, { year: "numeric", month: "numeric", day: "numeric" });
  return pattern.replace(TOKENS, (token, quoted: string | undefined) => quoted ?? written(token, time, locale));
}

function written(token: string, time: Temporal.PlainDateTime, locale: string): string {
  switch (token) {
    case "yyyy":
      return padded(time.year, 4);
    case "yy":
      return padded(time.year % 100, 2);
    case "MMMM":
      return intl(time, locale, { month: "long", day: "numeric" }, "month");
    case "MMM":
      return intl(time, locale, { month: "short", day: "numeric" }, "month");
    case "MM":
      return padded(time.month, 2);
    case "M":
      return String(time.month);
    case "dd":
      return padded(time.day, 2);
    case "d":
      return String(time.day);
    case "EEEE":
      return intl(time, locale, { weekday: "long" });
    case "EEE":
      return intl(time, locale, { weekday: "short" });
    case "HH":
      return padded(time.hour, 2);
    case "H":
      return String(time.hour);
    case "mm":
      return padded(time.minute, 2);
    case "ss":
      return padded(time.second, 2);
    default:
      throw new ValueError(notice("PATTERN_LETTER", { letter: token }));
  }
}

const MAX_FORMATS = 500;
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: MAX_FORMATS });

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}/${Object.entries(options).flat().join("/")}`;
  const known = formats.get(key);
  if (known) return known;
  const own = { calendar: "gregory", numberingSystem: "latn", timeZone: "UTC" };
  const format = new Intl.DateTimeFormat(locale, { ...options, ...own });
  formats.set(key, format);
  return format;
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, "0");

/** Formats by the locale, or returns one part of the result: in some languages a month's name depends on the day next to it. */
function intl(
  time: Temporal.PlainDateTime,
  locale: string,
  options: Intl.DateTimeFormatOptions,
  part?: Intl.DateTimeFormatPartTypes,
): string {
  const format = formatOf(locale, options);
  const moment = new Date(Date.UTC(time.year, time.month - 1, time.day));
  if (part === undefined) return format.format(moment);
  return format.formatToParts(moment).find(({ type }) => type === part)?.value ?? "";
}
