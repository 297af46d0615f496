import type { GlassEntry } from "../../../schemas/glass.ts";
import type { IntegrityReport, Times, TimesStep } from "../../../schemas/integrity.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** The ratio between the upper limits of consecutive classes, and thus the precision of a percentile. */
const STEP = 1.05;

type TimesToGlass = NonNullable<IntegrityReport["timeToGlass"]>;
type Entry = Pick<GlassEntry, "at" | "tookMs">;

/** Counts times to the glass in classes, so that memory does not depend on how many there are. */
export function createTimesToGlass(now: Date, dateText: (date: Date) => string) {
  const [lastHour, lastDay] = [createClasses(), createClasses()];
  const [byMinutes, byHours] = [createSteps(now, 12, 5 * MINUTE_MS), createSteps(now, 24, HOUR_MS)];
  return {
    add({ at, tookMs }: Entry): void {
      if (tookMs === undefined) return;
      lastDay.add(tookMs);
      if (now.getTime() - at.getTime() <= HOUR_MS) lastHour.add(tookMs);
      byMinutes.add(at, tookMs);
      byHours.add(at, tookMs);
    },
    result: (): TimesToGlass => ({
      lastHour: lastHour.result(),
      lastDay: lastDay.result(),
      byMinutes: byMinutes.result(dateText),
      byHours: byHours.result(dateText),
    }),
  };
}

/** Counts times in intervals of equal length, the last of which ends now. */
function createSteps(now: Date, count: number, lengthMs: number) {
  const steps = Array.from({ length: count }, createClasses);
  return {
    add(at: Date, tookMs: number): void {
      // A label server's clock may be fast, so later times count in the last interval.
      const age = Math.max(0, Math.ceil((now.getTime() - at.getTime()) / lengthMs) - 1);
      steps[count - 1 - age]?.add(tookMs);
    },
    result: (dateText: (date: Date) => string): TimesStep[] =>
      steps.map((step, index) => {
        const { pictures, p50, p90 } = step.result();
        return { from: dateText(new Date(now.getTime() - (count - index) * lengthMs)), pictures, p50, p90 };
      }),
  };
}

function createClasses() {
  const counts: number[] = [];
  let pictures = 0;
  let longestMs = 0;
  const classOf = (ms: number): number => Math.ceil(Math.log(Math.max(1, ms)) / Math.log(STEP));

  /** Returns this percentile in seconds, as the upper bound of its class. */
  function percentile(part: number): number | null {
    let left = Math.ceil(pictures * part);
    if (left === 0) return null;
    const found = counts.findIndex((count = 0) => {
      left -= count;
      return left <= 0;
    });
    return Math.min(Math.round(STEP ** found), longestMs) / 1000;
  }

  return {
    add(ms: number): void {
      const index = classOf(ms);
      counts[index] = (counts[index] ?? 0) + 1;
      pictures += 1;
      longestMs = Math.max(longestMs, ms);
    },
    result: (): Times => ({
      pictures,
      p50: percentile(0.5),
      p90: percentile(0.9),
      p99: percentile(0.99),
      longest: pictures === 0 ? null : longestMs / 1000,
    }),
  };
}
