import { setTimeout } from "node:timers/promises";

const POLL_INTERVAL_MS = 50;
/** Not how fast something must be: only when to call it stuck. */
const STUCK_AFTER_MS = 60_000;

/** Looks again and again until something is so; throws with what was seen last where it never is. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + STUCK_AFTER_MS;
  let last: unknown;
  while (performance.now() < deadline) {
    const seen = await look().catch((error: Error) => {
      last = error.message;
      return undefined;
    });
    if (seen !== undefined && seen !== false) return seen;
    await setTimeout(POLL_INTERVAL_MS);
  }
  throw new Error(`${what}: it is still not so${last === undefined ? "" : `; the last look failed: ${last}`}`);
}
