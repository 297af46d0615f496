import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import { LRUCache } from "lru-cache";
import { within } from "../../../records/mongodb/unavailable.ts";

/** A login attempt: the user name and the client's address. */
export interface Attempt {
  userName: string;
  address: string;
}

/**
 * Slows down the guessing of passwords. After several failures for a name at an address, for an address, or for a name, each
 * further failure doubles the pause.
 */
export interface LoginPauses {
  /** Seconds until this name may log in from this address again; 0 if there is no pause. */
  left(attempt: Attempt): Promise<number>;
  failed(attempt: Attempt): Promise<void>;
  /**
   * Clears the failures of the name at the address. The address keeps its own, since one valid name must not reset the
   * count of guesses at other names.
   */
  succeeded(attempt: Attempt): Promise<void>;
}

/**
 * Number of failures before the first pause. An address is allowed more, because many callers may share it. A name is
 * allowed the most, across all addresses, because a stranger who knows a user's name must not be able to lock the user out.
 */
const freeFailures = { pair: 4, address: 19, name: 99 };
const MAX_PAUSE_MS = 15 * 60_000;
/** The longest pause for a name across all addresses. It slows down guesses from many addresses, and ends soon. */
const MAX_NAME_PAUSE_MS = 5_000;
/** Longer than MAX_PAUSE_MS, so that the count outlives a pause and the next pause is longer. */
const FAILURES_TTL_MS = 60 * 60_000;
const MAX_LOCAL_ENTRIES = 10_000;
const REDIS_TIMEOUT_MS = 200;

/** The pause, in milliseconds, after `failures` failures; it doubles with each failure beyond `free`. */
export const pauseAfter = (failures: number, free: number, longestMs = MAX_PAUSE_MS): number =>
  failures <= free ? 0 : Math.min(1000 * 2 ** (failures - free - 1), longestMs);

interface LoginPausesWorld {
  redis: Pick<Redis, "status" | "multi" | "pttl" | "set" | "del">;
  clock(): number;
  onError(error: Error): void;
  /** How long to wait for Redis. */
  timeoutMs?: number | undefined;
}

/**
 * Counts failures in Redis for all processes, and also in this process, whose counts apply while Redis is down. A flush
 * of Redis resets its counts, so an attacker gets the free failures again.
 */
export function createLoginPauses({
  redis,
  clock,
  onError,
  timeoutMs = REDIS_TIMEOUT_MS,
}: LoginPausesWorld): LoginPauses {
  const localEntries = new LRUCache<string, { failures: number; until: number }>({
    max: MAX_LOCAL_ENTRIES,
    ttl: FAILURES_TTL_MS,
  });

  /** The result of a Redis command; undefined while Redis is unreachable or too slow. */
  async function tryRedis<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (redis.status !== "ready") return undefined;
    try {
      return await within(timeoutMs, command());
    } catch (error) {
      onError(error as Error);
      return undefined;
    }
  }

  return {
    async left(attempt) {
      const keys = keysOf(attempt).map(({ key }) => key);
      const fromRedis = await tryRedis(() => Promise.all(keys.map((key) => redis.pttl(pauseKey(key)))));
      const left = fromRedis ?? keys.map((key) => (localEntries.get(key)?.until ?? 0) - clock());
      return Math.max(0, ...left.map((milliseconds) => Math.ceil(milliseconds / 1000)));
    },

    async failed(attempt) {
      for (const { key, allowed, longestMs } of keysOf(attempt)) {
        const failures = (localEntries.get(key)?.failures ?? 0) + 1;
        localEntries.set(key, { failures, until: clock() + pauseAfter(failures, allowed, longestMs) });
        await tryRedis(async () => {
          const counted = await redis.multi().incr(failuresKey(key)).pexpire(failuresKey(key), FAILURES_TTL_MS).exec();
          const pause = pauseAfter(Number(counted?.[0]?.[1]), allowed, longestMs);
          if (pause > 0) await redis.set(pauseKey(key), "", "PX", pause);
        });
      }
    },

    async succeeded({ userName, address }) {
      const [pair] = keysOf({ userName, address });
      if (pair === undefined) return;
      localEntries.delete(pair.key);
      await tryRedis(() => redis.del(failuresKey(pair.key), pauseKey(pair.key)));
    },
  };
}

/** Hashed, because an unauthenticated caller may send a name of any length. */
const keysOf = ({ userName, address }: Attempt) => [
  { key: keyOf("pair", userName, address), allowed: freeFailures.pair, longestMs: MAX_PAUSE_MS },
  { key: keyOf("address", address), allowed: freeFailures.address, longestMs: MAX_PAUSE_MS },
  { key: keyOf("name", userName), allowed: freeFailures.name, longestMs: MAX_NAME_PAUSE_MS },
];

const keyOf = (...parts: readonly string[]): string => hash("sha256", JSON.stringify(parts), "base64url");

const failuresKey = (key: string): string => `{login:${key}}:failures`;
const pauseKey = (key: string): string => `{login:${key}}:pause`;
