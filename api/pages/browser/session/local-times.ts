/**
 * Times on a page for which the server knows no zone are in UTC: shows them as the clock of the browser does. Without
 * scripts they stay in UTC, with its name.
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
