/** Returns the value of a time field in the interface's format; undefined if it is empty. */
export const wallTimeOf = (field: string): string | undefined =>
  field === "" ? undefined : `${field.slice(0, 16).replace("T", " ")}:00`;

/** Whether a time on a store's clock has passed, as far as its time zone is known. */
export function isOver(wallTime: string, now: Date, timeZone: string | undefined): boolean {
  if (timeZone === undefined) return false;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return wallTime <= format.format(now);
}
