import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { sendTogether } from "../../queues/redis.ts";
import { within } from "../../records/mongodb/unavailable.ts";
import { ProblemError } from "../http/problem-error.ts";
import { bucketOf, type Rate, TAKE } from "../http/token-bucket.ts";

/** Counts the bytes that an owner uploads. Throws a ProblemError (429) if they exceed its rate. */
export type CountUpload = (owner: string, bytes: number) => Promise<void>;

interface UploadRateWorld {
  redis: Pick<Redis, "status" | "pipeline" | "call">;
  /** The current time in milliseconds. */
  clock(): number;
  onError(error: Error): void;
  /** How long an upload waits for Redis. */
  timeoutMs?: number | undefined;
}

const REDIS_TIMEOUT_MS = 200;
const MAX_OWNERS = 10_000;

/**
 * A token bucket of bytes per tenant, in Redis for all processes. While Redis is unavailable, the same rate applies per
 * process, so that an outage does not expose the database to a flood of files.
 */
export function createUploadRate(rate: Rate, world: UploadRateWorld): CountUpload {
  const { redis, clock, onError, timeoutMs = REDIS_TIMEOUT_MS } = world;
  const { perSecond, burst } = rate;
  /** When each owner's bucket in this process will be full again. */
  const fullAt = new LRUCache<string, number>({ max: MAX_OWNERS });

  /**
   * Takes bytes from a bucket. Returns 0 if they were available, otherwise the seconds to wait; undefined while Redis is
   * unreachable.
   */
  async function takeFromRedis(bucket: string, bytes: number): Promise<number | undefined> {
    if (redis.status !== "ready") return undefined;
    try {
      const command = ["eval", TAKE, 1, `rate:${bucket}`, perSecond, burst, bytes, bytes] as const;
      const [answer] = await within(timeoutMs, sendTogether(redis, [command]));
      const [taken, , untilFull] = answer as [number, number, number];
      return taken > 0 ? 0 : Math.max(1, waitFor(bytes, untilFull / 1e6));
    } catch (error) {
      onError(error as Error);
      return undefined;
    }
  }

  function takeHere(bucket: string, bytes: number): number {
    const now = clock();
    const untilFull = Math.max(0, (fullAt.get(bucket) ?? 0) - now) / 1000;
    const wait = waitFor(bytes, untilFull);
    if (wait === 0) fullAt.set(bucket, now + (untilFull + bytes / perSecond) * 1000);
    return wait;
  }

  /** Seconds until this many bytes are available in a bucket that is full in `untilFull` seconds. */
  const waitFor = (bytes: number, untilFull: number): number =>
    Math.max(0, Math.ceil(untilFull + (bytes - burst) / perSecond));

  return async (owner, bytes) => {
    const bucket = bucketOf("upload", owner);
    const seconds = (await takeFromRedis(bucket, bytes)) ?? takeHere(bucket, bytes);
    if (seconds === 0) return;
    const [a, b] = [perSecond, burst].map((value) => `${value / 2 ** 20} MiB`);
    const detail = `A tenant may upload ${a} per second, and ${b} in a burst after a pause.`;
    throw new ProblemError("too-many-requests", detail, { headers: { "retry-after": String(seconds) } });
  };
}
