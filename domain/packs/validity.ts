import { Temporal } from "temporal-polyfill";
import type { Scenario, ValidityPeriod } from "../../schemas/design.ts";
import { instantOfStoreTime } from "../times/store-time.ts";

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * Returns the instant at which a period starts or ends, in milliseconds. A day or a local time is in the store's time zone; a
 * time with an offset is absolute. Local times that are skipped or repeated when clocks change mean the same as in an item's
 * `validFrom`, so that a design changes with the price. Undefined for any other text.
 */
export function instantOfEnd(text: string, timeZone: string): number | undefined {
  const parts = TIME.exec(text);
  if (parts === null) return undefined;
  const [, offset] = parts;
  try {
    return offset === undefined ? instantOfStoreTime(text, timeZone) : Temporal.Instant.from(text).epochMilliseconds;
  } catch (error) {
    // A day or an hour that does not exist, such as 30 February.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns why a period is invalid, with the field that is wrong. Undefined if it is valid. */
export function faultOfPeriod({ from, to }: ValidityPeriod): { field: "from" | "to"; detail: string } | undefined {
  const instants = [from, to].map((text) => (text === undefined ? undefined : instantOfEnd(text, "UTC")));
  for (const [index, field] of (["from", "to"] as const).entries()) {
    const text = { from, to }[field];
    if (text === undefined || instants[index] !== undefined) continue;
    return {
      field,
      detail: `"${text}" is neither a day nor a time: use 2026-12-24 or 2026-12-24T06:00, with or without an offset`,
    };
  }
  const [begins = Number.NEGATIVE_INFINITY, ends = Number.POSITIVE_INFINITY] = instants;
  return begins < ends
    ? undefined
    : { field: "to", detail: `"${to}" is not later than "${from}", so the scenario would never apply` };
}

/** Returns the ids of the scenarios that are outside their validity period at a given time in a time zone. */
export function dormantAt(scenarios: readonly Scenario[], timeZone: string, time: number): string[] {
  const isDormant = ({ from, to }: ValidityPeriod): boolean =>
    (from !== undefined && (instantOfEnd(from, timeZone) ?? time) > time) ||
    (to !== undefined && (instantOfEnd(to, timeZone) ?? Number.POSITIVE_INFINITY) <= time);
  return scenarios.flatMap(({ id, validityPeriod, children }) => [
    ...(validityPeriod && isDormant(validityPeriod) ? [id] : []),
    ...dormantAt(children, timeZone, time),
  ]);
}
