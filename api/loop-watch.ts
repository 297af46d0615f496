import type { Logger } from "pino";

/** How often and how long the event loop has been blocked since the process started. */
export interface LoopCounts {
  /** How often it was blocked for longer than STALL_MS. */
  stalls: number;
  /** The longest time that it was blocked, in milliseconds. */
  longestMs: number;
}

export interface LoopWatch {
  /** Records that an operation has started; the returned function records its end. */
  begin(operation: string): () => void;
  /** Measures how late the check runs. Called at each interval. */
  look(): void;
  counts(): LoopCounts;
  stop(): void;
}

/** No call may keep others waiting for longer than this (docs/decisions/api/threads.md). */
const STALL_MS = 250;
const LOOK_INTERVAL_MS = 50;
const MAX_NAMED = 10;

/**
 * Watches the event loop: a late timer shows how long other calls were blocked. Logs the operations that were in
 * progress or ended since the previous check, one of which caused the delay.
 */
export function watchLoop(log: Pick<Logger, "warn">, clock: () => number, intervalMs = LOOK_INTERVAL_MS): LoopWatch {
  const counts: LoopCounts = { stalls: 0, longestMs: 0 };
  const underWay = new Set<{ operation: string; began: number }>();
  /** Operations that ended since the last check. */
  let ended: string[] = [];
  let last = clock();

  function look(): void {
    const now = clock();
    const late = now - last - intervalMs;
    last = now;
    if (late > STALL_MS) {
      counts.stalls += 1;
      counts.longestMs = Math.max(counts.longestMs, Math.round(late));
      const present = [...underWay].map(({ operation, began }) => `${operation} (${Math.round(now - began)} ms)`);
      const operations = [...ended, ...present].slice(-MAX_NAMED);
      log.warn(
        { milliseconds: Math.round(late), operations },
        "the event loop was blocked: no other request was served",
      );
    }
    ended = [];
  }

  const timer = setInterval(look, intervalMs).unref();
  return {
    begin(operation) {
      const entry = { operation, began: clock() };
      underWay.add(entry);
      return () => {
        underWay.delete(entry);
        if (ended.length < MAX_NAMED) ended.push(`${operation} (${Math.round(clock() - entry.began)} ms)`);
      };
    },
    look,
    counts: () => ({ ...counts }),
    stop: () => clearInterval(timer),
  };
}
