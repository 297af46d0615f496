import { Temporal } from "temporal-polyfill";
import type { Store } from "../../../schemas/store.ts";

/**
 * Returns when the current quiet hours of a store end; undefined outside quiet hours. Quiet hours may span midnight, and follow
 * the store's clock: on a night when clocks change, they are an hour longer or shorter.
 */
export function quietUntil(
  { quietHours, timeZone }: Pick<Store, "quietHours" | "timeZone">,
  now: Date,
): Date | undefined {
  if (quietHours === undefined) return undefined;
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const time = local.toPlainTime();
  const [from, to] = [Temporal.PlainTime.from(quietHours.from), Temporal.PlainTime.from(quietHours.to)];
  const isBefore = (one: Temporal.PlainTime, other: Temporal.PlainTime) => Temporal.PlainTime.compare(one, other) < 0;
  const spansMidnight = isBefore(to, from);
  const isQuiet = spansMidnight
    ? isBefore(time, to) || !isBefore(time, from)
    : !isBefore(time, from) && isBefore(time, to);
  if (!isQuiet) return undefined;
  const day = spansMidnight && !isBefore(time, from) ? local.toPlainDate().add({ days: 1 }) : local.toPlainDate();
  const end = day.toZonedDateTime({ timeZone, plainTime: to });
  // When clocks are set back, the end may occur twice, and its first occurrence may have passed.
  return new Date(Math.max(end.epochMilliseconds, now.getTime() + 1));
}
