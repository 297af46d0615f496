import { setTimeout } from "node:timers/promises";

/**
 * Milliseconds between attempts: each costs a call and its reads, so attempts are frequent at first and rarer after a long wait.
 */
const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 400;
const WAITED_PER_PAUSE = 3;
/** Not a limit on speed: after this time a condition counts as stuck, before AVA ends a run in which nothing happens. */
export const STUCK_AFTER_MS = 400_000;

/** Checks repeatedly until a condition holds; throws the last observation if it never does. */
export async function eventually<T>(what: string, check: () => Promise<T | undefined | false>): Promise<T> {
  const began = performance.now();
  let last: unknown;
  for (let waited = 0; waited < STUCK_AFTER_MS; waited = performance.now() - began) {
    const seen = await check().catch((error: Error) => {
      last = error.message;
      return undefined;
    });
    if (seen !== undefined && seen !== false) return seen;
    await setTimeout(Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waited / WAITED_PER_PAUSE)));
  }
  throw new Error(`${what}: still not true${last === undefined ? "" : `; the last check failed: ${last}`}`);
}
