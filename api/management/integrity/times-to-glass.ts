import type { GlassEntry } from "../../../records/glass-log.ts";
import type { Times } from "../../../schemas/integrity.ts";

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Each class of times ends this much above the one before, so that a percentile is as exact as that. */
const STEP = 1.05;

type Entry = Pick<GlassEntry, "at" | "tookMs">;

/** Counts times to the glass in classes, so that however many there are take the same memory. */
export function createTimesToGlass(now: Date) {
  const [lastHour, lastDay] = [createClasses(), createClasses()];
  return {
    add({ at, tookMs }: Entry): void {
      if (tookMs === undefined) return;
      lastDay.add(tookMs);
      if (now.getTime() - at.getTime() <= HOUR_MS) lastHour.add(tookMs);
    },
    result: (): { lastHour: Times; lastDay: Times } => ({ lastHour: lastHour.result(), lastDay: lastDay.result() }),
  };
}

function createClasses() {
  const counts: number[] = [];
  let pictures = 0;
  let longestMs = 0;
  const classOf = (ms: number): number => Math.ceil(Math.log(Math.max(1, ms)) / Math.log(STEP));

  /** The end of the class that holds the time below which this part of all times is. */
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
