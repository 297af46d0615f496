import { setTimeout as wait } from "node:timers/promises";
import type { Redis } from "ioredis";
import { keepsOrder } from "../redis.ts";
import type { PresentPartition } from "./why-audit.ts";

/** Reads the partitions' sentinels, in the order of these keys. */
export type ReadSentinels = (keys: readonly string[]) => Promise<PresentPartition[]>;

/** The auditors of one process run in step: they read sentinels within a few milliseconds of one another. */
const GATHER_MS = 25;
/**
 * Reads a sentinel and the run id of its server with a script, which runs on the node that has the key: each node of a cluster
 * has its own run id. The script is called in each round, because the connection to a cluster stays open when a node restarts
 * or is replaced by its replica.
 */
const PRESENT =
  "return { string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or '', redis.call('MGET', unpack(KEYS)) }";

type Present = [runId: string, sentinels: (string | null)[]];

/**
 * Reads sentinels. Requests from several auditors within 25 milliseconds share one script call; in a cluster, there is one call
 * per sentinel.
 */
export function createReadSentinels(redis: Redis): ReadSentinels {
  let gathering: { keys: Set<string>; answers: Promise<Map<string, PresentPartition>> } | undefined;

  async function readKeys(keys: readonly string[]): Promise<[string, PresentPartition][]> {
    const [runId, sentinels] = (await redis.eval(PRESENT, keys.length, ...keys)) as Present;
    return keys.map((key, index) => [key, { runId, sentinel: sentinels[index] ?? null }]);
  }

  async function read(keys: ReadonlySet<string>): Promise<Map<string, PresentPartition>> {
    await wait(GATHER_MS);
    gathering = undefined;
    const groups = keepsOrder(redis) ? [[...keys]] : Array.from(keys, (key) => [key]);
    return new Map((await Promise.all(groups.map(readKeys))).flat());
  }

  return async (asked) => {
    if (gathering === undefined) {
      const keys = new Set<string>();
      gathering = { keys, answers: read(keys) };
    }
    const { keys, answers } = gathering;
    for (const key of asked) keys.add(key);
    const found = await answers;
    return asked.map((key) => found.get(key) ?? { runId: "", sentinel: null });
  };
}
