import type { Language } from "../messages/texts.ts";

/** A time of the interface, in ISO 8601 with the store's offset, as a person of that store writes it: no year, no zone. */
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

/** A length of time in its largest fitting unit, such as `4 s` or `3 min`. */
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

/** An instant of the interface in UTC as the clock of a zone shows it; in UTC where no zone is known, and then with its name. */
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
