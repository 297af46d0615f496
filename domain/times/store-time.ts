import { Temporal } from "temporal-polyfill";

/**
 * Returns a store's local time in epoch milliseconds. For a time that does not exist (clocks go forward), returns the end of the
 * gap. For a time that exists twice (clocks go back), returns the first of the two (docs/integrators/items.md#scheduled-updates).
 */
export function instantOfStoreTime(text: string, timeZone: string): number {
  const local = Temporal.PlainDateTime.from(text.replace(" ", "T"));
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  const exists = earlier.toPlainDateTime().equals(local);
  return (exists ? earlier : (earlier.getTimeZoneTransition("next") ?? earlier)).epochMilliseconds;
}
