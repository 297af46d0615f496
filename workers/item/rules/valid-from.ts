import { Temporal } from "temporal-polyfill";

/**
 * When a local time of a store is, in epoch milliseconds. One that does not exist (clocks go forward) is the end of
 * the gap; one that exists twice (clocks go back) is its first (decisions, Items).
 */
export function instantOf(validFrom: string, timeZone: string): number {
  const local = Temporal.PlainDateTime.from(validFrom.replace(" ", "T"));
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  const exists = earlier.toPlainDateTime().equals(local);
  return (exists ? earlier : (earlier.getTimeZoneTransition("next") ?? earlier)).epochMilliseconds;
}
