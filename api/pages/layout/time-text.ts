import type { Language } from "../messages/texts.ts";

/**
 * Formats a time from the API, in ISO 8601 with the store's offset, as people in that store write it: no year, no
 * zone, and no date if it is today.
 */
export function timeText(iso: string, language: Language, now: Date): string {
  const wall = new Date(`${iso.slice(0, 23).replace(/[+-]\d\d:\d\d$|Z$/, "")}Z`);
  const offset = Date.parse(iso) - wall.getTime();
  const today = new Date(now.getTime() - offset).toISOString().slice(0, 10);
  const format = new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(wall.toISOString().slice(0, 10) !== today && { day: "numeric", month: "short" }),
  });
  return format.format(wall);
}

/** Formats a length of time in its largest fitting unit, such as `4 s` or `3 min`. */
export function durationText(seconds: number, language: Language): string {
  const [unit, length] = (
    [
      ["hour", 3_600],
      ["minute", 60],
    ] as const
  ).find(([, each]) => seconds >= each) ?? ["second", 1];
  const value = seconds / length;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/**
 * Formats an instant from the API, in UTC, as the clock of a time zone shows it; if no zone is known, in UTC with its
 * name.
 */
export function instantText(iso: string, language: Language, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone: timeZone ?? "UTC",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone === undefined && { timeZoneName: "short" }),
  });
  return format.format(new Date(iso));
}

/** Formats an instant from the API with the year, the seconds and the time zone, for documents that must be exact. */
export const exactText = (iso: string, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { timeZone, dateStyle: "medium", timeStyle: "long" }).format(new Date(iso));

/** Formats the start or end of a period as its author wrote it: a day, or a local time, with its offset if it has one. */
export function endText(written: string, language: Language): string {
  const [day = "", time, offset = ""] = written.split(/[T ]|(?=[+-]\d\d:\d\d$|Z$)/i);
  const format = new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    year: "numeric",
    month: "short",
    day: "numeric",
    ...(time !== undefined && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  });
  return [
    format.format(new Date(`${day}T${time?.slice(0, 5) ?? "00:00"}Z`)),
    offset && `(UTC${offset.replace(/Z/i, "")})`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Formats a local time from the API, `YYYY-MM-DD hh:mm:ss`, for people, with its weekday. */
export const localTimeText = (local: string, language: Language): string =>
  new Intl.DateTimeFormat(language, {
    ...{ timeZone: "UTC", weekday: "short", day: "numeric", month: "numeric", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  }).format(Date.parse(`${local.replace(" ", "T")}Z`));
