import { hash } from "node:crypto";

/** When a transmission is retried, in milliseconds. */
export interface RetrySettings {
  /** Wait for a report after the first attempt; it doubles with every attempt. */
  firstWaitMs: number;
  lastWaitMs: number;
  /** After this many attempts without a report the label is in ERROR, and is sent to rarely. */
  maxTries: number;
  /** Wait of a label in ERROR between two attempts. */
  slowWaitMs: number;
  /**
   * The least number of a transmission that begins now. It is the time in milliseconds: no number comes again, not even
   * after MongoDB was restored to an earlier moment, and so a label server knows none that it was not sent.
   */
  leastNumber(now: Date): number;
}

const FIRST_WAIT_MS = 15_000;
const MAX_TRIES = 10;
const SLOW_WAIT_MS = 3_600_000;

/** The settings of an installation whose label servers report within `acknowledgeWithinMs`. */
export const retrySettings = (acknowledgeWithinMs: number): RetrySettings => ({
  firstWaitMs: Math.min(FIRST_WAIT_MS, acknowledgeWithinMs),
  lastWaitMs: acknowledgeWithinMs,
  maxTries: MAX_TRIES,
  slowWaitMs: SLOW_WAIT_MS,
  leastNumber: (now) => now.getTime(),
});

/** The settings for a label: its slow wait is its own. */
export const settingsOf = (key: string, retry: RetrySettings): RetrySettings => ({
  ...retry,
  slowWaitMs: slowWaitOf(key, retry.slowWaitMs),
});

const MAX_SPREAD = 2 ** 32;

/**
 * The wait of a label in ERROR between two attempts: half to one and a half times `averageMs`, by the label's key, so
 * that labels that failed together are not sent to together.
 */
export const slowWaitOf = (key: string, averageMs: number): number =>
  Math.round(averageMs * (0.5 + Number.parseInt(hash("sha256", key).slice(0, 8), 16) / MAX_SPREAD));

/** The wait for a report after this many attempts. */
export const waitAfter = (tries: number, { firstWaitMs, lastWaitMs }: RetrySettings): number =>
  Math.min(firstWaitMs * 2 ** (tries - 1), lastWaitMs);
