import { shareOf, spreadWait } from "./spread.ts";

/** Settings that decide when a transmission is retried. Times are in milliseconds. */
export interface RetrySettings {
  /** Wait for a report after the first attempt; doubles with every attempt. */
  firstWaitMs: number;
  lastWaitMs: number;
  /** After this many attempts without a report, the label is in ERROR, and attempts become rare. */
  maxTries: number;
  /** Wait between two attempts for a label in ERROR. */
  slowWaitMs: number;
  /** Maximum fraction by which the other waits differ from label to label, so that labels are not retried at the same time. */
  spread: number;
  /**
   * Returns the smallest number for a transmission that starts now: the time in milliseconds. So numbers are never reused, even
   * after MongoDB has been restored to an earlier point in time, and a label server never mistakes a new transmission for one
   * that it already has.
   */
  leastNumber(now: Date): number;
}

const FIRST_WAIT_MS = 15_000;
const MAX_TRIES = 10;
const SLOW_WAIT_MS = 3_600_000;
const SPREAD = 0.25;
const AFTER_FAILURE = { firstWaitMs: 2_000, lastWaitMs: 300_000 };

/** Returns the settings of an installation whose label servers report within `acknowledgeWithinMs`. */
export const retrySettings = (acknowledgeWithinMs: number): RetrySettings => ({
  firstWaitMs: Math.min(FIRST_WAIT_MS, acknowledgeWithinMs),
  lastWaitMs: acknowledgeWithinMs,
  maxTries: MAX_TRIES,
  slowWaitMs: SLOW_WAIT_MS,
  spread: SPREAD,
  leastNumber: (now) => now.getTime(),
});

/** Returns the settings for a label, with its own waits. */
export const settingsOf = (key: string, retry: RetrySettings): RetrySettings => ({
  ...retry,
  firstWaitMs: spreadWait(retry.firstWaitMs, retry.spread, key),
  lastWaitMs: spreadWait(retry.lastWaitMs, retry.spread, key),
  slowWaitMs: slowWaitOf(key, retry.slowWaitMs),
});

/** Returns the longest time that any label waits for the report after a first attempt. */
export const longestFirstWait = ({ firstWaitMs, spread }: Pick<RetrySettings, "firstWaitMs" | "spread">): number =>
  firstWaitMs * (1 + spread);

/**
 * Returns the wait between two attempts for a label in ERROR: half to one and a half times `averageMs`, depending on the label's
 * key, so that labels that failed together are not retried together.
 */
export const slowWaitOf = (key: string, averageMs: number): number => Math.round(averageMs * (0.5 + shareOf(key)));

/** Returns the wait for a report after this many attempts. */
export const waitAfter = (
  tries: number,
  { firstWaitMs, lastWaitMs }: Pick<RetrySettings, "firstWaitMs" | "lastWaitMs">,
): number => Math.min(firstWaitMs * 2 ** (tries - 1), lastWaitMs);

/**
 * Returns the wait, in milliseconds, after this many attempts if a failure was reported. It depends on `key`, so that
 * transmissions that failed together are not resent together.
 */
export const waitAfterFailure = (tries: number, key: string): number =>
  spreadWait(waitAfter(tries, AFTER_FAILURE), SPREAD, key);
