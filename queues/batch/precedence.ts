import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import { within } from "../../records/mongodb/unavailable.ts";

/** Interactive work takes precedence over bulk work in all processes (docs/architecture/queues.md#turns). */
export interface Precedence {
  /** Runs interactive work. Meanwhile, and for at most `NOTED_MS` afterwards, the bulk work of all processes waits. */
  interactive<T>(work: () => Promise<T>): Promise<T>;
  /** Runs bulk work, which waits between its steps if it must. */
  bulk<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Must be awaited before each step of work. Within `bulk`, it waits while interactive work is in progress. A process waits at
   * most `WAIT_RATIO` times as long as it runs, and at most `MAX_CREDIT_MS` at a time, so that bulk work continues even if
   * interactive work never ends or its end is unknown.
   */
  beforeStep(): Promise<void>;
}

interface Dependencies {
  redis: {
    status: string;
    set(key: string, value: number, unit: "PX", milliseconds: number): Promise<unknown>;
    exists(key: string): Promise<number>;
  };
  /** Milliseconds. */
  clock(): number;
  onError(error: Error): void;
  /** How long bulk work waits for a response from Redis. */
  lookTimeoutMs?: number;
}

/**
 * Redis key of the flag that is set while interactive work is in progress. It expires by Redis's clock, so a killed process does
 * not leave it behind.
 */
export const NOTE_KEY = "interactive";
/** Longer than a job waits on an idle system, so that the flag lasts from stage to stage. */
const NOTED_MS = 150;
const NOTE_INTERVAL_MS = 50;
/** How long bulk work runs between two checks of the flag. */
const LOOK_INTERVAL_MS = 20;
const LOOK_TIMEOUT_MS = 50;
const POLL_INTERVAL_MS = 10;
/** During a stream of interactive work, bulk work still gets four fifths of the time. */
export const WAIT_RATIO = 1 / 4;
export const MAX_CREDIT_MS = 1_000;

export function openPrecedence({ redis, clock, onError, lookTimeoutMs = LOOK_TIMEOUT_MS }: Dependencies): Precedence {
  const inBulk = new AsyncLocalStorage<true>();
  let underWay = 0;
  let noting: NodeJS.Timeout | undefined;
  let notedAt = Number.NEGATIVE_INFINITY;
  /** How long this process may wait next time, and when its last wait ended. */
  let credit = 0;
  let wentOnAt = Number.NEGATIVE_INFINITY;
  let waiting: Promise<void> | undefined;

  function note(): void {
    notedAt = clock();
    if (redis.status === "ready") redis.set(NOTE_KEY, 1, "PX", NOTED_MS).catch(onError);
  }

  /** False if Redis does not respond. */
  async function isInteractiveUnderWay(): Promise<boolean> {
    if (underWay > 0) return true;
    if (redis.status !== "ready") return false;
    try {
      return (await within(lookTimeoutMs, redis.exists(NOTE_KEY))) > 0;
    } catch (error) {
      onError(error as Error);
      return false;
    }
  }

  async function wait(): Promise<void> {
    const from = clock();
    const until = from + Math.min(MAX_CREDIT_MS, credit + WAIT_RATIO * (from - wentOnAt));
    while (clock() < until && (await isInteractiveUnderWay())) await setTimeout(POLL_INTERVAL_MS);
    wentOnAt = clock();
    credit = Math.max(0, until - wentOnAt);
  }

  return {
    async interactive(work) {
      underWay += 1;
      if (clock() - notedAt >= NOTE_INTERVAL_MS) note();
      noting ??= setInterval(note, NOTE_INTERVAL_MS);
      try {
        return await inBulk.exit(work);
      } finally {
        underWay -= 1;
        if (underWay === 0) {
          clearInterval(noting);
          noting = undefined;
        }
      }
    },

    bulk: (work) => inBulk.run(true, work),

    async beforeStep() {
      if (inBulk.getStore() === undefined || clock() - wentOnAt < LOOK_INTERVAL_MS) return;
      waiting ??= wait().finally(() => {
        waiting = undefined;
      });
      await waiting;
    },
  };
}
