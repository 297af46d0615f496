import type { Redis } from "ioredis";
import { createBatcher } from "../../queues/batch/batcher.ts";
import { within } from "../../records/client.ts";

/** How many calls a token may make: so many a second, and so many at once after a pause. */
export interface Rate {
  aSecond: number;
  burst: number;
}

/** What became of one call's turn. */
export interface Turn {
  isGranted: boolean;
  /** How many calls could follow at once. */
  left: number;
  /** Seconds until the whole burst can be used again; of a refused call: until the next one is granted. */
  secondsToWait: number;
}

/** A call's turn; undefined where it is not counted, because Redis is away. */
export type TakeTurn = (tokenId: string) => Promise<Turn | undefined>;

interface RateLimitWorld {
  redis: Pick<Redis, "status" | "pipeline">;
  clock(): number;
  onError(error: Error): void;
}

/** The most that a call waits for Redis; then calls are not counted for a while. */
const WAIT_MS = 200;
const UNCOUNTED_MS = 1_000;
const MAX_CONCURRENT_CALLS = 1_000;

/**
 * A bucket of tokens for each access token. The bucket is kept as the time at which it will be full again, by the clock
 * of Redis, so that it is exact over any number of processes and needs nothing written while it is full.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = 1000000 / ARGV[1]
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0))
local left = math.floor(ARGV[2] - (full - now) / interval + 0.000001)
local granted = math.min(left, tonumber(ARGV[3]))
if granted > 0 then
  full = full + granted * interval
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
end
return { granted, left - granted, math.ceil(full - now) }
`;

/** Counts calls. Those that come while Redis is asked are counted together, a token in one step. */
export function createRateLimit({ aSecond, burst }: Rate, { redis, clock, onError }: RateLimitWorld): TakeTurn {
  let uncountedUntil = 0;

  async function ask(counts: ReadonlyMap<string, number>): Promise<Map<string, [number, number, number]>> {
    const pipeline = redis.pipeline();
    for (const [tokenId, wanted] of counts) pipeline.eval(TAKE, 1, `rate:${tokenId}`, aSecond, burst, wanted);
    const answers = (await within(WAIT_MS, pipeline.exec())) ?? [];
    const failed = answers.find(([error]) => error !== null)?.[0];
    if (failed) throw failed;
    return new Map(
      [...counts.keys()].map((tokenId, index) => [tokenId, answers[index]?.[1] as [number, number, number]]),
    );
  }

  const take = createBatcher<string, Turn | undefined>({
    weigh: () => 1,
    maxWeight: MAX_CONCURRENT_CALLS,
    async run(tokenIds) {
      const counts = new Map<string, number>();
      for (const tokenId of tokenIds) counts.set(tokenId, (counts.get(tokenId) ?? 0) + 1);
      const answers = await ask(counts).catch((error: Error) => {
        uncountedUntil = clock() + UNCOUNTED_MS;
        onError(error);
        return undefined;
      });
      if (answers === undefined) return tokenIds.map(() => undefined);
      const served = new Map<string, number>();
      return tokenIds.map((tokenId) => {
        const index = served.get(tokenId) ?? 0;
        served.set(tokenId, index + 1);
        return turnOf(answers.get(tokenId) ?? [0, 0, 0], index, aSecond, burst);
      });
    },
  });

  return async (tokenId) => (redis.status === "ready" && clock() >= uncountedUntil ? take(tokenId) : undefined);
}

/** The turn of the call at this place among those that were counted together. */
function turnOf(
  [granted, left, untilFull]: [number, number, number],
  index: number,
  aSecond: number,
  burst: number,
): Turn {
  if (index < granted)
    return { isGranted: true, left: left + granted - index - 1, secondsToWait: Math.ceil(untilFull / 1_000_000) };
  // Of the bucket's time to fill, what lies beyond room for one more.
  const untilNext = untilFull / 1_000_000 - (burst - 1) / aSecond;
  return { isGranted: false, left: 0, secondsToWait: Math.max(1, Math.ceil(untilNext)) };
}
