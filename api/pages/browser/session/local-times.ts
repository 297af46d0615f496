/**
 * If the server knows no time zone for a page, its times are in UTC; this script shows them by the browser's clock.
 * Without scripts they stay in UTC, and say so.
 */
const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-utc]"))
  time.textContent = format.format(new Date(time.dateTime));
