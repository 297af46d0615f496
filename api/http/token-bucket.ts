import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import { sendTogether } from "../../queues/redis.ts";
import { within } from "../../records/mongodb/unavailable.ts";
import { createBatcher } from "../../runtime/batch/batcher.ts";

/** How many calls a bucket's owner may make: per second, and in a burst after a pause. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** The result for one call. */
export interface Grant {
  isGranted: boolean;
  /** How many more calls would be granted now. */
  left: number;
  /** Seconds until the whole burst is available again or, for a refused call, until the next call is granted. */
  secondsToWait: number;
}

/** Counts a call in a bucket. If Redis is unreachable or returns an error, returns undefined: the call is not counted. */
export type TakeGrant = (bucket: string) => Promise<Grant | undefined>;

/**
 * Returns the name of a bucket. It is hashed, since a subject or an address must not be readable in Redis and may have
 * any length.
 */
export const bucketOf = (...parts: readonly string[]): string => hash("sha256", JSON.stringify(parts), "base64url");

interface RateLimitWorld {
  redis: Pick<Redis, "status" | "pipeline" | "call">;
  clock(): number;
  onError(error: Error): void;
  /** How long a call waits for Redis. */
  timeoutMs?: number | undefined;
}

/** How long a call waits for Redis; after a failure, calls are not counted for UNCOUNTED_AFTER_ERROR_MS. */
const REDIS_TIMEOUT_MS = 200;
const UNCOUNTED_AFTER_ERROR_MS = 1_000;
const MAX_CALLS_PER_BATCH = 1_000;

/**
 * A token bucket with the given rate and burst: grants as many of the requested tokens as are available, in whole units.
 * Its only state is the time at which it will be full again, by Redis's clock. It is exact across any number of processes,
 * and a full bucket needs no key. `api/middleware/enforce-rate-limit.ts` decides which calls count, and in which buckets.
 */
export const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = 1000000 / ARGV[1]
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0))
local left = math.floor(ARGV[2] - (full - now) / interval + 0.000001)
local granted = math.max(0, math.min(left, tonumber(ARGV[3])))
granted = granted - granted % ARGV[4]
if granted > 0 then
  full = full + granted * interval
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
end
return { granted, left - granted, math.ceil(full - now) }
`;

/** Counts calls in batches: calls that arrive while a batch is at Redis form the next one, with one `eval` per bucket. */
export function createRateLimit(
  { perSecond, burst }: Rate,
  { redis, clock, onError, timeoutMs = REDIS_TIMEOUT_MS }: RateLimitWorld,
): TakeGrant {
  let uncountedUntil = 0;

  async function takeFromRedis(counts: ReadonlyMap<string, number>): Promise<Map<string, [number, number, number]>> {
    const commands = [...counts].map(([bucket, wanted]): [string, string, ...(string | number)[]] => {
      return ["eval", TAKE, 1, `rate:${bucket}`, perSecond, burst, wanted, 1];
    });
    const answers = await within(timeoutMs, sendTogether(redis, commands));
    return new Map([...counts.keys()].map((bucket, index) => [bucket, answers[index] as [number, number, number]]));
  }

  const take = createBatcher<string, Grant | undefined>({
    weigh: () => 1,
    maxWeight: MAX_CALLS_PER_BATCH,
    async run(buckets) {
      const counts = new Map<string, number>();
      for (const bucket of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      const answers = await takeFromRedis(counts).catch((error: Error) => {
        uncountedUntil = clock() + UNCOUNTED_AFTER_ERROR_MS;
        onError(error);
        return undefined;
      });
      if (answers === undefined) return buckets.map(() => undefined);
      const served = new Map<string, number>();
      return buckets.map((bucket) => {
        const index = served.get(bucket) ?? 0;
        served.set(bucket, index + 1);
        const answer = answers.get(bucket);
        return answer && grantOf(answer, index, perSecond, burst);
      });
    },
  });

  return async (bucket) => (redis.status === "ready" && clock() >= uncountedUntil ? take(bucket) : undefined);
}

/** The grant of the call with this index among the bucket's calls of one batch. `untilFull` is in microseconds. */
function grantOf(
  [granted, left, untilFull]: [number, number, number],
  index: number,
  perSecond: number,
  burst: number,
): Grant {
  if (index < granted)
    return { isGranted: true, left: left + granted - index - 1, secondsToWait: Math.ceil(untilFull / 1_000_000) };
  // One call is granted again once the bucket lacks at most `burst - 1` tokens.
  const untilNext = untilFull / 1_000_000 - (burst - 1) / perSecond;
  return { isGranted: false, left: 0, secondsToWait: Math.max(1, Math.ceil(untilNext)) };
}
