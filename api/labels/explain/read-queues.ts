import type { Redis } from "ioredis";
import { openLabelServerHealth } from "../../../queues/publish/label-server-health.ts";
import { nodesOf } from "../../../queues/redis.ts";
import { FULL_RATIO, fillOf, readFullestMemory } from "../../../queues/redis-memory.ts";
import type { System } from "../../../queues/system.ts";
import { type ExplanationFacts, type QueueFacts, type ServingQueue, servingQueues } from "./explanation-facts.ts";

/** Whether a label's label server and gateway respond. */
export type ServerFacts = Pick<
  ExplanationFacts,
  "gatewayOfflineSince" | "labelServerAwaySince" | "labelServerDeniedSince"
>;

interface FromRedis extends Pick<ExplanationFacts, "queues" | "redisFullTo"> {
  /** By the label server's key. */
  servers: ReadonlyMap<string, ServerFacts>;
}

const nothing: FromRedis = { queues: undefined, redisFullTo: undefined, servers: new Map() };

/**
 * Reads from Redis what is waiting for a store's workers, and whether the label servers with these keys and their
 * gateways respond. While Redis is unreachable, nothing is known.
 */
export async function readQueues(
  { publisher, redis }: Pick<System, "publisher" | "redis">,
  store: string,
  labelServers: readonly string[],
): Promise<FromRedis> {
  if (!publisher.isReady()) return nothing;
  const readOne = async (name: ServingQueue): Promise<[string, QueueFacts]> => {
    const queue = publisher.queue(name, store);
    const [counts, processes] = await Promise.all([
      queue.getJobCounts("active", "waiting", "prioritized", "delayed"),
      countProcesses(() => queue.getWorkersCount()),
    ]);
    const { active = 0, waiting = 0, prioritized = 0, delayed = 0 } = counts;
    return [name, { waiting: waiting + prioritized + delayed, active, processes }];
  };
  try {
    const notes = openLabelServerHealth(redis);
    const [health, offline, fill, ...queues] = await Promise.all([
      notes.read(labelServers),
      Promise.all(labelServers.map((key) => notes.readOffline(store, key))),
      readFill(redis),
      ...servingQueues.map(readOne),
    ]);
    const factsAt = (index: number): ServerFacts => ({
      gatewayOfflineSince: offline[index],
      labelServerAwaySince: health[index]?.awaySince,
      labelServerDeniedSince: health[index]?.deniedSince,
    });
    return {
      queues: Object.fromEntries(queues) as ExplanationFacts["queues"],
      redisFullTo: fill > FULL_RATIO ? fill : undefined,
      servers: new Map(labelServers.map((key, index) => [key, factsAt(index)])),
    };
  } catch {
    // Redis became unreachable during the reads, so nothing is known.
    return nothing;
  }
}

/** Returns 0 if Redis does not reveal it. */
const readFill = (redis: Redis): Promise<number> => readFullestMemory(nodesOf(redis)).then(fillOf, () => 0);

/** Returns undefined if Redis does not list its clients, as with some hosted servers. */
const countProcesses = (count: () => Promise<number>): Promise<number | undefined> => count().catch(() => undefined);
