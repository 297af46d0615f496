import { Temporal } from "temporal-polyfill";

const ISO = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})?(?:[.,]\d{1,9})?(Z|[+-]\d{2}:?\d{2})?(?:\[[\w/+-]+\])?$/i;

/**
 * Converts an ISO 8601 time to `YYYY-MM-DD hh:mm:ss` in a time zone; fractions of a second are truncated. Returns undefined
 * for other text, and "twice" for the second occurrence of a local time when clocks go back, which the format cannot
 * express.
 */
export function localTimeOf(text: string, timeZone: string): string | undefined {
  const [, date, minutes, seconds = ":00", offset] = ISO.exec(text) ?? [];
  if (date === undefined) return undefined;
  const written = `${date}T${minutes}${seconds}`;
  if (offset === undefined) return written.replace("T", " ");
  try {
    const instant = Temporal.Instant.from(`${written}${offset}`);
    const local = instant.toZonedDateTimeISO(timeZone).toPlainDateTime();
    const first = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
    return first.epochMilliseconds === instant.epochMilliseconds ? shown(local) : "twice";
  } catch {
    // The day or the hour does not exist; the field's check reports it.
    return undefined;
  }
}

const shown = (local: Temporal.PlainDateTime): string => local.toString({ smallestUnit: "second" }).replace("T", " ");
