/** Formats a time from the API, in ISO 8601 with the store's offset, as the wall clock in that store shows it. */
export function wallText(iso: string, language: string): string {
  const wall = new Date(`${iso.slice(0, 19)}Z`);
  return new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    year: "numeric",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(wall);
}
