import type { Redis } from "ioredis";
import { BULK_KEYS } from "./publish/bulk-jobs.ts";
import { prefixOf } from "./redis.ts";
import { RESULT_KEYS } from "./requests/results.ts";
import { queueNames } from "./topology.ts";

const KEYS_PER_SCAN = 1000;

/**
 * Deletes all jobs and their counts, sentinels and cached results, and gives their number of keys. Nothing that was accepted is lost:
 * sweeps enqueue what the journal and the outbox hold, and audits begin since their sentinels are gone.
 */
export async function forgetRedis(redis: Redis): Promise<number> {
  let count = 0;
  for (const pattern of [...queueNames.map((queue) => `${prefixOf(queue)}:*`), RESULT_KEYS, BULK_KEYS]) {
    let cursor = "0";
    do {
      const [next, keys] = await redis.scan(cursor, "MATCH", pattern, "COUNT", KEYS_PER_SCAN);
      if (keys.length > 0) count += await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== "0");
  }
  return count;
}
