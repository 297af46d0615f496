import { createDateText } from "../../api/http/date-text.ts";

/** Formats a time as a local time of a store in UTC (`moveToUtc`). Elsewhere, one hour a year occurs twice. */
export const localTime = createDateText("UTC", false);

/** Returns a full second at least this far in the future. */
export const secondsAhead = (seconds: number): Date => new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000);

/**
 * Repeats the run, with more seconds on each attempt, until `run` returns true, which means that it has made its assertions. A
 * busy machine may need more seconds than the first attempt allows.
 */
export async function inTime(
  leadsS: readonly number[],
  run: (turn: number, leadS: number) => Promise<boolean>,
): Promise<void> {
  for (const [turn, leadS] of leadsS.entries()) if (await run(turn, leadS)) return;
  throw new Error("the time came too early, even with the longest lead");
}

/**
 * Returns what `observe` returns, or undefined if `observe` ends after this time, when neither a result nor an error proves
 * anything.
 */
export async function observedBefore<T>(time: Date, observe: () => Promise<T>): Promise<T | undefined> {
  const isLate = () => Date.now() >= time.getTime();
  const seen = await observe().catch((error: unknown) => {
    if (isLate()) return undefined;
    throw error;
  });
  return isLate() ? undefined : seen;
}
