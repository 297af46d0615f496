import type { Redis } from "ioredis";
import { BULK_KEYS } from "./publish/bulk-jobs.ts";
import { INTERACTIVE_KEYS } from "./publish/interactive-rows.ts";
import { nodesOf, prefixOf, sendTogether } from "./redis.ts";
import { RESULT_KEYS } from "./requests/results.ts";
import { queueNames } from "./topology.ts";

const KEYS_PER_SCAN = 1000;

/**
 * Deletes all jobs and their counts, sentinels and cached results, and returns the number of deleted keys. Nothing that was
 * accepted is lost: sweeps enqueue the contents of the journal and the outbox, and audits start because their sentinels are gone.
 */
export async function forgetRedis(redis: Redis): Promise<number> {
  let count = 0;
  // Matches any number of partitions, since there may have been more before.
  const names = queueNames.flatMap((queue) => [queue, `${queue}-[0-9]*`]);
  const patterns = [...names.map((name) => `${prefixOf(name)}:*`), RESULT_KEYS, BULK_KEYS, INTERACTIVE_KEYS];
  for (const node of nodesOf(redis)) for (const pattern of patterns) count += await unlinkMatching(node, pattern);
  return count;
}

async function unlinkMatching(node: Redis, pattern: string): Promise<number> {
  let count = 0;
  let cursor = "0";
  do {
    const [next, keys] = await node.scan(cursor, "MATCH", pattern, "COUNT", KEYS_PER_SCAN);
    // Each key has its own command, since a cluster node rejects commands for keys in several slots.
    await sendTogether(
      node,
      keys.map((key) => ["unlink", key]),
    );
    count += keys.length;
    cursor = next;
  } while (cursor !== "0");
  return count;
}
