import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import { ofRedis, prefixOf, sendTogether } from "../redis.ts";

/**
 * Key of a list. Redis hands each entry to one of the waiting connections, and keeps the entry as long as no connection is
 * waiting.
 */
const KEY = `${prefixOf("transmitter")}:report-prompts`;
/** Maximum length of the list while no transmitter runs: a new transmitter checks for all reports anyway. */
const MAX_PROMPTS = 128;
/** Shorter than the silence after which a connection is closed (queues/redis.ts). */
const WAIT_SECONDS = 5;
const RETRY_MS = 1_000;

/**
 * Prompts one transmitter to apply a batch of reports that waits in MongoDB. This needs a list but no job: a prompt may be lost,
 * since each transmitter checks for reports once a second.
 */
export const promptReports = (redis: Redis, onError: (error: Error) => void): void =>
  void sendTogether(redis, [
    ["lpush", KEY, ""],
    ["ltrim", KEY, 0, MAX_PROMPTS - 1],
  ]).catch(onError);

/** Calls `onPrompt` for each prompt that this process receives, over its own connection, a duplicate of `worker`. */
export function followReportPrompts(
  worker: Redis,
  onPrompt: () => void,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  const redis = worker.duplicate();
  redis.on("error", ofRedis(onError));
  const closing = new AbortController();

  async function followUntilClosed(): Promise<void> {
    while (!closing.signal.aborted)
      try {
        const prompt = await redis.brpop(KEY, WAIT_SECONDS);
        if (prompt !== null) onPrompt();
      } catch (error) {
        if (closing.signal.aborted) return;
        onError(error as Error);
        await setTimeout(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
  }

  const following = followUntilClosed();
  return {
    async close() {
      closing.abort();
      redis.disconnect();
      await following;
    },
  };
}
